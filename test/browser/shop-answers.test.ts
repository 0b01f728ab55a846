/** The page for staff in a real browser when answers are late, lost, refused or not the service's, and when others are faster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshCategory } from '../support/expect.ts'
import { describeShop, triesMax } from '../support/shop-page.ts'

describeShop('Answers to the shop in Chromium', (store) => {
  const { open, call, addPet, addPets, petsIn, patch, statusOf, nameCategory, order, moveOrder, ordersOf } = store

  test('places, adds and saves once when the answer got lost, also after a reload, and orders again when that was cancelled meanwhile [D282]', async () => {
    const categoryId = freshCategory()
    const { id } = await addPet({ name: 'Replayed', categoryId })
    await using shop = await open({ search: `?category=${categoryId}&pet=${id}` })
    await shop.loseAnswer('**/store/orders', triesMax)
    await shop.sheetButton('Order').click()
    await shop.button('Try again').click()
    await shop.button('Cancel the order').click()
    await shop.text('available again').waitFor()
    await shop.sheetButton('Order').click()
    await shop.text('Replayed is reserved.').waitFor()
    assert.equal(await statusOf(id), 'pending')

    await shop.button('Edit').click()
    await shop.page.getByLabel('Name').fill('Mine alone')
    await shop.loseAnswer('**/v1/pets/*')
    await shop.button('Save').click()
    await shop.text('What you typed was perhaps saved').waitFor()
    await shop.button('Save').click()
    await shop.text('Mine alone was saved.').waitFor()
    await shop.closeSheet()

    await shop.loseAnswer('**/v1/pets', triesMax)
    await shop.openAdd()
    await shop.page.getByLabel('Name').fill('Once')
    await shop.page.keyboard.press('Enter')
    await shop.text('The animal was perhaps added').waitFor()
    await shop.page.reload()
    await shop.page.getByLabel('Name').press('Enter')
    await shop.text('Once was added.').waitFor()
    assert.equal((await petsIn(categoryId)).length, 2)
  })

  test('undoes after the connection was lost, and sees on the form for a key that it is back', async () => {
    await using shop = await open({ search: `?category=${freshCategory()}` })
    await shop.openAdd()
    await shop.add('Undone')
    await shop.goOffline()
    await shop.button('Undo').click()
    await shop.text('It was not undone.').waitFor()
    await shop.goOnline()
    await shop.button('Undo').click()
    await shop.text('Undone was removed again.').waitFor()
    await shop.closeSheet()
    await shop.button('Sign out').click()
    await shop.goOffline()
    await shop.goOnline()
  })

  test('shows nothing older than what it knows when an answer is late [D284]', async () => {
    const category = freshCategory()
    const [id = 0] = await addPets(60, { name: 'Late', categoryId: category })
    await using shop = await open({ search: `?category=${category}&sort=oldest` })
    const [first, second] = [shop.page.locator('.item').first(), shop.page.locator('.item').nth(1)]
    const expectCounts = async () => {
      const { available, pending, sold } = await call('GET', '/store/inventory')
      await shop.expectCounts(available, pending, sold)
    }

    const nextPage = await shop.holdAnswer('**/v1/pets?*cursor=*')
    await shop.button('Show more').scrollIntoViewIfNeeded()
    await nextPage.held
    await first.getByRole('button').click()
    await first.getByText('pending').waitFor()
    await nextPage.letGo()
    await shop.text('60 animals').waitFor()
    assert.match(await first.innerText(), /pending/)
    await expectCounts()

    const old = await shop.holdAnswer('**/store/inventory')
    await shop.lookAgain()
    await old.held
    await second.getByRole('button').click()
    await expectCounts()
    const known = await shop.page.locator('.count').allInnerTexts()
    await old.letGo()
    assert.deepEqual(await shop.page.locator('.count').allInnerTexts(), known)

    await first.getByRole('link').click()
    await shop.button('Cancel the order').waitFor()
    const animal = await shop.holdAnswer(`**/v1/pets?id=${id}`)
    await shop.lookAgain()
    await animal.held
    await shop.button('Cancel the order').click()
    await shop.text('available again').waitFor()
    await animal.letGo()
    assert.match(await shop.sheet.innerText(), /Status\s+available/)
  })

  test('is not signed out by a late answer to a former key [D284]', async () => {
    await addPet()
    await using shop = await open({ key: await store.makeEndingKey() })
    await shop.loaded()
    await store.expire()
    const old = await shop.holdAnswer('**/store/inventory')
    await shop.lookAgain()
    await old.held
    await shop.text('This key is no longer valid.').waitFor()
    await store.service.setClock(null)
    await shop.signIn(store.service.key)
    await old.letGo()
    assert.ok(await shop.button('Sign out').isVisible())
  })

  test('says in plain words that somebody else was faster, and shows what is [D285]', async () => {
    const category = freshCategory()
    const [ordered, removed, changed] = await addPets(3, { name: 'Contested', categoryId: category })
    await using shop = await open({ search: `?category=${category}&sort=oldest` })
    const buttons = shop.page.locator('.order')
    await buttons.nth(2).waitFor()
    const { id: orderId } = await order(ordered)
    await buttons.first().click()
    await shop.text('Somebody else was faster').waitFor()
    await shop.page.locator('.item').first().getByText('pending').waitFor()

    await call('DELETE', `/pets/${removed}`)
    await buttons.first().click()
    await shop.text('This animal is not in the store;').waitFor()
    await shop.text(/^2 animals$/).waitFor()

    await shop.page.locator('.item').first().getByRole('link').click()
    await shop.button('Cancel the order').waitFor()
    await moveOrder(orderId, 'complete')
    await shop.button('Cancel the order').click()
    await shop.text('An order on this animal does not allow that.').waitFor()
    await shop.sheet.getByText('sold', { exact: true }).waitFor()

    await shop.page.goto(`${shop.url}/shop?pet=${removed}`)
    await shop.sheet.getByRole('heading', { name: 'No such animal' }).waitFor()
    assert.equal(await shop.button('Try again').count(), 0)
    await shop.page.goto(`${shop.url}/shop?pet=${changed}`)
    await shop.button('Edit').click()
    await shop.page.getByLabel('Name').fill('Mine')
    await shop.button('Save').click()
    await shop.text('Mine was saved.').waitFor()
    await patch(changed, { name: 'Theirs' })
    await shop.button('Undo').click()
    await shop.text('It changed meanwhile, and stays as it is now.').waitFor()
    await shop.sheet.getByRole('heading', { name: 'Theirs' }).waitFor()
  })

  test('shows animals just added as others have changed them when it is looked at again', async () => {
    const category = freshCategory()
    await using shop = await open({ search: `?category=${category}` })
    await shop.openAdd()
    for (const name of ['Kept', 'Gone', 'Old']) await shop.add(name)
    await shop.closeSheet()
    const [kept, gone, old] = await petsIn(category)
    await order(kept?.id)
    await call('DELETE', `/pets/${gone?.id}`)
    await patch(old?.id, { name: 'New' })
    await shop.lookAgain()
    await shop.expectStatus('Kept', 'pending')
    await shop.item('New').waitFor()
    assert.deepEqual(await shop.names(), ['New', 'Kept'])
  })

  test('finds the open order behind a hundred cancelled ones', async () => {
    const { id } = await addPet({ name: 'Undecided' })
    for (let i = 0; i < 100; i++) await moveOrder((await order(id)).id, 'cancel')
    await order(id)
    await using shop = await open({ search: `?pet=${id}` })
    await shop.button('Complete the order').click()
    await shop.text('Undecided is sold.').waitFor()
  })

  test('says when a key has made too many requests, and asks no more by itself [D287]', async () => {
    const { id } = await addPet({ name: 'Limited', categoryId: freshCategory() })
    // Signing in and the first view take seven.
    const key = await store.service.makeKey({ rate: { requests: 7, seconds: 3600 } })
    await using shop = await open({ key, search: `?pet=${id}` })
    await shop.loaded()
    const sent: string[] = []
    shop.page.on('request', (request) => sent.push(request.url()))
    await shop.sheetButton('Order').click()
    await shop.text(/too many requests\. Try again in \d+ s\./).waitFor()
    await shop.twoFrames()
    assert.equal(sent.length, 1)
    await shop.page.reload()
    await shop.text(/too many requests/).waitFor()
    await shop.button('Use another key').click()
    await shop.signIn(store.service.key)
  })

  test('comes back whole by itself after its key has made too many requests [D287]', async () => {
    const categoryId = freshCategory()
    await nameCategory(categoryId, 'Limited ones')
    const { id } = await addPet({ name: 'Back again', categoryId })
    await using shop = await open({ key: null, search: `?category=${categoryId}` })
    const json = { code: 'rate_limited', message: 'Too many requests.', status: 429 }
    const headers = { 'Retry-After': '20', 'RateLimit-Policy': '"default";q=6;w=60' }
    const isLimited = { me: false, all: true }
    await shop.page.route('**/v1/**', async (route) => {
      const isMe = route.request().url().endsWith('/me')
      if (isMe ? isLimited.me : isLimited.all) await route.fulfill({ status: 429, headers, json })
      else await route.continue()
    })
    await shop.signIn(store.service.key)
    await shop.text('The animals could not be loaded').waitFor()
    await shop.text(/too many requests\. Try again in 20 s\./).waitFor()
    isLimited.all = false
    await shop.pass(79)
    await shop.twoFrames()
    assert.equal(await shop.item('Back again').count(), 0, 'the pause is over when all of the page is allowed')
    await shop.pass(1)
    await shop.item('Back again').getByText('Limited ones').waitFor()
    await shop.loaded()
    await shop.page.locator('.chart g').first().waitFor({ state: 'attached' })
    await shop.page.locator('.toolbar option', { hasText: 'Limited ones' }).waitFor({ state: 'attached' })
    await shop.text('too many requests').waitFor({ state: 'detached' })

    isLimited.me = true
    await shop.page.goto(`${shop.url}/shop?pet=${id}`)
    await shop.text('too many requests').waitFor()
    isLimited.me = false
    await shop.pass(80)
    await shop.sheet.getByRole('heading', { name: 'Back again' }).waitFor()
  })

  test('says so when a proxy answers in place of the service, and goes on afterwards', async () => {
    const { id } = await addPet({ name: 'Behind a proxy' })
    await using shop = await open({ search: `?pet=${id}` })
    for (const answer of [{ status: 502 }, { status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }]) {
      await shop.page.route('**/store/orders', (route) => route.fulfill(answer), { times: 1 })
      await shop.sheetButton('Order').click()
      await shop.text('The service cannot do that just now.').waitFor()
      await shop.button('Dismiss').click()
    }
    await shop.sheetButton('Order').click()
    await shop.text('is reserved.').waitFor()
    assert.equal((await ordersOf(id)).length, 1)
    await shop.page.route('**/v1/me', (route) => route.fulfill({ status: 503 }), { times: triesMax })
    await shop.page.reload()
    await shop.button('Try again').click()
    await shop.button('Sign out').waitFor()
  })
})
