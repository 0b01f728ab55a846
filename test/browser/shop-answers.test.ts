/**
 * The page for staff in a real browser when answers are late, lost, refused or not from the service, and when other
 * people are faster.
 */
import assert from 'node:assert/strict'
import { freshCategory } from '../../harness/expect.ts'
import { becomes } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, triesMax } from '../../harness/shop-page.ts'

describeShop('Answers to the shop in Chromium', (store) => {
  const { open, openList, openPet, call, addPet, petsIn, patch, statusOf, nameCategory, order, moveOrder, ordersOf } =
    store

  test('The page for staff places, adds and saves only once if the answer was lost, even after a reload [decision 29]', async () => {
    await using shop = await openPet({ name: 'Replayed', categoryId: freshCategory() })
    await shop.loseAnswer('**/store/orders', triesMax)
    await shop.reserve(shop.sheetButton('Reserve'), '', 'The order was perhaps placed')
    await shop.page.reload()
    await shop.click(shop.sendOrder, 'Replayed is reserved.')
    assert.equal((await ordersOf(shop.id)).length, 1)
    await shop.confirm('Cancel the order')
    await shop.reserve(shop.sheetButton('Reserve'), '', 'Replayed is reserved.')
    assert.equal(await statusOf(shop.id), 'pending')

    await shop.edit('Mine alone')
    await shop.loseAnswer('**/v1/pets/*')
    await shop.click('Save', 'What you typed was perhaps saved')
    await shop.click('Save', 'Mine alone was saved.')
    await shop.closeSheet()

    await shop.loseAnswer('**/v1/pets', triesMax)
    await shop.openAdd()
    await shop.name.fill('Once')
    await shop.enter(shop.name, 'The animal was perhaps added')
    await shop.page.reload()
    await shop.enter(shop.name, 'Once was added.')
    assert.equal((await petsIn(shop.categoryId)).length, 2)
  })

  test('If an order whose answer was lost was cancelled since, the same form places another order', async () => {
    await using shop = await openPet({ name: 'Cancelled since', categoryId: freshCategory() })
    await shop.loseAnswer('**/store/orders', triesMax)
    await shop.reserve(shop.sheetButton('Reserve'), 'Mrs Lost', 'The order was perhaps placed')
    await shop.click('Not now')
    const [{ id }] = await ordersOf(shop.id)
    await moveOrder(id, 'cancel')
    await shop.reserve(shop.sheetButton('Reserve'), '', 'Cancelled since is reserved for Mrs Lost.')
    assert.equal(await statusOf(shop.id), 'pending')
    await shop.click('Undo', 'The order is cancelled')
    assert.equal(await statusOf(shop.id), 'available')
  })

  test('After an answer was lost, the page for staff says that the connection is back, and shows the current data [decision 29]', async () => {
    await using shop = await openPet({ name: 'Lost', categoryId: freshCategory() })
    await shop.loseAnswer('**/store/orders', triesMax)
    await shop.reserve(shop.sheetButton('Reserve'), '', 'The order was perhaps placed: no answer came. When')
    await shop.pass(5)
    await shop.says(
      'The order was perhaps placed: no answer came. The connection is back, and the page shows how it is.',
    )
    await shop.says(/^Order \d+, open$/)
    assert.equal(await shop.text('When the connection is back').count(), 0)
  })

  test('The page for staff ignores an answer that is older than what it already shows [decision 29]', async () => {
    await using shop = await openList(Array(120).fill('Late'), { search: '&sort=oldest' })
    const [first, second] = [shop.page.locator('.item').first(), shop.page.locator('.item').nth(1)]

    const nextPage = await shop.holdAnswer('**/v1/pets?*cursor=*')
    await shop.button('Show more').scrollIntoViewIfNeeded()
    await nextPage.held
    await shop.reserve(first.locator('.reserve'))
    await first.getByText('reserved').waitFor()
    await nextPage.letGo()
    await shop.says('120 animals')
    assert.match(await first.innerText(), /reserved/)
    // These are the counts of the category.
    await shop.expectCounts(119, 1, 0)

    const old = await shop.holdAnswer('**/store/inventory?by=category*')
    await shop.lookAgain()
    await old.held
    await shop.reserve(second.locator('.reserve'))
    await second.getByText('reserved').waitFor()
    await old.letGo()
    await shop.expectCounts(118, 2, 0)

    await first.getByRole('link').click()
    await shop.button('Cancel the order').waitFor()
    const animal = await shop.holdAnswer(`**/v1/pets?id=${shop.ids[0]}`)
    await shop.lookAgain()
    await animal.held
    await shop.confirm('Cancel the order')
    await shop.sheet.getByText('available', { exact: true }).waitFor()
    await animal.letGo()
    assert.match(await shop.sheet.innerText(), /Status\s+available/)
  })

  test('A late answer to a former key does not sign out the page for staff [decision 29]', async () => {
    await addPet()
    await using shop = await open({ key: await store.makeEndingKey() })
    await shop.loaded()
    await store.expire()
    const old = await shop.holdAnswer('**/store/inventory')
    await shop.lookAgain()
    await old.held
    await shop.says('This key is no longer valid.')
    await store.service.setClock(null)
    await shop.signIn(store.service.key)
    await old.letGo()
    assert.ok(await shop.button('Sign out').isVisible())
  })

  test('If somebody else was faster, the page for staff says so in plain words and shows the current data [decision 29]', async () => {
    await using shop = await openList(Array(3).fill('Contested'), { search: '&sort=oldest' })
    const [ordered, removed, changed] = shop.ids
    const [item, button] = [shop.page.locator('.item').first(), shop.page.locator('.reserve').first()]
    const { id: orderId } = await order(ordered)
    await shop.reserve(button, '', 'Somebody else was faster')
    await shop.escape()
    await item.getByText('reserved').waitFor()
    // After a refusal the page reads everything again, which would remove the row.
    await shop.probe('soon', 1_200)
    await shop.probe('answered')

    await call('DELETE', `/pets/${removed}`)
    await shop.click(button, 'This animal is not in the store;')
    await shop.escape()
    await shop.lookAgain()
    await shop.says(/^2 animals$/)

    await item.getByRole('link').click()
    await shop.button('Cancel the order').waitFor()
    await moveOrder(orderId, 'complete')
    await shop.confirm('Cancel the order')
    await shop.says('An order on this animal does not allow that.')
    await shop.sheet.getByText('sold', { exact: true }).waitFor()

    await shop.page.goto(`${shop.url}/shop?pet=${removed}`)
    await shop.sheetOpened('No such animal')
    assert.equal(await shop.button('Try again').count(), 0)
    await shop.page.goto(`${shop.url}/shop?pet=${changed}`)
    await shop.edit('Mine')
    await shop.click('Save', 'Mine was saved.')
    await patch(changed, { name: 'Theirs' })
    await shop.click('Undo', 'It changed meanwhile, and stays as it is now.')
    await shop.sheetOpened('Theirs')
  })

  test('When its tab is shown again, the page for staff shows new animals as others have changed them', async () => {
    await using shop = await openList([])
    await shop.openAdd()
    for (const name of ['Kept', 'Gone', 'Old']) await shop.add(name)
    await shop.closeSheet()
    const [kept, gone, old] = await petsIn(shop.category)
    await order(kept?.id)
    await call('DELETE', `/pets/${gone?.id}`)
    await patch(old?.id, { name: 'New' })
    await shop.lookAgain()
    await shop.expectStatus('Kept', 'reserved')
    await shop.item('New').waitFor()
    await becomes(() => shop.names(), ['New', 'Kept'])
  })

  test('The page for staff finds the open order behind a hundred cancelled ones', async () => {
    const { id } = await addPet({ name: 'Undecided' })
    for (let i = 0; i < 100; i++) await moveOrder((await order(id)).id, 'cancel')
    await order(id)
    await using shop = await open({ search: `?pet=${id}` })
    await shop.click('Hand over', 'Undecided is sold.')
  })

  test('The page for staff recovers by itself after the key has made too many requests [decision 29]', async () => {
    await using shop = await openList(['Back again'], { key: null })
    await nameCategory(shop.category, 'Limited ones')
    const json = { code: 'rate_limited', message: 'Too many requests.', status: 429 }
    const headers = { 'Retry-After': '20', 'RateLimit-Policy': '"default";q=6;w=60' }
    const isLimited = { me: false, all: true }
    await shop.page.route('**/v1/**', async (route) => {
      const isMe = route.request().url().endsWith('/me')
      if (isMe ? isLimited.me : isLimited.all) await route.fulfill({ status: 429, headers, json })
      else await route.continue()
    })
    await shop.signIn(store.service.key)
    await shop.says('The animals could not be loaded')
    await shop.says(/too many requests\. Try again in 20 s\./)
    isLimited.all = false
    await shop.pass(79)
    await shop.twoFrames()
    assert.equal(await shop.item('Back again').count(), 0, 'the pause is over when all of the page is allowed')
    await shop.pass(1)
    await shop.item('Back again').getByText('Limited ones').waitFor()
    await shop.loaded()
    await shop.categoryFilter.click()
    await shop.page.getByRole('option', { name: 'Limited ones' }).waitFor()
    await shop.text('too many requests').waitFor({ state: 'detached' })

    isLimited.me = true
    await shop.page.goto(`${shop.url}/shop?pet=${shop.ids[0]}`)
    await shop.says('too many requests')
    isLimited.me = false
    await shop.pass(80)
    await shop.sheetOpened('Back again')
  })

  test('An order that was not handed over because the key has made too many requests is said until somebody dismisses it', async () => {
    await using shop = await openPet({ name: 'Refused' })
    await order(shop.id)
    await shop.lookAgain()
    const json = { code: 'rate_limited', message: 'Too many requests.', status: 429 }
    const headers = { 'Retry-After': '20', 'RateLimit-Policy': '"default";q=6;w=60' }
    await shop.intercept('**/complete', (route) => route.fulfill({ status: 429, headers, json }))
    const said = 'The order was not changed. This key has made too many requests. Try again in 20 s.'
    await shop.click('Hand over', said)
    await shop.pass(120)
    await shop.probe('soon', 1_200)
    await shop.probe('answered')
    assert.equal(await shop.text(said).innerText(), said)
    await shop.click('Hand over', 'Refused is sold.')
    await shop.text(said).waitFor({ state: 'detached' })
  })

  test('The page for staff says that a proxy answered instead of the service, and continues afterwards', async () => {
    await using shop = await openPet({ name: 'Behind a proxy' })
    await shop.click(shop.sheetButton('Reserve'))
    // The client repeats requests that a gateway answers.
    for (const [times, answer] of [
      [triesMax, { status: 502 }],
      [1, { status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }],
    ] as const) {
      await shop.intercept('**/store/orders', (route) => route.fulfill(answer), times)
      await shop.click(shop.sendOrder, 'The service cannot do that just now.')
      await shop.click('Dismiss')
    }
    await shop.click(shop.sendOrder, 'is reserved.')
    assert.equal((await ordersOf(shop.id)).length, 1)
    await shop.intercept('**/v1/me', (route) => route.fulfill({ status: 503 }), triesMax)
    await shop.page.reload()
    await shop.click('Try again')
    await shop.button('Sign out').waitFor()
  })

  test('The page for staff continues the list after a page of it could not be loaded', async () => {
    await using shop = await openList(Array(120).fill('Many'))
    await shop.says('100 of 120 animals')
    await shop.intercept('**/v1/pets?*cursor=*', (route) => route.fulfill({ status: 502 }), triesMax)
    await shop.page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await shop.click('Try again', /^120 animals$/)
  })
})
