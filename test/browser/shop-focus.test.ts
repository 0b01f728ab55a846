/** The keyboard and the messages of the page for staff in a real browser: the focus is never lost, undo has a shortcut, and a message is in nobody's way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, addPets, freshCategory } from '../support/expect.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describeInFull('The keyboard and the messages of the shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const hasFocus = (shop: ShopPage, element: Locator) => element.and(shop.page.locator(':focus')).waitFor()
    const nameOf = (shop: ShopPage, name: string) => shop.item(name).getByRole('link')
    async function threeIn(options: ShopOptions = {}) {
      const category = freshCategory()
      for (const name of ['Ada', 'Ben', 'Cleo']) await addPet(service, { name, categoryId: category })
      const shop = await open({ search: `?category=${category}`, ...options })
      await shop.item('Cleo').waitFor()
      return { shop, category }
    }

    test('stays in the row after Enter on Order, goes on to the next row when one is removed, and comes back from a sheet', async () => {
      const { shop } = await threeIn()
      await using _ = shop
      const { keyboard } = shop.page
      await shop.button('Order Ben').press('Enter')
      await shop.text('Ben is reserved.').waitFor()
      await hasFocus(shop, nameOf(shop, 'Ben'))
      // From a message that is gone, to what had it before.
      await shop.button('Undo').press('Enter')
      await shop.text('The order is cancelled').waitFor()
      await hasFocus(shop, nameOf(shop, 'Ben'))
      await shop.button('Dismiss').press('Enter')
      await hasFocus(shop, nameOf(shop, 'Ben'))

      await nameOf(shop, 'Ada').press('Enter')
      await shop.button('Remove').press('Enter')
      await shop.text('Ada will be removed').waitFor()
      await hasFocus(shop, nameOf(shop, 'Ben'))
      await nameOf(shop, 'Cleo').press('Enter')
      await shop.button('Remove').press('Enter')
      await shop.text('Cleo will be removed').waitFor()
      await hasFocus(shop, nameOf(shop, 'Ben'))

      await shop.button('Categories').press('Enter')
      await shop.sheet.waitFor()
      await keyboard.press('Escape')
      await hasFocus(shop, shop.button('Categories'))
      await shop.page.keyboard.press('?')
      await shop.sheet.waitFor()
      await keyboard.press('Escape')
      await hasFocus(shop, shop.button('Categories'))
    })

    test('stays in the row of an order when it is completed, and finds a place after a sheet that a link has opened', async () => {
      const { id } = await addPet(service, { name: 'Linked' })
      const { json } = await service.call('POST', '/store/orders', { body: { petId: id } })
      await using shop = await open({ search: `?show=orders&pet=${id}` })
      await shop.sheet.getByRole('heading', { name: 'Linked' }).waitFor()
      await shop.page.keyboard.press('Escape')
      await hasFocus(shop, shop.page.locator('main'))
      await shop.button(`Complete order ${json.id}, Linked`).press('Enter')
      await shop.text('Linked is sold.').waitFor()
      await hasFocus(shop, nameOf(shop, 'Linked'))
    })

    test('goes on from the chart with Tab, to the field of a key after signing out, and stays on Order in a sheet when that fails', async () => {
      const { shop } = await threeIn()
      await using _ = shop
      const { keyboard } = shop.page
      await shop.page.getByLabel('Day').focus()
      await keyboard.press('ArrowLeft')
      await keyboard.press('Tab')
      await shop.twoFrames()
      await hasFocus(shop, shop.page.locator('#search'))

      await shop.button('Select').press('Enter')
      await keyboard.press('Tab')
      await keyboard.press('Tab')
      await keyboard.press('Tab')
      await hasFocus(shop, shop.button('Select all shown'))

      await nameOf(shop, 'Ada').press('Enter')
      await shop.sheet.getByRole('heading', { name: 'Ada' }).waitFor()
      await shop.page.route('**/store/orders', (route) => route.fulfill({ status: 502 }), { times: 4 })
      const order = shop.sheet.getByRole('button', { name: 'Order' })
      await order.press('Enter')
      await shop.page.locator('.failed').waitFor()
      await hasFocus(shop, order)

      // A form in which nothing was changed is not there again.
      await shop.button('Edit').press('Enter')
      await shop.button('Do not save').waitFor()
      await keyboard.press('Escape')
      await shop.sheet.waitFor({ state: 'detached' })
      await nameOf(shop, 'Ada').press('Enter')
      await order.waitFor()
      await keyboard.press('Escape')
      await shop.sheet.waitFor({ state: 'detached' })

      await shop.page.locator('#search').fill('nowhere')
      await shop.page.getByRole('status').getByText('0 animals found').waitFor()
      await shop.button('Sign out').press('Enter')
      await hasFocus(shop, shop.page.getByLabel('API key'))
    })

    test('is nowhere after a press beside everything, also when the list changes', async () => {
      const { shop } = await threeIn()
      await using _ = shop
      await shop.button('Order Ben').focus()
      await shop.page.locator('.brand').click()
      const { json } = await service.call('GET', '/pets?limit=100&order=desc')
      const { id } = json.find(({ name }: { name: string }) => name === 'Ben')
      await service.call('POST', '/store/orders', { body: { petId: id } })
      await shop.lookAgain()
      await shop.item('Ben').getByText('pending').waitFor()
      await shop.twoFrames()
      assert.equal(await shop.page.evaluate('document.activeElement === document.body'), true)
    })

    test('undoes with Ctrl Z what was just done, wherever nothing is typed [D293]', async () => {
      const { shop, category } = await threeIn()
      await using _ = shop
      const { keyboard } = shop.page
      await shop.button('Order Ben').press('Enter')
      await shop.text('Ben is reserved.').waitFor()
      await keyboard.press('Control+z')
      await shop.text('The order is cancelled').waitFor()
      await keyboard.press('n')
      await keyboard.type('Dora')
      await keyboard.press('Enter')
      await shop.text('Dora was added.').waitFor()
      await keyboard.type('x')
      await keyboard.press('Control+z')
      await keyboard.press('Control+a')
      await keyboard.press('Delete')
      await shop.text('Dora was added.').waitFor()
      await keyboard.press('Meta+z')
      await shop.text('Dora was removed again.').waitFor()
      assert.equal((await service.call('GET', `/pets?categoryId=${category}`)).json.length, 3)
    })

    test('a message leaves after some seconds, unless it is pointed at, has the focus or tells of an error', async () => {
      const { shop } = await threeIn()
      await using _ = shop
      const message = shop.page.locator('.message')
      const gone = () => message.waitFor({ state: 'detached' })
      await shop.page.clock.install()
      await shop.button('Order Ada').press('Enter')
      await message.waitFor()
      await shop.page.clock.runFor(4_000)
      assert.equal(await message.count(), 1)
      await shop.button('Undo').focus()
      await shop.page.clock.runFor(60_000)
      assert.equal(await message.count(), 1)
      await nameOf(shop, 'Ada').focus()
      await message.hover()
      await shop.page.clock.runFor(60_000)
      assert.equal(await message.count(), 1)
      await shop.page.mouse.move(5, 5)
      await shop.page.clock.runFor(10_000)
      await gone()

      await shop.page.route('**/store/orders', (route) => route.fulfill({ status: 502 }), { times: 1 })
      await shop.button('Order Ben').press('Enter')
      await shop.page.locator('.failed').waitFor()
      await hasFocus(shop, shop.button('Order Ben'))
      await shop.page.clock.runFor(60_000)
      assert.equal(await message.count(), 1)
      await shop.button('Dismiss').click()
      await gone()
    })

    for (const width of [390, 1280])
      test(`a message hides no animal for good on ${width} pixels`, async () => {
        const category = freshCategory()
        await addPets(service, 30, { name: 'Low', categoryId: category })
        await using shop = await open({ search: `?category=${category}`, viewport: { width, height: 700 } })
        await shop.text(/^30 animals$/).waitFor()
        await shop.page.locator('.order').last().click()
        await shop.text('Low is reserved.').waitFor()
        await shop.page.mouse.wheel(0, 50_000)
        await shop.twoFrames()
        const [row, message] = [shop.page.locator('.item').last(), shop.page.locator('.message')]
        const [above, below] = [await row.boundingBox(), await message.boundingBox()]
        assert.ok((above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0), JSON.stringify([above, below]))
      })
  })
