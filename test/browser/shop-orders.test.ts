/** The orders of the page for staff in a real browser, and what becomes of an animal: sold, taken back, or removed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { defaultScopes } from '../../src/model/key.ts'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, addPets, freshCategory } from '../support/expect.ts'
import { eventually } from '../support/load.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describeInFull('The orders of the shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const order = async (petId: number) => (await service.call('POST', '/store/orders', { body: { petId } })).json
    const move = async (id: number, verb: string) => (await service.call('POST', `/store/orders/${id}/${verb}`)).json
    const petsIn = async (category: number) => (await service.call('GET', `/pets?categoryId=${category}`)).json
    const status = (shop: ShopPage, name: string, text: string) =>
      shop.item(name).getByText(text, { exact: true }).waitFor()

    test('are listed with what is open first, and are completed, taken back and cancelled there [D297]', async () => {
      const [done, undone, later] = await addPets(service, 3, { name: 'Ordered' })
      const sold = await order(done as number)
      await move(sold.id, 'complete')
      const [one, two] = [await order(undone as number), await order(later as number)]
      await service.call('PATCH', `/pets/${undone}`, { body: { name: 'Bella' } })
      await using shop = await open()
      await shop.page.getByRole('link', { name: 'Orders' }).click()
      const rows = shop.page.locator('.item')
      await rows.first().waitFor()
      const ids = await rows.evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-id'))))
      assert.deepEqual(ids, [two.id, one.id, sold.id])
      const year = new Date().getFullYear()
      assert.match(await rows.last().innerText(), new RegExp(`Ordered.+completed.+${year}.+${year}`, 's'))

      await shop.button(`Complete order ${one.id}, Bella`).click()
      await shop.text('Bella is sold.').waitFor()
      await status(shop, 'Bella', 'completed')
      await shop.button(`Take back order ${one.id}, Bella`).click()
      await shop.text('Bella was taken back').waitFor()
      await status(shop, 'Bella', 'returned')
      await shop.button(`Cancel order ${two.id}, Ordered`).click()
      await shop.text('The order is cancelled').waitFor()
      await shop.button('Undo').click()
      await shop.text('Ordered is reserved.').waitFor()
      assert.equal(await shop.page.locator('.item .placed').count(), 1)
      await shop.page.locator('.item .placed').waitFor()
      const { json } = await service.call('GET', `/store/orders?petId=${later}`)
      assert.deepEqual(
        json.map((each: { status: string }) => each.status),
        ['cancelled', 'placed'],
      )

      await shop.item('Bella').getByRole('link').click()
      await shop.sheet.getByText(`Order ${one.id}, returned`).waitFor()
      await shop.page.goBack()
      await shop.sheet.waitFor({ state: 'detached' })
      assert.equal(await shop.page.title(), 'Orders · Pet Store')
      await shop.page.reload()
      await rows.first().waitFor()
      await shop.page.goBack()
      await shop.page.getByRole('searchbox').waitFor()
    })

    test('are shown page by page, each once, however many are open [D297]', async () => {
      const pets = await addPets(service, 110, { name: 'Queue' })
      const ids: number[] = []
      for (const [i, id] of pets.entries()) {
        const { id: made } = await order(id)
        ids.push(made)
        if (i % 2 === 0) await move(made, 'cancel')
      }
      await using shop = await open({ search: '?show=orders' })
      await shop.text('orders loaded so far').waitFor()
      const wanted = (await service.call('GET', '/store/orders?limit=100&order=desc')).json
      assert.equal(wanted[0].id, ids.at(-1))
      while (await shop.button('Show more').count()) {
        await shop.page.mouse.wheel(0, 5_000)
        await shop.twoFrames()
      }
      const rows = shop.page.locator('.item')
      const shown = await rows.evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-id'))))
      assert.equal(new Set(shown).size, shown.length)
      for (const id of ids) assert.ok(shown.includes(id), String(id))
      const states = await rows.locator('.status').allTextContents()
      assert.ok(states.lastIndexOf('placed') < states.findIndex((each) => each !== 'placed'), 'open ones first')
    })

    test('appear as others change them, and none changes its place [D297]', async () => {
      const [one, two] = await addPets(service, 2, { name: 'Theirs' })
      const [first, second] = [await order(one as number), await order(two as number)]
      const key = await service.makeKey({ scopes: [...defaultScopes, 'events:read'] })
      await using shop = await open({ search: '?show=orders', key: null })
      const stream = shop.page.waitForResponse((response) => response.url().includes('/events/stream'))
      await shop.signIn(key)
      await stream
      const row = (id: number) => shop.page.locator(`.item[data-id="${id}"]`)
      await row(second.id).getByText('placed', { exact: true }).waitFor()
      await move(second.id, 'complete')
      await row(second.id).getByText('completed', { exact: true }).waitFor()
      const shown = await shop.page
        .locator('.item')
        .evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-id'))))
      assert.ok(shown.indexOf(second.id) < shown.indexOf(first.id))
    })

    test('say why they could not be loaded, and are for those alone who may read them', async () => {
      await using shop = await open({ search: '?show=orders' })
      await shop.page.route('**/store/orders?*', (route) => route.fulfill({ status: 502 }))
      await shop.page.reload()
      await shop.text('The orders could not be loaded').waitFor()
      await shop.page.unroute('**/store/orders?*')
      await shop.button('Try again').click()
      await shop.text('The orders could not be loaded').waitFor({ state: 'detached' })
      await using other = await open({ search: '?show=orders', key: await service.makeKey({ scopes: ['pets:read'] }) })
      await other.page.getByRole('searchbox').waitFor()
      assert.equal(await other.page.getByRole('link', { name: 'Orders' }).count(), 0)
    })

    test('decide alone on the status of their animal, and the form to edit it says so [D297]', async () => {
      const { id } = await addPet(service, { name: 'Held' })
      await order(id)
      await using shop = await open({ search: `?pet=${id}` })
      await shop.button('Edit').click()
      await shop.text('follows from its order').waitFor()
      assert.equal(await shop.page.getByLabel('Status').count(), 0)
      await shop.button('Do not save').click()
      assert.equal(await shop.button('Remove').count(), 0)
      await shop.text('It stays in the books with its orders').waitFor()
    })

    test('an animal is removed once the message has gone, and can be kept until then [D293]', async () => {
      const category = freshCategory()
      for (const name of ['Ada', 'Ben', 'Cleo']) await addPet(service, { name, categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      const removed: string[] = []
      shop.page.on('request', (request) => request.method() === 'DELETE' && removed.push(request.url()))
      const remove = async (name: string) => {
        await shop.item(name).getByRole('link').click()
        await shop.button('Remove').click()
        await shop.text(`${name} will be removed when this message goes.`).waitFor()
        assert.equal(await shop.item(name).count(), 0)
      }
      await shop.item('Ben').waitFor()
      await shop.page.clock.install()
      await remove('Ben')
      await shop.lookAgain()
      await shop.text(/^2 animals$/).waitFor()
      await shop.button('Undo').click()
      await shop.text('Ben stays.').waitFor()
      assert.deepEqual(await shop.page.locator('.item .name').allTextContents(), ['Cleo', 'Ben', 'Ada'])
      assert.deepEqual(removed, [])

      await remove('Ben')
      const gone = shop.page.waitForResponse((response) => response.request().method() === 'DELETE')
      await shop.page.clock.runFor(10_000)
      assert.equal((await gone).status(), 204)
      assert.equal((await petsIn(category)).length, 2)

      // Leaving the page is no undo.
      await remove('Cleo')
      await shop.page.goto('about:blank')
      await eventually(
        () => petsIn(category),
        (pets) => pets.length === 1,
      )
    })

    test('an animal that was ordered meanwhile is not removed, and comes back with the reason [D293]', async () => {
      const category = freshCategory()
      const { id } = await addPet(service, { name: 'Wanted', categoryId: category })
      await using shop = await open({ search: `?category=${category}&pet=${id}` })
      await shop.button('Remove').click()
      await order(id)
      await shop.button('Dismiss').click()
      await shop.text('Wanted was not removed: it stays in the books with its orders.').waitFor()
      await shop.item('Wanted').waitFor()
      await shop.page.context().setOffline(true)
      await shop.text('No connection.').waitFor()
    })
  })
