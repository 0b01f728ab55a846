/** What every store must do, whatever database it stands on; each implementation runs this one suite. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OpenedStore, rex, rowOf, Subject } from './subject.ts'
import { eventSuite } from './suite-events.ts'
import { keySuite } from './suite-keys.ts'
import { petSuite } from './suite-pets.ts'
import { webhookSuite } from './suite-webhooks.ts'

export function storeSuite(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store on ${name}`, () => {
    let subject: Subject
    before(async () => {
      subject = new Subject(await open())
    })
    after(() => subject?.remove())

    test('is ready once it is open', () => subject.store.ready())
    for (const suite of [petSuite, eventSuite, keySuite, webhookSuite]) suite(() => subject)

    test('a write that is refused fails alone among those made with it', async () => {
      const key = await subject.addKey()
      const [before, refused, after] = await Promise.allSettled([
        subject.add(),
        subject.addKey({ hash: key.hash }),
        subject.add(),
      ])
      assert.equal(refused.status, 'rejected')
      for (const result of [before, after]) {
        assert.ok(result.status === 'fulfilled')
        assert.deepEqual(await subject.found(result.value.id), result.value)
      }
      assert.deepEqual(await subject.store.keys.findByHash(key.hash), key)
    })

    test('everything is there after closing and opening again, writes under way included', async () => {
      const claim = await subject.newClaim()
      const first = rowOf(await subject.claim(rex, claim))
      const keys = await subject.store.keys.list()
      const last = subject.all().at(-1)?.id ?? 0n
      const underWay = subject.add()
      await subject.reopen()
      assert.ok((await underWay).id > last)
      assert.deepEqual(await subject.walk(), subject.all())
      assert.deepEqual(await subject.store.keys.list(), keys)
      assert.deepEqual(await subject.claim(rex, claim), { ...first, replayed: true })
      assert.ok((await subject.add()).id > (await underWay).id)
    })
  })
}
