/** Makes the pictures of the README, `npm run pictures`: the pages with the animals and orders of `petstore demo`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scopesFor } from '../src/model/key.ts'
import { lackOfChromium, PagePool } from './support/chromium.ts'
import { DocsPage } from './support/docs-page.ts'
import { command, Folder } from './support/process.ts'
import { root } from './support/project.ts'
import { TestService } from './support/service.ts'
import { ShopPage } from './support/shop-page.ts'

const viewport = { width: 1280, height: 800 }

async function picture(name: string, { page }: ShopPage | DocsPage): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  writeFileSync(join(root, `docs/pictures/${name}.png`), await page.screenshot())
}

async function take(pages: PagePool, service: TestService): Promise<void> {
  const key = await service.makeKey({ scopes: scopesFor.staff })
  await using shop = await ShopPage.open(pages, service, { viewport, key, search: '?sort=oldest' })
  await shop.loaded()
  await shop.says('Live')
  await shop.page.locator('.item').first().waitFor()
  await picture('shop', shop)
  await using docs = await DocsPage.open(pages, service.url, { viewport, path: '/docs/animals#createPet' })
  await picture('docs', docs)
}

if (lackOfChromium) throw new Error(`Making the pictures ${lackOfChromium}.`)
using folder = new Folder()
await command(['demo'], folder.env)
await using service = await TestService.start(folder.env)
await using pages = await PagePool.launch()
await take(pages, service)
