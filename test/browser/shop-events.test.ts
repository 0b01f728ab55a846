/** The page for staff in a real browser when its key may follow events: what others do appears by itself, and nothing is in anyone's way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultScopes } from '../../src/model/key.ts'
import { freshCategory } from '../support/expect.ts'
import { describeShop, type ShopOptions, type ShopPage } from '../support/shop-page.ts'

describeShop('The shop in Chromium, with events', (store) => {
  const { open, call, addPet, addPets, addNamed, patch, order, moveOrder, makeKey } = store
  let key: Promise<string> | undefined
  const isStream = (each: { url(): string }) => each.url().includes('/events/stream')
  /** Resolves once the page has read again what it shows, and follows. */
  async function openFollowing(options: ShopOptions): Promise<ShopPage> {
    key ??= makeKey(...defaultScopes, 'events:read')
    const shop = await open({ key: null, ...options })
    const isFollowing = shop.page.waitForResponse(isStream)
    await shop.signIn(await key)
    await isFollowing
    return shop
  }

  test('shows without a reload what somebody else sells: its card, its sheet and the counts [D308]', async () => {
    const category = freshCategory()
    const search = `?category=${category}`
    const [id] = await addNamed(category, 'Rex')
    await using list = await openFollowing({ search })
    await using sheet = await openFollowing({ search: `${search}&pet=${id}` })
    await using seller = await open({ search: `${search}&pet=${id}` })
    const loads: string[] = []
    for (const { page } of [list, sheet]) page.on('load', () => loads.push(page.url()))
    await list.expectStatus('Rex', 'available')
    await sheet.text('Nobody has ordered it yet.').waitFor()

    await seller.sheetButton('Order').click()
    await list.expectStatus('Rex', 'pending')
    await sheet.text(/^Order \d+, placed$/).waitFor()
    await sheet.text('Somebody else has changed this animal.').waitFor()
    await seller.button('Complete the order').click()
    await list.expectStatus('Rex', 'sold')
    await sheet.text(/^Order \d+, completed$/).waitFor()
    const { available, pending, sold } = await call('GET', '/store/inventory')
    await list.expectCounts(available, pending, sold)
    assert.deepEqual(loads, [])
    assert.equal(await seller.text('Somebody else').count(), 0)
  })

  test('keeps what is typed while somebody else changes the animal, and shows both versions on saving [D308]', async () => {
    const { id } = await addPet({ name: 'Ada', categoryId: freshCategory() })
    await using shop = await openFollowing({ search: `?pet=${id}` })
    await shop.button('Edit').click()
    await shop.page.getByLabel('Name').fill('Ada Lovelace')
    await patch(id, { name: 'Augusta' })
    await shop.text('Somebody else has changed this animal.').waitFor()
    assert.equal(await shop.page.getByLabel('Name').inputValue(), 'Ada Lovelace')
    await shop.sheet.getByRole('heading', { name: 'Ada', exact: true }).waitFor()
    await shop.expectAccessible('an animal that somebody else has changed')
    await shop.button('Save').click()
    await shop.text('It changed meanwhile').waitFor()
    await shop.button('Keep theirs').click()
    await shop.sheet.getByRole('heading', { name: 'Augusta', exact: true }).waitFor()
  })

  test('takes its own change for its own, and leaves it the way back', async () => {
    const { id } = await addPet({ name: 'Rex', categoryId: freshCategory() })
    await using shop = await openFollowing({ search: `?pet=${id}` })
    const { held, letGo } = await shop.holdAnswer('**/store/orders')
    await shop.sheetButton('Order').click()
    await held
    // The event comes before the answer.
    await shop.text(/^Order \d+, placed$/).waitFor()
    await shop.twoFrames()
    assert.equal(await shop.text('Somebody else').count(), 0)
    await letGo()
    await shop.text('Rex is reserved.').waitFor()
    await patch(id, { name: 'Max' })
    await shop.sheet.getByRole('heading', { name: 'Max', exact: true }).waitFor()
    await shop.twoFrames()
    await shop.button('Undo').click()
    await shop.text('The order is cancelled').waitFor()
  })

  test('moves nothing: one that is removed keeps its place, one that is added comes last, or where the newest are first, on request [D308]', async () => {
    const category = freshCategory()
    const [, ben] = await addNamed(category, 'Ada', 'Ben', 'Cleo')
    await using shop = await openFollowing({ search: `?category=${category}&sort=oldest` })
    await using newest = await openFollowing({ search: `?category=${category}` })
    await shop.expectStatus('Cleo', 'available')
    await newest.expectStatus('Ada', 'available')
    await call('DELETE', `/pets/${ben}`)
    for (const each of [shop, newest]) await each.expectStatus('Ben', 'removed')
    await addNamed(category, 'Dora')
    await addNamed(category + 1, 'Elsewhere')
    await shop.expectStatus('Dora', 'available')
    assert.deepEqual(await shop.names(), ['Ada', 'Ben', 'Cleo', 'Dora'])
    assert.equal(await shop.item('Ben').getByRole('button').count(), 0, 'it cannot be ordered')
    await shop.expectAccessible('an animal that was removed')

    await newest.button('Show 1 new').waitFor()
    assert.deepEqual(await newest.names(), ['Cleo', 'Ben', 'Ada'])
    await newest.expectAccessible('with new animals')
    await newest.button('Show 1 new').click()
    await newest.item('Dora').waitFor()
    assert.deepEqual(await newest.names(), ['Dora', 'Cleo', 'Ben', 'Ada'])
    await newest.page.getByLabel('Order of the list').selectOption('Oldest first')
    await newest.page.waitForURL(/sort=oldest/)
    for (const each of [shop, newest]) {
      await each.lookAgain()
      await each.item('Ben').waitFor({ state: 'detached' })
      assert.deepEqual(await each.names(), ['Ada', 'Cleo', 'Dora'])
    }
  })

  test('shows orders as others change them, each in its place [D297]', async () => {
    const [one, two] = await addPets(2, { name: 'Theirs' })
    const [first, second] = [await order(one), await order(two)]
    await using shop = await openFollowing({ search: '?show=orders' })
    const row = shop.page.locator(`.item[data-id="${second.id}"]`)
    await row.getByText('placed', { exact: true }).waitFor()
    await moveOrder(second.id, 'complete')
    await row.getByText('completed', { exact: true }).waitFor()
    const shown = await shop.ids()
    assert.ok(shown.indexOf(second.id) < shown.indexOf(first.id))
  })

  test('follows only while it is looked at and has a connection, and reads what happened when it is looked at again [D308]', async () => {
    const category = freshCategory()
    const [id] = await addNamed(category, 'Rex')
    await using shop = await openFollowing({ search: `?category=${category}` })
    await shop.expectStatus('Rex', 'available')
    const look = (state: string) =>
      shop.page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      )
    const ended = shop.page.waitForEvent('requestfailed', isStream)
    await look('hidden')
    await ended
    await patch(id, { name: 'Max' })
    await look('visible')
    await shop.expectStatus('Max', 'available')

    await shop.goOffline()
    await patch(id, { name: 'Tom' })
    const again = shop.page.waitForResponse(isStream)
    await shop.goOnline()
    await shop.expectStatus('Tom', 'available')
    await again
    await patch(id, { name: 'Kim' })
    await shop.expectStatus('Kim', 'available')
  })

  test('says when the list is from to a key that may not read events, asks for none, and reads it anew on request [D308]', async () => {
    const category = freshCategory()
    const [id] = await addNamed(category, 'Rex')
    await using shop = await open({ key: null, search: `?category=${category}` })
    const asked: string[] = []
    shop.page.on('request', (request) => request.url().includes('/events') && asked.push(request.url()))
    await shop.signIn(store.service.key)
    await shop.text(/^As of \d+:\d\d/).waitFor()
    const readAt = () => shop.page.locator('.freshness time').getAttribute('datetime')
    const before = (await readAt()) ?? ''
    await shop.expectAccessible('when the list is from')
    await patch(id, { name: 'Max' })
    await shop.button('Refresh').click()
    await shop.expectStatus('Max', 'available')
    assert.ok(((await readAt()) ?? '') > before)
    assert.deepEqual(asked, [])

    // One that may is told nothing of the kind, and its page ends with it.
    const other = await makeKey(...defaultScopes, 'events:read')
    await shop.button('Sign out').click()
    const answer = shop.page.waitForResponse(isStream)
    await shop.signIn(other)
    await answer
    await shop.expectStatus('Max', 'available')
    assert.equal(await shop.text('As of').count(), 0)
    await store.service.revokeKey(other)
    await shop.text('This key is no longer valid.').waitFor()
  })
})
