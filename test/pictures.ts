/** Makes the pictures of the README, `npm run pictures`: the pages with the animals and orders of `petstore demo`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from './support/chromium.ts'
import { DocsPage } from './support/docs-page.ts'
import { command, Folder, node } from './support/process.ts'
import { root } from './support/project.ts'
import { TestService } from './support/service.ts'
import { ShopPage } from './support/shop-page.ts'

const chromium = findChromium('The pictures')
const viewport = { width: 1280, height: 800 }

async function picture(name: string, { page }: ShopPage | DocsPage): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  writeFileSync(join(root, `docs/pictures/${name}.png`), await page.screenshot())
}

async function take(browser: Browser, service: TestService): Promise<void> {
  await using shop = await ShopPage.open(browser, service, { viewport })
  await shop.item('Bella').waitFor()
  await picture('shop', shop)
  await using docs = await DocsPage.open(browser, service.url, { viewport, path: '/docs#createPet' })
  await picture('docs', docs)
}

if (chromium) {
  using folder = new Folder()
  await command(['demo'], folder.env)
  const service = await TestService.start(node, folder.env)
  const browser = await launchChromium(chromium)
  await take(browser, service).finally(async () => {
    await browser.close()
    await service.stop()
  })
}
