/** Makes the pictures of the README, `npm run pictures`: the pages with animals and orders of the last weeks, the same each time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from './support/chromium.ts'
import { DocsPage } from './support/docs-page.ts'
import { addPet } from './support/expect.ts'
import { Folder, node } from './support/process.ts'
import { root } from './support/project.ts'
import { TestService } from './support/service.ts'
import { ShopPage } from './support/shop-page.ts'

const chromium = findChromium('The pictures')
const viewport = { width: 1280, height: 800 }
const day = 24 * 60 * 60 * 1000
const today = Date.UTC(2026, 10, 16, 15)
const categories = ['Dogs', 'Cats', 'Rabbits', 'Birds', 'Fish']
const names =
  `Bella Whiskers Thumper Kiwi Bubbles Max Simba Clover Rio Nemo Luna Cleo Hazel Mango Dory Charlie Milo Flopsy Skye
  Coral Daisy Leo Snowball Polly Goldie Rocky Misty Pipkin Sunny Marlin Molly Oscar Nibbles Echo Pearl Buddy Smokey Bramble`.split(
    /\s+/,
  )

/** The store counts by the day of the database, and the picture shows a month. */
const sales = Array.from({ length: 30 }, (_, i) => ({
  day: new Date(today - (29 - i) * day).toISOString().slice(0, 10),
  added: (i * 5) % 7,
  sold: (i * 3) % 5,
}))

/** Every third animal is ordered, and half of those are sold. */
async function fill(service: TestService): Promise<void> {
  for (const [i, name] of categories.entries()) await service.call('PUT', `/categories/${i + 1}`, { body: { name } })
  for (const [i, name] of names.entries()) {
    const { id } = await addPet(service, { name, categoryId: (i % categories.length) + 1 })
    if (i % 3 !== 1) continue
    const { json: order } = await service.call('POST', '/store/orders', { body: { petId: id } })
    if (i % 2 === 0) await service.call('POST', `/store/orders/${order.id}/complete`)
  }
}

async function picture(name: string, { page }: ShopPage | DocsPage): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  writeFileSync(join(root, `docs/pictures/${name}.png`), await page.screenshot())
}

async function take(browser: Browser, service: TestService): Promise<void> {
  await fill(service)
  await using shop = await ShopPage.open(browser, service, { viewport, key: null })
  await shop.page.route('**/store/sales?*', (route) => route.fulfill({ json: sales }))
  await shop.signIn(service.key)
  await shop.item('Bella').waitFor()
  await picture('shop', shop)
  await using docs = await DocsPage.open(browser, service.url, viewport)
  await picture('docs', docs)
}

if (chromium) {
  using folder = new Folder()
  const service = await TestService.start(node, folder.env)
  const browser = await launchChromium(chromium)
  await take(browser, service).finally(async () => {
    await browser.close()
    await service.stop()
  })
}
