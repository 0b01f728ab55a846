/** The page for staff in a real browser with hasty hands, odd names and addresses, and a browser that keeps nothing. */
import { after, before, describe } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from '../support/chromium.ts'
import { addPet } from '../support/expect.ts'
import { Folder, node } from '../support/process.ts'
import { testInFull } from '../support/scope.ts'
import { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describe('The shop in Chromium', () => {
    const folder = new Folder()
    let service: TestService
    let browser: Browser
    before(async () => {
      service = await TestService.start(node, folder.env)
      browser = await launchChromium(chromium)
    })
    after(async () => {
      await browser?.close()
      await service?.stop()
      folder[Symbol.dispose]()
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)

    testInFull('does not complete an order with the second click of a double click', async () => {
      const { id } = await addPet(service, { name: 'Hasty' })
      await using shop = await open({ search: `?pet=${id}` })
      const { mouse } = shop.page
      await shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
      await shop.button('Complete the order').hover()
      await mouse.down({ clickCount: 2 })
      await mouse.up({ clickCount: 2 })
      await shop.button('Cancel the order').click()
      await shop.text('Hasty is available again').waitFor()
    })
  })
