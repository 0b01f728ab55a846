/** The list of the page for staff in a real browser: filters, pages, search, and what is drawn for each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, addPets, freshCategory } from '../support/expect.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

/** Long enough for what the page does when something comes into view. */
const twoFrames = ({ page }: ShopPage) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

const chromium = findChromium('The tests of the shop')

if (chromium)
  describeInFull('The list of the shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const reach = async (shop: ShopPage, count: number) => {
      while ((await shop.page.locator('.item').count()) < count) {
        await shop.page.mouse.wheel(0, 5_000)
        await twoFrames(shop)
      }
    }
    const focused = ({ page }: ShopPage) => page.evaluate<string>('document.activeElement.textContent')

    test('keeps its filters in the address, and shows the pages one after another as they are reached', async () => {
      const category = freshCategory()
      const ids = await addPets(service, 120, { name: 'Many', categoryId: category })
      await addPet(service, { name: 'Last', categoryId: category })
      await service.call('PATCH', `/pets/${ids[0]}`, { body: { status: 'sold' } })
      await using shop = await open({ search: `?category=${category}`, host: 'localhost' })
      await shop.text('48 of 121 animals').waitFor()
      while ((await shop.page.locator('.item').count()) < 121) {
        await shop.page.mouse.wheel(0, 5_000)
        await twoFrames(shop)
      }
      await shop.text(/^121 animals$/).waitFor()
      await shop.page.locator('.count', { hasText: 'sold' }).click()
      await shop.text(/^1 animal$/).waitFor()
      assert.equal(new URL(shop.page.url()).search, `?category=${category}&status=sold`)
      await shop.button('Table').click()
      await shop.page.reload()
      await shop.page.getByRole('row', { name: /Many/ }).waitFor()
      await shop.text(/^1 animal$/).waitFor()
      await shop.page.goBack()
      await shop.page.goBack()
      await shop.text('48 of 121 animals').waitFor()
    })

    test('draws a page once, whatever is loaded, opened, ordered or added afterwards', async () => {
      const category = freshCategory()
      for (let i = 1; i <= 150; i++)
        await addPet(service, { name: `Number ${i}${i > 148 ? ' twin' : ''}`, categoryId: category })
      await using shop = await open({ search: `?category=${category}&sort=oldest` })
      await shop.text('48 of 150 animals').waitFor()
      // Each card takes the first character of its name.
      await shop.page.evaluate(`{
        const { segment } = Intl.Segmenter.prototype
        globalThis.drawn = 0
        Intl.Segmenter.prototype.segment = function (text) { drawn++; return segment.call(this, text) }
      }`)
      const drawn = () => shop.page.evaluate<number>('drawn + (drawn = 0)')
      await reach(shop, 150)
      assert.equal(await drawn(), 150 - 48)
      await shop.item('Number 60').getByRole('link').click()
      await shop.sheet.getByRole('heading', { name: 'Number 60' }).waitFor()
      await shop.button('Close').click()
      assert.ok((await drawn()) <= 3, 'the sheet alone')
      await shop.button('Order Number 100').click()
      await shop.text('Number 100 is reserved.').waitFor()
      assert.equal(await drawn(), 48)
      await shop.openAdd()
      await shop.page.getByLabel('Name').fill('Newest')
      await shop.page.keyboard.press('Enter')
      await shop.text('Newest was added.').waitFor()
      await shop.button('Close').click()
      assert.equal(await drawn(), 1)
      const skips = await shop.page.evaluate(
        `[...document.querySelectorAll('.chunk')].map((each) => getComputedStyle(each).contentVisibility)`,
      )
      assert.deepEqual(skips, ['auto', 'auto', 'auto', 'auto', 'auto'])
    })

    test('shows an animal once after others have left the filter', async () => {
      const category = freshCategory()
      const ids = await addPets(service, 60, { name: 'Leaving', categoryId: category })
      await using shop = await open({ search: `?category=${category}&status=available&sort=oldest` })
      await reach(shop, 60)
      await service.call('PATCH', `/pets/${ids[0]}`, { body: { status: 'sold' } })
      await shop.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      await shop.text(/^59 animals$/).waitFor()
      const shown = await shop.page.evaluate(
        `[...document.querySelectorAll('.item')].map(({ dataset }) => +dataset.id)`,
      )
      assert.deepEqual(shown, ids.slice(1))
    })

    test('goes from row to row with the arrow keys, across pages and among what was found', async () => {
      const category = freshCategory()
      for (let i = 1; i <= 60; i++)
        await addPet(service, { name: `Number ${i}${i > 58 ? ' twin' : ''}`, categoryId: category })
      await using shop = await open({ search: `?category=${category}&sort=oldest` })
      const press = async (...keys: string[]) => {
        for (const key of keys) await shop.page.keyboard.press(key)
        return focused(shop)
      }
      await reach(shop, 60)
      await shop.item('Number 46').getByRole('link').focus()
      assert.equal(await press('ArrowDown'), 'Number 50')
      assert.equal(await press('ArrowUp'), 'Number 46')
      assert.equal(await press('ArrowRight', 'ArrowRight', 'ArrowRight'), 'Number 49')
      await shop.item('Number 2').getByRole('link').focus()
      assert.equal(await press('ArrowUp'), 'Number 2')
      await shop.item('Number 58').getByRole('link').focus()
      assert.equal(await press('ArrowDown'), 'Number 58')
      await shop.page.getByRole('searchbox').fill('twin')
      await shop.text('2 animals found').waitFor()
      await shop.page.getByRole('searchbox').blur()
      assert.equal(await press('ArrowDown', 'ArrowRight'), 'Number 60 twin')
    })
  })
