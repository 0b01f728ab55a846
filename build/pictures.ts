/** Makes the pictures of the README, `npm run pictures`: the pages with the animals and orders of `petstore demo`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lackOfChromium, PagePool } from '../harness/chromium.ts'
import { DocsPage } from '../harness/docs-page.ts'
import { command, Folder } from '../harness/process.ts'
import { root } from '../harness/project.ts'
import { TestService } from '../harness/service.ts'
import { ShopPage } from '../harness/shop-page.ts'
import { scopesFor } from '../src/model/key.ts'

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
