/** Finding an animal on the page for staff in a real browser: the search, the order of the list, and the first screen of a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { defaultScopes } from '../../src/model/key.ts'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, addPets, freshCategory } from '../support/expect.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describeInFull('The search of the shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const names = ({ page }: ShopPage) => page.locator('.item .name').allTextContents()
    const searchbox = ({ page }: ShopPage) => page.getByRole('searchbox')

    test('finds an animal that is on no page yet, after a reload and by its address, too', async () => {
      const category = freshCategory()
      await addPet(service, { name: 'Élodie of the sea', categoryId: category })
      await addPets(service, 60, { name: 'Common', categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      await shop.text('48 of 61 animals').waitFor()
      await shop.page.keyboard.press('/')
      await shop.page.keyboard.type('sea elo')
      await shop.text('1 animal found').waitFor()
      assert.deepEqual(await names(shop), ['Élodie of the sea'])
      assert.equal(new URL(shop.page.url()).search, `?category=${category}&search=sea+elo`)
      await shop.page.reload()
      await shop.text('1 animal found').waitFor()
      assert.equal(await searchbox(shop).inputValue(), 'sea elo')
      await searchbox(shop).press('Escape')
      await shop.text('48 of 61 animals').waitFor()
      await shop.page.goto(`${service.url}/shop?category=${category}&search=common`)
      await shop.text('48 animals shown, more to come').waitFor()
    })

    test('shows the animal with the number that is searched for first, once, whatever its name', async () => {
      const category = freshCategory()
      const [id] = await addPets(service, 2, { name: 'Numbered', categoryId: category })
      const { id: other } = await addPet(service, { name: `Room ${id}`, categoryId: category })
      await using shop = await open()
      for (const text of [String(id), `#${id}`]) {
        await searchbox(shop).fill(text)
        await shop.text('2 animals found').waitFor()
        assert.deepEqual(await names(shop), ['Numbered', `Room ${id}`])
        await searchbox(shop).fill('room')
        await shop.text('1 animal found').waitFor()
      }
      await service.call('PATCH', `/pets/${other}`, { body: { status: 'sold' } })
      await shop.page.goto(`${service.url}/shop?status=sold&search=${id}`)
      await shop.text('1 animal found').waitFor()
      assert.deepEqual(await names(shop), [`Room ${id}`])
      await searchbox(shop).fill(`numbered ${id}`)
      await shop.text('No animal fits').waitFor()
      await searchbox(shop).fill('numbered')
      await shop.page.waitForURL(/numbered$/)
      await shop.button('Search all animals').click()
      await shop.text('2 animals found').waitFor()
    })

    test('never shows the answer to an earlier text after that to a later one', async () => {
      const category = freshCategory()
      for (const name of ['Early', 'Later']) await addPet(service, { name, categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      await shop.text('2 animals').waitFor()
      const early = await shop.holdAnswer('**/v1/pets?*search=e*')
      await searchbox(shop).fill('e')
      await early.held
      await searchbox(shop).fill('later')
      await shop.text('1 animal found').waitFor()
      await early.letGo()
      assert.deepEqual(await names(shop), ['Later'])
    })

    test('asks for nothing that the service cannot search for', async () => {
      await addPet(service)
      await using shop = await open()
      await shop.item('Rex').first().waitFor()
      await searchbox(shop).fill('🐢 !')
      await shop.text('No animal fits').waitFor()
      await shop.button('Show all animals').click()
      await shop.page.locator('.item').first().waitFor()
      assert.equal(await searchbox(shop).inputValue(), '')
    })

    test('goes on by itself when a page of a search is empty and has a next one', async () => {
      const category = freshCategory()
      await addPet(service, { name: 'Behind', categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      await shop.item('Behind').waitFor()
      const empty = { json: [], headers: { link: `<${service.url}/v1/pets?cursor=abc>; rel="next"` } }
      await shop.page.route('**/v1/pets?*search=behind*', (route) =>
        route.request().url().includes('cursor=')
          ? route.continue({ url: route.request().url().replace('&cursor=abc', '') })
          : route.fulfill(empty),
      )
      await searchbox(shop).fill('behind')
      await shop.text('1 animal found').waitFor()
    })

    test('lists the newest first, or the oldest, as the address says; what others add waits until it is asked for [D309]', async () => {
      const category = freshCategory()
      for (const name of ['Ada', 'Ben']) await addPet(service, { name, categoryId: category })
      const key = await service.makeKey({ scopes: [...defaultScopes, 'events:read'] })
      await using shop = await open({ search: `?category=${category}`, key: null })
      const isFollowed = shop.page.waitForResponse((response) => response.url().includes('/events/stream'))
      await shop.signIn(key)
      await isFollowed
      await shop.item('Ben').waitFor()
      assert.deepEqual(await names(shop), ['Ben', 'Ada'])
      await addPet(service, { name: 'Cleo', categoryId: category })
      await addPet(service, { name: 'Elsewhere', categoryId: category + 1 })
      await shop.button('Show 1 new').waitFor()
      assert.deepEqual(await names(shop), ['Ben', 'Ada'])
      await shop.expectAccessible('with new animals')
      await shop.button('Show 1 new').click()
      await shop.item('Cleo').waitFor()
      assert.deepEqual(await names(shop), ['Cleo', 'Ben', 'Ada'])
      await shop.page.getByLabel('Order of the list').selectOption('Oldest first')
      await shop.page.waitForURL(/sort=oldest/)
      await shop.page.locator('.item').first().getByRole('link', { name: 'Ada' }).waitFor()
      assert.deepEqual(await names(shop), ['Ada', 'Ben', 'Cleo'])
      await shop.page.reload()
      await shop.item('Cleo').waitFor()
      assert.deepEqual(await names(shop), ['Ada', 'Ben', 'Cleo'])
    })

    test('has two animals and a half on the first screen of a phone, and nothing lies over them', async () => {
      const category = freshCategory()
      await addPets(service, 30, { name: 'Pocket', categoryId: category })
      await using shop = await open({ search: `?category=${category}`, viewport: { width: 390, height: 844 } })
      await shop.item('Pocket').first().waitFor()
      const third = await shop.item('Pocket').nth(2).boundingBox()
      assert.ok(third && third.y + third.height / 2 < 844, JSON.stringify(third))
      const covered = await shop.page.evaluate(
        `[...document.querySelectorAll('.order')].map((each) => { each.scrollIntoView({ block: 'end' }); const { x, y, width, height } = each.getBoundingClientRect(); return document.elementFromPoint(x + width / 2, y + height / 2) !== each }).filter(Boolean).length`,
      )
      assert.equal(covered, 0)
      await shop.page.evaluate('scrollTo(0, 0)')
      await shop.openAdd()
    })

    test('sets a name that turns the writing around apart from what is beside it', async () => {
      const category = freshCategory()
      await addPet(service, { name: '\u202eRex', categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      await shop.button('Select').click()
      const item = shop.page.locator('.item')
      assert.equal(await item.locator('.initial').textContent(), 'R')
      assert.deepEqual(await item.locator('bdi').allTextContents(), ['\u202eRex', '\u202eRex'])
      const isolation = await shop.page.evaluate(`getComputedStyle(document.querySelector('.item .name')).unicodeBidi`)
      assert.equal(isolation, 'isolate')
    })
  })
