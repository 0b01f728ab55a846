/**
 * The page for staff in a real browser when its key may follow events. Changes by others appear by themselves, and
 * interrupt nobody.
 */
import assert from 'node:assert/strict'
import { freshCategory } from '../../harness/expect.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, type ShopPage } from '../../harness/shop-page.ts'
import { defaultScopes } from '../../src/model/key.ts'

describeShop('The shop in Chromium, with events', (store) => {
  const { open, openList, openPet, call, addPet, addPets, addNamed, patch, order, moveOrder, makeKey } = store
  const key = null
  const isStream = (each: { url(): string }) => each.url().includes('/events/stream')
  /**
   * Signs in with a key that may follow events. Resolves once the page follows them and has read again what it shows.
   */
  async function following<P extends ShopPage>(opened: Promise<P>): Promise<P> {
    const shop = await opened
    const isFollowing = shop.page.waitForResponse(isStream)
    await shop.signIn(await makeKey(...defaultScopes, 'events:read'))
    await isFollowing
    // The page reads everything again within a second. From then on, it reads only what changes.
    await shop.probe('soon', 1_200)
    await shop.probe('answered')
    return shop
  }

  test('When somebody else sells an animal, its row, its sheet and the counts change without a reload [decision 29]', async () => {
    await using list = await following(openList(['Rex'], { key }))
    const search = `?category=${list.category}&pet=${list.ids[0]}`
    await using sheet = await following(open({ search, key }))
    await using seller = await open({ search })
    const loads: string[] = []
    for (const { page } of [list, sheet]) page.on('load', () => loads.push(page.url()))
    await list.expectStatus('Rex', 'available')
    await sheet.says('Nobody has ordered it yet.')

    await seller.reserve(seller.sheetButton('Reserve'))
    await list.expectStatus('Rex', 'reserved')
    await sheet.says(/^Order \d+, open$/)
    await sheet.says('Somebody else has changed this animal.')
    await seller.click('Hand over')
    await list.expectStatus('Rex', 'sold')
    await sheet.says(/^Order \d+, completed$/)
    await list.expectCounts(0, 0, 1)
    assert.deepEqual(loads, [])
    assert.equal(await seller.text('Somebody else').count(), 0)
  })

  test('When a reservation ends by itself, the page for staff does not say that somebody else has changed the animal', async () => {
    const { id } = await addPet({ name: 'Ended' })
    const heldUntil = new Date(Date.now() + 60_000).toISOString()
    await call('POST', '/store/orders', { petId: id, heldUntil })
    await using shop = await following(open({ search: `?pet=${id}`, key }))
    await shop.button('Hand over').waitFor()
    await store.service.setClock(Date.now() + 120_000)
    await shop.says('Its reservation has ended, so it is available again.')
    await store.service.setClock(null)
    assert.equal(await shop.text('Somebody else').count(), 0)
  })

  test('The page for staff keeps unsaved text when somebody else changes the animal, and shows both versions on saving [decision 29]', async () => {
    await using shop = await following(openPet({ name: 'Ada', categoryId: freshCategory() }, { key }))
    await shop.edit('Ada Lovelace')
    await patch(shop.id, { name: 'Augusta' })
    await shop.says('Somebody else has changed this animal.')
    assert.equal(await shop.name.inputValue(), 'Ada Lovelace')
    await shop.sheetOpened('Ada')
    await shop.expectAccessible('an animal that somebody else has changed')
    await shop.click('Save', 'It changed meanwhile')
    await shop.click('Keep it as it is')
    await shop.sheetOpened('Augusta')
  })

  test('The page for staff recognizes the event of its own change, and continues to offer Undo', async () => {
    await using shop = await following(openPet({ name: 'Rex', categoryId: freshCategory() }, { key }))
    const { held, letGo } = await shop.holdAnswer('**/store/orders')
    await shop.reserve(shop.sheetButton('Reserve'))
    await held
    // The event arrives before the answer.
    await shop.says(/^Order \d+, open$/)
    await shop.twoFrames()
    assert.equal(await shop.text('Somebody else').count(), 0)
    await letGo()
    await shop.says('Rex is reserved.')
    await patch(shop.id, { name: 'Max' })
    await shop.sheetOpened('Max')
    await shop.twoFrames()
    await shop.click('Undo', 'The order is cancelled')
  })

  test('The list does not move on a phone when the changes of others add a button above it', async () => {
    await addPets(101, { name: 'Crowded' })
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const place = async (heldUntil: string) => call('POST', '/store/orders', { petId: (await addPet()).id, heldUntil })
    await place(inHours(30))
    await place(inHours(40))
    const topOf = ({ page }: ShopPage) => page.evaluate("document.querySelector('.item').getBoundingClientRect().top")
    for (const width of [360, 390, 430]) {
      const viewport = { width, height: 844 }
      await using found = await following(open({ search: '?search=crowded', key, viewport }))
      await using all = await following(open({ key, viewport }))
      await using orders = await following(open({ search: '?show=orders', key, viewport }))
      await found.says('100 animals, more to come')
      await orders.says(/orders, what ends first on top$/)
      const tops = () => Promise.all([found, all, orders].map(topOf))
      const before = await tops()
      await addPet({ name: `Crowded on ${width}` })
      await place(inHours(20 - width / 100))
      for (const each of [found, all]) await each.button(/^Show \d+ new$/).waitFor()
      await orders.button('Sort again').waitFor()
      assert.deepEqual(await tops(), before, `${width} pixels wide`)
    }
  })

  test('Changes by others move no row: a removed row stays in place, a new row is added at the end or on request [decision 29]', async () => {
    await using shop = await following(openList(['Ada', 'Ben', 'Cleo'], { search: '&sort=oldest', key }))
    const { category, ids } = shop
    await using newest = await following(open({ search: `?category=${category}`, key }))
    await shop.expectStatus('Cleo', 'available')
    await newest.expectStatus('Ada', 'available')
    await call('DELETE', `/pets/${ids[1]}`)
    for (const each of [shop, newest]) await each.expectStatus('Ben', 'removed')
    await addNamed(category, 'Dora')
    await addNamed(freshCategory(), 'Elsewhere')
    await shop.expectStatus('Dora', 'available')
    await becomes(() => shop.names(), ['Ada', 'Ben', 'Cleo', 'Dora'])
    assert.equal(await shop.item('Ben').getByRole('button').count(), 0, 'it cannot be ordered')
    await shop.expectAccessible('an animal that was removed')

    await newest.button('Show 1 new').waitFor()
    assert.deepEqual(await newest.names(), ['Cleo', 'Ben', 'Ada'])
    await newest.expectAccessible('with new animals')
    await newest.click('Show 1 new')
    await newest.item('Dora').waitFor()
    await becomes(() => newest.names(), ['Dora', 'Cleo', 'Ben', 'Ada'])
    await newest.menu('Oldest first')
    await newest.page.waitForURL(/sort=oldest/)
    for (const each of [shop, newest]) {
      await each.lookAgain()
      await each.item('Ben').waitFor({ state: 'detached' })
      await becomes(() => each.names(), ['Ada', 'Cleo', 'Dora'])
    }
  })

  test('The row of an animal stays in place while others add and change many animals [decision 29]', async () => {
    await using shop = await following(openList(['Ada', 'Ben', 'Cleo'], { key, search: '&status=available' }))
    const { category, ids } = shop
    await shop.expectStatus('Ada', 'available')
    // Everything that happens while a refresh waits for its answer is read by the next refresh.
    const answer = await shop.holdAnswer('**/v1/pets?*')
    await order(ids[1])
    await answer.held
    await addPets(120, { name: 'Crowd', categoryId: category })
    await shop.probe('soon', 1_000)
    await answer.letGo()
    await shop.button('Show more than 100 new').waitFor()
    await shop.expectStatus('Ben', 'reserved')
    await becomes(() => shop.names(), ['Cleo', 'Ben', 'Ada'])
    await shop.click('Show more than 100 new')
    await shop.item('Crowd').first().waitFor()
    const scrolled = async () => {
      await shop.reach(100)
      return shop.names()
    }
    await eventually(scrolled, (names) => names.at(-1) === 'Ada')
    assert.equal((await shop.names()).filter((name) => name === 'Crowd').length, 120)
  })

  test('The page for staff shows the categories that others name and fill, and keeps unsaved text there', async () => {
    await using shop = await following(openList(['Rex'], { key }))
    const { category } = shop
    const empty = freshCategory()
    await shop.menu('Categories')
    const nameOf = (label: string) => shop.page.getByRole('textbox', { name: `Name of ${label}`, exact: true })
    await store.nameCategory(category, `Dogs ${category}`)
    await becomes(() => nameOf(`Dogs ${category}`).inputValue(), `Dogs ${category}`)
    await store.nameCategory(empty, `Empty ${empty}`)
    const row = shop.sheet.locator('li', { has: nameOf(`Empty ${empty}`) })
    await row.getByText('0 animals').waitFor()
    await nameOf(`Dogs ${category}`).fill('Typed')
    await addNamed(empty, 'New')
    await row.getByText('1 animal').waitFor()
    assert.equal(await row.getByRole('button', { name: 'Remove' }).count(), 0)
    await store.nameCategory(category, `Hounds ${category}`)
    await becomes(() => nameOf(`Hounds ${category}`).inputValue(), 'Typed')
    await call('DELETE', `/categories/${empty}`)
    await shop.sheet.getByRole('textbox', { name: `Name of Category ${empty}`, exact: true }).waitFor()
  })

  test('The sheet of categories counts animals that others add, even if the list behind it is filtered', async () => {
    const category = freshCategory()
    await store.nameCategory(category, `Filled ${category}`)
    await using shop = await following(open({ key }))
    await shop.menu('Categories')
    const name = shop.page.getByRole('textbox', { name: `Name of Filled ${category}`, exact: true })
    const row = shop.sheet.locator('li', { has: name })
    await row.getByText('0 animals').waitFor()
    await addNamed(category, 'New')
    await row.getByText('1 animal').waitFor()
  })

  test('The page for staff shows the changes that others make to orders, without moving rows [decision 29]', async () => {
    const [one, two] = await addPets(2, { name: 'Theirs' })
    const [first, second] = [await order(one), await order(two)]
    await using shop = await following(open({ search: '?show=orders', key }))
    const row = shop.page.locator(`.item[data-id="${second.id}"]`)
    await row.getByText('open', { exact: true }).waitFor()
    await moveOrder(second.id, 'complete')
    await row.getByText('completed', { exact: true }).waitFor()
    const shown = await shop.listed()
    assert.ok(shown.indexOf(second.id) < shown.indexOf(first.id))
  })

  test('The page for staff counts down to the end of a reservation, and names the time zone once', async () => {
    const { id } = await addPet({ name: 'Ending' })
    const heldUntil = new Date(Date.now() + 3.5 * 60_000).toISOString()
    await call('POST', '/store/orders', { petId: id, heldUntil, reference: 'Mrs Novák' })
    await using shop = await following(open({ search: '?show=orders', key }))
    const row = shop.item('Ending')
    await row.getByText('ends in 3 minutes').waitFor()
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    assert.equal(await shop.page.getByText(zone).count(), 1)
    await shop.page.evaluate(`Date.now = ((now) => () => now() + 120_000)(Date.now)`)
    await shop.pass(15)
    await row.getByText('ends in 1 minute').waitFor()
    await patch(id, { name: 'Renamed' })
    await shop.item('Renamed').getByText('Mrs Novák').waitFor()
  })

  test('The page for staff follows events only while its tab is visible, and catches up afterwards [decision 29]', async () => {
    await using shop = await following(openList(['Rex'], { key }))
    const [id] = shop.ids
    await shop.expectStatus('Rex', 'available')
    const look = (state: string) =>
      shop.page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`,
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

  test('If the key may not read events, the page for staff says when the list was read, and reads it again on request [decision 29]', async () => {
    await using shop = await openList(['Rex'], { key })
    const asked: string[] = []
    shop.page.on('request', (request) => request.url().includes('/events') && asked.push(request.url()))
    await shop.signIn(store.service.key)
    await shop.says(/^As of \d+:\d\d/)
    await shop.says('Not live:')
    await shop.page.locator('.freshness code', { hasText: 'events:read' }).waitFor()
    const readAt = () => shop.page.locator('.freshness time').getAttribute('datetime')
    const before = (await readAt()) ?? ''
    await shop.expectAccessible('when the list is from')
    await patch(shop.ids[0], { name: 'Max' })
    await shop.click('Refresh')
    await shop.expectStatus('Max', 'available')
    await eventually(readAt, (at) => (at ?? '') > before)
    assert.deepEqual(asked, [])

    // With a key that may read events, the page shows no such message, and asks for a key when that one is revoked.
    const other = await makeKey(...defaultScopes, 'events:read')
    await shop.click('Sign out')
    await Promise.all([shop.page.waitForResponse(isStream), shop.signIn(other)])
    await shop.expectStatus('Max', 'available')
    await shop.says('Live')
    assert.equal(await shop.text('As of').count(), 0)
    await store.service.revokeKey(other)
    await shop.says('This key is no longer valid.')
  })
})
