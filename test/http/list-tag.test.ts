/** The tag of a page stands for its link as well as for its rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPets, freshCategory, nextPage } from '../support/expect.ts'
import { addOrder, end } from '../support/orders.ts'
import { onOneTarget, type TestService } from '../support/service.ts'

/** Checks that a copy of a page with a link is no longer good once `removeRest` has left the page and taken what follows it. */
async function expectNewTag(service: TestService, path: string, removeRest: () => Promise<unknown>): Promise<void> {
  const before = await service.call('GET', path)
  assert.ok(nextPage(before))
  const headers = { 'If-None-Match': before.headers.get('etag') ?? '' }
  assert.equal((await service.call('GET', path, { headers })).status, 304)
  await removeRest()
  const after = await service.call('GET', path, { headers })
  assert.equal(after.status, 200, 'the copy has a link that leads nowhere')
  assert.equal(after.text, before.text)
  assert.equal(nextPage(after), undefined)
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
}

onOneTarget('The tag of a list', (service) => {
  test('changes with the link: a page of animals after which no more follow', async () => {
    const categoryId = freshCategory()
    const [, second] = await addPets(service(), 2, { categoryId })
    const path = `/pets?categoryId=${categoryId}&limit=1`
    await expectNewTag(service(), path, () => service().call('DELETE', `/pets/${second}`))
  })

  test('changes with the link: a page of animals after the first', async () => {
    const categoryId = freshCategory()
    const [, , third] = await addPets(service(), 3, { categoryId })
    const path = nextPage(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`)) ?? ''
    await expectNewTag(service(), path, () => service().call('DELETE', `/pets/${third}`))
  })

  test('changes with the link: a page of orders after which no more follow', async () => {
    // Orders are never removed, but one that ends leaves the list of open ones.
    const [, second] = [await addOrder(service()), await addOrder(service())]
    await expectNewTag(service(), '/store/orders?status=placed&limit=1', () => end(service(), second.id, 'cancel'))
  })
})
