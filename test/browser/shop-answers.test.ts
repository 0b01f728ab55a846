/** The page for staff in a real browser when answers are late, lost, refused or not the service's, and when others are faster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, addPets, freshCategory } from '../support/expect.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage, triesMax } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describeInFull('The shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const ordersOf = async (id: number) => (await service.call('GET', `/store/orders?petId=${id}`)).json
    const order = async (petId: number) => (await service.call('POST', '/store/orders', { body: { petId } })).json
    const statusOf = async (id: number) => (await service.call('GET', `/pets?id=${id}`)).json[0].status

    test('places another order when the lost one was cancelled meanwhile [D282]', async () => {
      const { id } = await addPet(service, { name: 'Replayed' })
      await using shop = await open({ search: `?pet=${id}` })
      const press = () => shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
      await shop.loseAnswer('**/store/orders', triesMax)
      await press()
      await shop.button('Try again').click()
      await shop.button('Cancel the order').click()
      await shop.text('available again').waitFor()
      await press()
      await shop.text('Replayed is reserved.').waitFor()
      assert.equal(await statusOf(id), 'pending')
    })

    test('adds an animal once when the answer got lost, also after a reload [D282]', async () => {
      const category = freshCategory()
      await using shop = await open({ search: `?category=${category}` })
      await shop.loseAnswer('**/v1/pets', triesMax)
      await shop.openAdd()
      await shop.page.getByLabel('Name').fill('Once')
      await shop.page.keyboard.press('Enter')
      await shop.text('No connection.').waitFor()
      await shop.page.reload()
      await shop.page.getByLabel('Name').press('Enter')
      await shop.text('Once was added.').waitFor()
      assert.equal((await service.call('GET', `/pets?categoryId=${category}`)).json.length, 1)
    })

    test('knows its own change again when the answer to it got lost [D282]', async () => {
      const { id } = await addPet(service, { name: 'Mine' })
      await using shop = await open({ search: `?pet=${id}` })
      await shop.button('Edit').click()
      await shop.page.getByLabel('Name').fill('Mine alone')
      await shop.loseAnswer('**/v1/pets/*')
      await shop.button('Save').click()
      await shop.text('No connection.').waitFor()
      await shop.button('Save').click()
      await shop.text('Mine alone was saved.').waitFor()
    })

    test('undoes after the connection was lost, and sees on the form for a key that it is back', async () => {
      await using shop = await open({ search: `?category=${freshCategory()}` })
      const context = shop.page.context()
      await shop.openAdd()
      await shop.page.getByLabel('Name').fill('Undone')
      await shop.page.keyboard.press('Enter')
      await shop.text('Undone was added.').waitFor()
      await context.setOffline(true)
      await shop.button('Undo').click()
      await shop.text('It was not undone.').waitFor()
      await context.setOffline(false)
      await shop.text('No connection.').waitFor({ state: 'detached' })
      await shop.button('Undo').click()
      await shop.text('Undone was removed again.').waitFor()
      await shop.button('Close').click()
      await shop.button('Sign out').click()
      await context.setOffline(true)
      await shop.text('No connection.').waitFor()
      await context.setOffline(false)
      await shop.text('No connection.').waitFor({ state: 'detached' })
    })

    test('shows nothing older than what it knows when an answer is late [D284]', async () => {
      const category = freshCategory()
      const [id = 0] = await addPets(service, 60, { name: 'Late', categoryId: category })
      await using shop = await open({ search: `?category=${category}&sort=oldest` })
      const first = shop.page.locator('.item').first()
      const counts = shop.page.locator('.count')

      const nextPage = await shop.holdAnswer('**/v1/pets?*cursor=*')
      await shop.button('Show more').scrollIntoViewIfNeeded()
      await nextPage.held
      await first.getByRole('button').click()
      await first.getByText('pending').waitFor()
      await nextPage.letGo()
      await shop.text('60 animals').waitFor()
      assert.match(await first.innerText(), /pending/)

      const old = await shop.holdAnswer('**/store/inventory')
      await shop.lookAgain()
      await old.held
      const before = await counts.allInnerTexts()
      await shop.page.locator('.item').nth(1).getByRole('button').click()
      await shop.page.locator('.item').nth(1).getByText('pending').waitFor()
      while (String(await counts.allInnerTexts()) === String(before)) await shop.lookAgain()
      const known = await counts.allInnerTexts()
      await old.letGo()
      assert.deepEqual(await counts.allInnerTexts(), known)

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
      await addPet(service)
      const key = await service.makeKey({ expiresAt: Date.now() + 60_000 })
      await using shop = await open({ key })
      await shop.page.locator('.item').first().waitFor()
      await shop.page.locator('.count', { hasText: /[1-9]/ }).first().waitFor()
      await service.setClock(Date.now() + 120_000)
      const old = await shop.holdAnswer('**/store/inventory')
      await shop.lookAgain()
      await old.held
      await shop.text('This key is no longer valid.').waitFor()
      await service.setClock(null)
      await shop.signIn(service.key)
      await old.letGo()
      assert.ok(await shop.button('Sign out').isVisible())
    })

    test('says in plain words that somebody else was faster, and shows what is [D285]', async () => {
      const category = freshCategory()
      const [ordered, removed, changed] = await addPets(service, 3, { name: 'Contested', categoryId: category })
      await using shop = await open({ search: `?category=${category}&sort=oldest` })
      const buttons = shop.page.locator('.order')
      await buttons.nth(2).waitFor()
      const { id: orderId } = await order(ordered as number)
      await buttons.first().click()
      await shop.text('Somebody else was faster').waitFor()
      await shop.page.locator('.item').first().getByText('pending').waitFor()

      await service.call('DELETE', `/pets/${removed}`)
      await buttons.first().click()
      await shop.text('This animal is not in the store;').waitFor()
      await shop.text(/^2 animals$/).waitFor()

      await shop.page.locator('.item').first().getByRole('link').click()
      await shop.button('Cancel the order').waitFor()
      await service.call('POST', `/store/orders/${orderId}/complete`)
      await shop.button('Cancel the order').click()
      await shop.text('An order on this animal does not allow that.').waitFor()
      await shop.sheet.getByText('sold', { exact: true }).waitFor()

      await shop.page.goto(`${service.url}/shop?pet=${removed}`)
      await shop.sheet.getByRole('heading', { name: 'No such animal' }).waitFor()
      assert.equal(await shop.button('Try again').count(), 0)
      await shop.page.goto(`${service.url}/shop?pet=${changed}`)
      await shop.button('Edit').click()
      await shop.page.getByLabel('Name').fill('Mine')
      await shop.button('Save').click()
      await shop.text('Mine was saved.').waitFor()
      await service.call('PATCH', `/pets/${changed}`, { body: { name: 'Theirs' } })
      await shop.button('Undo').click()
      await shop.text('It changed meanwhile, and stays as it is now.').waitFor()
      await shop.sheet.getByRole('heading', { name: 'Theirs' }).waitFor()
    })

    test('shows animals just added as others have changed them', async () => {
      const category = freshCategory()
      await using shop = await open({ search: `?category=${category}` })
      await shop.openAdd()
      for (const name of ['Kept', 'Gone']) {
        await shop.page.getByLabel('Name').fill(name)
        await shop.page.keyboard.press('Enter')
        await shop.text(`${name} was added.`).waitFor()
      }
      await shop.button('Close').click()
      const [kept, gone] = (await service.call('GET', `/pets?categoryId=${category}`)).json
      await order(kept.id)
      await service.call('DELETE', `/pets/${gone.id}`)
      await shop.lookAgain()
      await shop.item('Kept').getByText('pending').waitFor()
      assert.equal(await shop.item('Gone').count(), 0)
    })

    test('finds the open order behind a hundred cancelled ones', async () => {
      const { id } = await addPet(service, { name: 'Undecided' })
      for (let i = 0; i < 100; i++) await service.call('POST', `/store/orders/${(await order(id)).id}/cancel`)
      await order(id)
      await using shop = await open({ search: `?pet=${id}` })
      await shop.button('Complete the order').click()
      await shop.text('Undecided is sold.').waitFor()
    })

    test('says when a key has made too many requests, and asks no more by itself [D287]', async () => {
      const { id } = await addPet(service, { name: 'Limited', categoryId: freshCategory() })
      // Signing in and the first view take seven.
      const key = await service.makeKey({ rate: { requests: 7, seconds: 3600 } })
      await using shop = await open({ key, search: `?pet=${id}` })
      // All seven are answered, those of the counts together.
      await shop.page.locator('.item').first().waitFor({ state: 'attached' })
      await shop.page.locator('.count', { hasText: /\d/ }).first().waitFor({ state: 'attached' })
      const sent: string[] = []
      shop.page.on('request', (request) => sent.push(request.url()))
      await shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
      await shop.text(/too many requests\. Try again in \d+ s\./).waitFor()
      await shop.twoFrames()
      assert.equal(sent.length, 1)
      await shop.page.reload()
      await shop.text(/too many requests/).waitFor()
      await shop.button('Use another key').click()
      await shop.signIn(service.key)
    })

    test('comes back whole by itself after its key has made too many requests [D287]', async () => {
      const categoryId = freshCategory()
      await service.call('PUT', `/categories/${categoryId}`, { body: { name: 'Limited ones' } })
      const { id } = await addPet(service, { name: 'Back again', categoryId })
      await using shop = await open({ key: null, search: `?category=${categoryId}` })
      await shop.page.clock.install()
      const json = { code: 'rate_limited', message: 'Too many requests.', status: 429 }
      const headers = { 'Retry-After': '20', 'RateLimit-Policy': '"default";q=6;w=60' }
      const isLimited = { me: false, all: true }
      await shop.page.route('**/v1/**', async (route) => {
        const isMe = route.request().url().endsWith('/me')
        if (isMe ? isLimited.me : isLimited.all) await route.fulfill({ status: 429, headers, json })
        else await route.continue()
      })
      await shop.signIn(service.key)
      await shop.text('The animals could not be loaded').waitFor()
      await shop.text(/too many requests\. Try again in 20 s\./).waitFor()
      isLimited.all = false
      await shop.page.clock.fastForward(79_000)
      await shop.twoFrames()
      assert.equal(await shop.item('Back again').count(), 0, 'the pause is over when all of the page is allowed')
      await shop.page.clock.fastForward(1_000)
      await shop.item('Back again').getByText('Limited ones').waitFor()
      await shop.page.locator('.count', { hasText: /\d/ }).first().waitFor()
      await shop.page.locator('.chart g').first().waitFor({ state: 'attached' })
      await shop.page.locator('.toolbar option', { hasText: 'Limited ones' }).waitFor({ state: 'attached' })
      await shop.text('too many requests').waitFor({ state: 'detached' })

      isLimited.me = true
      await shop.page.goto(`${service.url}/shop?pet=${id}`)
      await shop.text('too many requests').waitFor()
      isLimited.me = false
      await shop.page.clock.fastForward(80_000)
      await shop.sheet.getByRole('heading', { name: 'Back again' }).waitFor()
    })

    test('says so when a proxy answers in place of the service, and goes on afterwards', async () => {
      const { id } = await addPet(service, { name: 'Behind a proxy' })
      await using shop = await open({ search: `?pet=${id}` })
      const press = () => shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
      for (const answer of [{ status: 502 }, { status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }]) {
        await shop.page.route('**/store/orders', (route) => route.fulfill(answer), { times: 1 })
        await press()
        await shop.text('The service cannot do that just now.').waitFor()
        await shop.button('Dismiss').click()
      }
      await press()
      await shop.text('is reserved.').waitFor()
      assert.equal((await ordersOf(id)).length, 1)
      await shop.page.route('**/v1/me', (route) => route.fulfill({ status: 503 }), { times: triesMax })
      await shop.page.reload()
      await shop.button('Try again').click()
      await shop.button('Sign out').waitFor()
    })
  })
