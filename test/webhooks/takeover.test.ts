/** The instance that delivers is killed: another one goes on, nothing is lost, and each animal keeps its order. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { addPet } from '../support/expect.ts'
import { eventually } from '../support/load.ts'
import { releasePostgres } from '../support/postgres.ts'
import { node } from '../support/runtimes.ts'
import { testInFull } from '../support/scope.ts'
import { TestService } from '../support/service.ts'
import { endLocks } from '../support/sql.ts'

/** Fewer than tries may be under way: each waits for its own. */
const animals = 2
const changes = 60

interface Event {
  readonly id: number
  readonly data: { readonly id: number }
}

/** Answers with 204, or not at all while it hangs. */
async function startReceiver() {
  const received: Event[] = []
  const held: ServerResponse[] = []
  const receiver = createServer(async (request, response) => {
    const event = JSON.parse(await text(request))
    // Two of one animal under way at a time would be seen in the wrong order.
    await sleep(Math.random() * 10)
    received.push(event)
    if (state.isHanging) held.push(response)
    else response.writeHead(204).end()
  })
  const state = { isHanging: false, received, held, close: () => receiver.close() }
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  return { state, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` }
}

after(releasePostgres)

for (const database of databases)
  testInFull(
    `an instance that is killed while it delivers is replaced by another one, on ${database.name} [D125]`,
    async () => {
      const { url: DATABASE_URL, remove } = await database.open()
      const env = { DATABASE_URL, WEBHOOKS_ALLOW: '127.0.0.1', LOG_LEVEL: 'info' }
      const { state, url } = await startReceiver()
      const services: TestService[] = []
      const start = async () => {
        const service = await TestService.start(node, env)
        services.push(service)
        return service
      }
      try {
        const killed = await start()
        const key = await killed.makeKey({ scopes: ['webhooks:write', 'events:read'] })
        const added = await killed.call('POST', '/webhooks', {
          key,
          body: { url, types: ['pet.created', 'pet.updated'] },
        })
        assert.equal(added.status, 201, added.text)
        const ids: number[] = []
        for (let i = 0; i < animals; i++) ids.push((await addPet(killed)).id)
        const ask = async () => state.received.length
        await eventually(ask, (length) => length === animals)
        state.isHanging = true
        const rename = async (id: number) => {
          for (let i = 0; i < changes; i++)
            assert.equal((await killed.call('PATCH', `/pets/${id}`, { body: { name: `Rex ${i}` } })).status, 200)
        }
        await Promise.all(ids.map(rename))
        await eventually(
          async () => state.held.length,
          (length) => length > 0,
        )
        await killed.kill()
        state.isHanging = false
        await endLocks(DATABASE_URL)
        const heir = await start()
        const { json } = await heir.call('GET', '/events?limit=100', { key })
        const rest = await heir.call('GET', `/events?limit=100&after=${json.at(-1).id}`, { key })
        const expected = [...json, ...rest.json] as Event[]
        assert.equal(expected.length, animals * (1 + changes))
        await eventually(
          async () => new Set(state.received.map(({ id }) => id)).size,
          (size) => size === expected.length,
        )
        for (const pet of ids) {
          const of = (events: readonly Event[]) => events.filter(({ data }) => data.id === pet).map(({ id }) => id)
          assert.deepEqual([...new Set(of(state.received))], of(expected))
          // Only what was under way comes twice.
          assert.ok(of(state.received).length <= of(expected).length + 1)
        }
      } finally {
        for (const service of services) await service.stop()
        state.close()
        await remove()
      }
    },
  )
