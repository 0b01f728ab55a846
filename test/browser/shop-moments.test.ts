/** The page for staff in a real browser when something is in the way: no mouse, no connection, a key that ends; and every state as axe-core sees it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, freshCategory } from '../support/expect.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage, triesMax } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')
const phone = { width: 390, height: 844 }
/** A desk of 1280 pixels at 200 %. */
const zoomed = { width: 640, height: 450 }

if (chromium)
  describeInFull('The shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)

    test('can be used with the keyboard alone', async () => {
      const category = freshCategory()
      const search = `?category=${category}&sort=oldest`
      for (const name of ['Ada', 'Ben', 'Cleo']) await addPet(service, { name, categoryId: category })
      await using shop = await open({ search })
      const { keyboard } = shop.page
      const focused = () => shop.page.evaluate<string>('document.activeElement.textContent')
      /** The sheet gives the focus back a moment after it is gone. */
      const isBack = () => shop.page.locator('.name:focus', { hasText: /^Ben$/ }).waitFor()
      await shop.item('Cleo').waitFor()
      await keyboard.press('ArrowDown')
      assert.equal(await focused(), 'Ada')
      await keyboard.press('ArrowRight')
      assert.equal(await focused(), 'Ben')
      await keyboard.press('Enter')
      await shop.sheet.getByRole('heading', { name: 'Ben' }).waitFor()
      await keyboard.press('Escape')
      await shop.sheet.waitFor({ state: 'detached' })
      await isBack()
      await keyboard.press('n')
      await shop.sheet.waitFor()
      await keyboard.type('Dora')
      await keyboard.press('Enter')
      await shop.text('Dora was added.').waitFor()
      await keyboard.press('Escape')
      await shop.sheet.waitFor({ state: 'detached' })
      await isBack()
      await keyboard.press('/')
      await keyboard.type('dor')
      await shop.text('1 animal found').waitFor()
      await keyboard.press('Escape')
      await shop.text(/^4 animals$/).waitFor()
      await keyboard.press('?')
      await shop.sheet.getByText('Go from animal to animal').waitFor()
      await keyboard.press('Escape')
      await shop.sheet.waitFor({ state: 'detached' })
    })

    test('says that the connection is lost, keeps what was typed, and goes on when it is back [D292]', async () => {
      await addPet(service)
      await using shop = await open()
      // Its category is the one that is offered.
      await shop.page.locator('.count', { hasText: /[1-9]/ }).first().waitFor()
      // The client would try again as soon as the connection is back.
      await shop.page.route('**/v1/pets', (route) => route.abort())
      await shop.openAdd()
      await shop.page.getByLabel('Name').fill('Kept')
      await shop.page.context().setOffline(true)
      await shop.text('No connection.').waitFor()
      await shop.page.keyboard.press('Enter')
      // After the last try: an earlier one would be followed by one that succeeds.
      await shop.text('The animal was not added.').waitFor()
      assert.equal(await shop.page.getByLabel('Name').inputValue(), 'Kept')
      await shop.page.context().setOffline(false)
      await shop.text('No connection.').waitFor({ state: 'detached' })
      await shop.page.reload()
      await shop.page.unroute('**/v1/pets')
      assert.equal(await shop.page.getByLabel('Name').inputValue(), 'Kept')
      await shop.sheet.getByRole('button', { name: 'Add' }).click()
      await shop.text('Kept was added.').waitFor()
    })

    test('says without a connection that an order was not placed, and that it perhaps was when the answer is lost [D286]', async () => {
      const { id } = await addPet(service, { name: 'Not ordered', categoryId: freshCategory() })
      await using shop = await open({ search: `?pet=${id}` })
      const press = () => shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
      const context = shop.page.context()
      await shop.button('Edit').waitFor()
      await context.setOffline(true)
      await press()
      await shop.text('The order was not placed.').waitFor()
      assert.deepEqual((await service.call('GET', `/store/orders?petId=${id}`)).json, [])
      await shop.expectAccessible('an order that was not placed')
      await context.setOffline(false)
      await shop.text('What you typed is kept.').waitFor({ state: 'detached' })
      await shop.loseAnswer('**/store/orders', triesMax)
      await press()
      await shop.text('The order was perhaps placed').waitFor()
      await shop.button('Try again').click()
      await shop.button('Complete the order').waitFor()
    })

    test('says beside a field, whole, what is wrong with it and what to do [D285]', async () => {
      const category = freshCategory()
      await using shop = await open({ search: `?category=${category}` })
      await shop.openAdd()
      const name = shop.page.getByLabel('Name', { exact: true })
      await name.fill('   ')
      await name.press('Enter')
      await shop.sheet.getByRole('alert').getByText('Type a name').waitFor()
      assert.match((await name.getAttribute('aria-describedby')) ?? '', /name-fault/)
      assert.equal(await shop.page.locator('.message').count(), 0)
      await shop.expectAccessible('a name that is refused')
      await name.fill('Written')
      await name.press('Enter')
      await shop.text('Written was added.').waitFor()
      assert.equal(await shop.sheet.getByRole('alert').count(), 0)
      await shop.button('Close').click()
      await shop.sheet.waitFor({ state: 'detached' })
      const json = { code: 'bad_request', message: 'A long story. '.repeat(20), status: 400 }
      await shop.page.route('**/store/orders', (route) => route.fulfill({ status: 400, json }))
      await shop.button('Order Written').click()
      const said = shop.page.locator('.message span').first()
      await said.getByText('tell whoever runs this store').waitFor()
      const { isWhole } = await shop.page.evaluate<{ isWhole: boolean }>(
        `(({ scrollHeight, clientHeight }) => ({ isWhole: scrollHeight <= clientHeight }))(document.querySelector('.message span'))`,
      )
      assert.ok(isWhole, 'nothing is cut off')
    })

    test('asks for a key again when it has expired, and keeps what was typed [D292]', async () => {
      const { id } = await addPet(service, { name: 'Typed' })
      const key = await service.makeKey({ expiresAt: Date.now() + 60_000 })
      await using shop = await open({ search: `?pet=${id}`, key })
      // What the page loads at its start must not be what finds the key expired.
      await shop.page.waitForLoadState('networkidle')
      await shop.button('Edit').click()
      await shop.page.getByLabel('Name').fill('Typed on')
      await service.setClock(Date.now() + 120_000)
      // Its event stream may be the first to find the key expired, and then there is no such button.
      await shop.button('Save').evaluateAll((buttons) => {
        for (const button of buttons as unknown as { click(): void }[]) button.click()
      })
      await shop.text('This key is no longer valid.').waitFor()
      await service.setClock(null)
      await shop.signIn(service.key)
      assert.equal(await shop.page.getByLabel('Name').inputValue(), 'Typed on')
      await shop.button('Save').click()
      await shop.text('Typed on was saved.').waitFor()
    })

    test('asks again for what it shows when it is looked at again', async () => {
      const { id } = await addPet(service, { name: 'Old name' })
      await using shop = await open()
      await shop.item('Old name').waitFor()
      await service.call('PATCH', `/pets/${id}`, { body: { name: 'New name' } })
      await shop.lookAgain()
      await shop.item('New name').waitFor()
    })

    /** Brings the page into each of its states, one after another. */
    async function throughStates(options: ShopOptions, seen: (shop: ShopPage, state: string) => Promise<void>) {
      const category = freshCategory()
      const look = async (state: string, more: ShopOptions, run: (shop: ShopPage) => Promise<unknown>) => {
        await using shop = await open({ ...options, ...more })
        await run(shop)
        await seen(shop, state)
      }
      const { id } = await addPet(service, { name: 'Long '.repeat(200), categoryId: category })
      await addPet(service, { name: 'أرنب صغير', categoryId: category })
      await look('cards', { search: `?category=${category}&status=available` }, (shop) =>
        shop.item('أرنب صغير').waitFor(),
      )
      await look('animal', { search: `?category=${category}&pet=${id}` }, async (shop) => {
        await shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
        await shop.button('Complete the order').waitFor()
        await seen(shop, 'order placed')
        await shop.button('Edit').click()
        await shop.page.getByLabel('Name').fill('Short')
        await seen(shop, 'edit')
        await service.call('PATCH', `/pets/${id}`, { body: { categoryId: 4 } })
        await shop.button('Save').click()
        await shop.text('It changed meanwhile').waitFor()
      })
      await look('orders', { search: '?show=orders' }, async (shop) => {
        await shop.page.locator('.item').first().waitFor()
        await shop.page.locator('.do button').first().click()
        await shop.page.locator('.message').waitFor()
      })
      const { id: unwanted } = await addPet(service, { name: 'Unwanted', categoryId: category })
      await look('removed', { search: `?category=${category}&pet=${unwanted}` }, async (shop) => {
        await shop.button('Remove').click()
        await shop.page.locator('.message').waitFor()
      })
      await look('no orders', { search: '?show=orders' }, async (shop) => {
        await shop.page.route('**/store/orders?*', (route) => route.fulfill({ json: [] }))
        await shop.page.reload()
        await shop.text('No orders yet').waitFor()
      })
      await look('nothing found', { search: '?status=sold&search=%F0%9F%90%A2' }, (shop) =>
        shop.button('Search all animals').waitFor(),
      )
      await look('selected', { search: `?category=${category}&view=table` }, async (shop) => {
        await shop.button('Select').click()
        await shop.button('Select all shown').click()
        await seen(shop, 'rows selected')
        await shop.button('Cards').click()
        await shop.page.getByLabel('What to do with them').selectOption('Move to a category')
        await seen(shop, 'cards selected')
        await shop.page.getByLabel('What to do with them').selectOption('Cancel the orders')
        await shop.page.route('**/store/orders?*', (route) => route.fulfill({ json: [] }))
        await shop.button('Cancel').click()
        await shop.sheet.getByText('Nobody has ordered it.').first().waitFor()
      })
      await look('saving', {}, async (shop) => {
        await shop.page.locator('.item').first().waitFor()
        await shop.page.route('**/v1/pets?*limit=100*', () => {})
        await shop.page.getByRole('button', { name: 'CSV' }).click()
        await shop.button('Stop').waitFor()
      })
      await look('refused key', { key: null }, async (shop) => {
        await shop.page.getByLabel('API key').fill('pst_x')
        await shop.page.keyboard.press('Enter')
        await shop.text('This key is not valid').waitFor()
      })
      await look('table', { search: `?category=${category}&view=table` }, (shop) => shop.item('أرنب صغير').waitFor())
      await look('empty', { search: `?category=${freshCategory()}` }, (shop) => shop.text('No animal fits').waitFor())
      await look('read-only key', { key: await service.makeKey({ scopes: ['pets:read'] }) }, (shop) =>
        shop.page.locator('.item').first().waitFor(),
      )
      await look('a key that may not read', { key: await service.makeKey({ scopes: ['orders:read'] }) }, (shop) =>
        shop.text('may not see').waitFor(),
      )
      await look('offline while adding', {}, async (shop) => {
        await shop.openAdd()
        await shop.page.context().setOffline(true)
        await shop.text('No connection.').waitFor()
      })
      await look('categories', {}, async (shop) => {
        await shop.page.locator('.item').first().waitFor()
        await shop.button('Categories').click()
      })
      await look('shortcuts', {}, async (shop) => {
        await shop.page.locator('.item').first().waitFor()
        await shop.page.keyboard.press('?')
        await shop.sheet.waitFor()
      })
      await look('loading', {}, async (shop) => {
        await shop.page.route('**/v1/pets?*', () => {})
        await shop.page.reload()
        await shop.page.locator('.blank').first().waitFor()
      })
      await look('failed', {}, async (shop) => {
        const json = { code: 'bad_request', message: 'The list was refused.', status: 400 }
        await shop.page.route('**/v1/pets?*', (route) => route.fulfill({ status: 400, json }))
        await shop.page.reload()
        await shop.text('could not be loaded').waitFor()
      })
    }

    // Each width, each set of colours and each kind of motion is there once.
    const looks: [string, ShopOptions][] = [
      ['on a phone in the dark', { viewport: phone, colorScheme: 'dark' }],
      ['at a desk, with motion', { reducedMotion: 'no-preference' }],
      ['zoomed to 200 %', { viewport: zoomed }],
      ['in forced colours', { forcedColors: 'active' }],
    ]
    for (const [name, options] of looks)
      test(`is accessible in its states, ${name}`, () =>
        throughStates(options, (shop, state) => shop.expectAccessible(state)))

    test('prints the animals without what only a screen needs', async () => {
      await addPet(service, { name: 'Printed' })
      await using shop = await open()
      await shop.item('Printed').waitFor()
      await shop.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      assert.ok(await shop.item('Printed').isVisible())
      const ink = await shop.page.evaluate(`getComputedStyle(document.querySelector('.name')).color`)
      assert.equal(ink, 'rgb(28, 37, 36)', 'dark on paper, whatever the screen')
      assert.equal(await shop.page.locator('.toolbar, .order').first().isVisible(), false)
    })
  })
