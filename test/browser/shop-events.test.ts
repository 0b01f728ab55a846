/** The page for staff in a real browser when its key may follow events: what others do appears by itself, and nothing is in anyone's way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { defaultScopes } from '../../src/model/key.ts'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, freshCategory } from '../support/expect.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describeInFull('The shop in Chromium, with events', () => {
    let service: TestService
    let browser: Browser
    let key: Promise<string> | undefined
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    /** Resolves once the page follows, and has read again what it shows. */
    async function open(options: ShopOptions): Promise<ShopPage> {
      key ??= service.makeKey({ scopes: [...defaultScopes, 'events:read'] })
      const shop = await ShopPage.open(browser, service, { key: null, ...options })
      let lists = 0
      const isReadAgain = shop.page.waitForResponse(
        (response) => response.url().includes('/pets?limit=48') && ++lists === 2,
      )
      await shop.signIn(await key)
      await isReadAgain
      await shop.twoFrames()
      return shop
    }
    const status = (shop: ShopPage, name: string, text: string) =>
      shop.item(name).getByText(text, { exact: true }).waitFor()

    test('shows without a reload what somebody else sells: its card, its sheet and the counts [D308]', async () => {
      const category = freshCategory()
      const search = `?category=${category}`
      const { id } = await addPet(service, { name: 'Rex', categoryId: category })
      await using list = await open({ search })
      await using sheet = await open({ search: `${search}&pet=${id}` })
      await using seller = await ShopPage.open(browser, service, { search: `${search}&pet=${id}` })
      const loads: string[] = []
      for (const { page } of [list, sheet]) page.on('load', () => loads.push(page.url()))
      await status(list, 'Rex', 'available')
      await sheet.text('Nobody has ordered it yet.').waitFor()

      await seller.button('Order').click()
      await status(list, 'Rex', 'pending')
      await sheet.text(/^Order \d+, placed$/).waitFor()
      await sheet.text('Somebody else has changed this animal.').waitFor()
      await seller.button('Complete the order').click()
      await status(list, 'Rex', 'sold')
      await sheet.text(/^Order \d+, completed$/).waitFor()
      const { json: counts } = await service.call('GET', '/store/inventory')
      await list.expectCounts(counts.available, counts.pending, counts.sold)
      assert.deepEqual(loads, [])
      assert.equal(await seller.text('Somebody else').count(), 0)
    })

    test('keeps what is typed while somebody else changes the animal, and shows both versions on saving [D309]', async () => {
      const { id } = await addPet(service, { name: 'Ada', categoryId: freshCategory() })
      await using shop = await open({ search: `?pet=${id}` })
      await shop.button('Edit').click()
      await shop.page.getByLabel('Name').fill('Ada Lovelace')
      await service.call('PATCH', `/pets/${id}`, { body: { name: 'Augusta' } })
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
      const { id } = await addPet(service, { name: 'Rex', categoryId: freshCategory() })
      await using shop = await open({ search: `?pet=${id}` })
      const { held, letGo } = await shop.holdAnswer('**/store/orders')
      await shop.button('Order').click()
      await held
      // The event comes before the answer.
      await shop.text(/^Order \d+, placed$/).waitFor()
      await shop.twoFrames()
      assert.equal(await shop.text('Somebody else').count(), 0)
      await letGo()
      await shop.text('Rex is reserved.').waitFor()
      await service.call('PATCH', `/pets/${id}`, { body: { name: 'Max' } })
      await shop.sheet.getByRole('heading', { name: 'Max', exact: true }).waitFor()
      await shop.twoFrames()
      await shop.button('Undo').click()
      await shop.text('The order is cancelled').waitFor()
    })

    test('moves nothing: one that is removed keeps its place, one that is added comes last [D309]', async () => {
      const category = freshCategory()
      const [, ben] = [
        await addPet(service, { name: 'Ada', categoryId: category }),
        await addPet(service, { name: 'Ben', categoryId: category }),
        await addPet(service, { name: 'Cleo', categoryId: category }),
      ]
      await using shop = await open({ search: `?category=${category}&sort=oldest` })
      await status(shop, 'Cleo', 'available')
      await service.call('DELETE', `/pets/${ben.id}`)
      await status(shop, 'Ben', 'removed')
      await addPet(service, { name: 'Dora', categoryId: category })
      await addPet(service, { name: 'Elsewhere', categoryId: category + 1 })
      await status(shop, 'Dora', 'available')
      const names = () => shop.page.locator('.item .name').allTextContents()
      assert.deepEqual(await names(), ['Ada', 'Ben', 'Cleo', 'Dora'])
      assert.equal(await shop.item('Ben').getByRole('button').count(), 0, 'it cannot be ordered')
      await shop.expectAccessible('an animal that was removed')
      await shop.lookAgain()
      await shop.item('Ben').waitFor({ state: 'detached' })
      assert.deepEqual(await names(), ['Ada', 'Cleo', 'Dora'])
    })

    test('shows after a lost connection what has happened meanwhile [D308]', async () => {
      const category = freshCategory()
      const { id } = await addPet(service, { name: 'Rex', categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      await status(shop, 'Rex', 'available')
      await shop.page.context().setOffline(true)
      await shop.text('No connection.').waitFor()
      await service.call('PATCH', `/pets/${id}`, { body: { name: 'Max' } })
      const again = shop.page.waitForResponse((response) => response.url().includes('/events/stream'))
      await shop.page.context().setOffline(false)
      await status(shop, 'Max', 'available')
      await again
      await service.call('PATCH', `/pets/${id}`, { body: { name: 'Tom' } })
      await status(shop, 'Tom', 'available')
    })

    test('follows only while it is looked at, and reads what happened when it is looked at again [D308]', async () => {
      const category = freshCategory()
      const { id } = await addPet(service, { name: 'Rex', categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      await status(shop, 'Rex', 'available')
      const look = (state: string) =>
        shop.page.evaluate(
          `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
        )
      const ended = shop.page.waitForEvent('requestfailed', (request) => request.url().includes('/events/stream'))
      await look('hidden')
      await ended
      await service.call('PATCH', `/pets/${id}`, { body: { name: 'Max' } })
      await look('visible')
      await status(shop, 'Max', 'available')
    })

    test('says when the list is from to a key that may not read events, and reads it anew on request [D308]', async () => {
      const category = freshCategory()
      const { id } = await addPet(service, { name: 'Rex', categoryId: category })
      const search = `?category=${category}`
      await using follower = await open({ search })
      await status(follower, 'Rex', 'available')
      assert.equal(await follower.text('As of').count(), 0)
      await using shop = await ShopPage.open(browser, service, { key: null, search, timezoneId: 'UTC' })
      await shop.page.clock.setFixedTime('2026-03-04T09:30:00Z')
      await shop.signIn(service.key)
      await shop.text(/^As of 9:30/).waitFor()
      await shop.expectAccessible('when the list is from')
      await service.call('PATCH', `/pets/${id}`, { body: { name: 'Max' } })
      await shop.page.clock.setFixedTime('2026-03-04T10:45:00Z')
      await shop.button('Refresh').click()
      await status(shop, 'Max', 'available')
      await shop.text(/^As of 10:45/).waitFor()
    })

    test('asks for no events with a key that may not read them, and ends with its key', async () => {
      await using shop = await ShopPage.open(browser, service, { key: null })
      const asked: string[] = []
      shop.page.on('request', (request) => {
        if (request.url().includes('/events')) asked.push(request.url())
      })
      await shop.signIn(service.key)
      await shop.text(/animals?/).waitFor()
      await shop.twoFrames()
      assert.deepEqual(asked, [])
      const other = await service.makeKey({ scopes: [...defaultScopes, 'events:read'] })
      await shop.button('Sign out').click()
      const answer = shop.page.waitForResponse((response) => response.url().includes('/events/stream'))
      await shop.signIn(other)
      await answer
      await service.revokeKey(other)
      await shop.text('This key is no longer valid.').waitFor()
    })
  })
