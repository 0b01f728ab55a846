/** What the page for staff asks the service for, counted. */
import type { Page } from 'playwright-core'
import { eventually } from './patience.ts'
import type { ShopPage } from './shop-page.ts'

/** What the page asks the service for from now on, besides the stream of events. */
export function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, path = ''] = request.url().split('/v1')
    if (path && !path.startsWith('/events/stream')) asked.push(`${request.method()} ${path}`)
  })
  return asked
}

/** Waits until the page follows events, and has read everything again since it does. */
export async function following(opening: Promise<ShopPage>): Promise<ShopPage> {
  const shop = await opening
  await shop.says('Live')
  await quiet(shop, requestsOf(shop.page))
  return shop
}

/** Resolves once nothing more is asked for: what is wanted now is asked for within a second. */
export async function quiet({ page }: ShopPage, asked: readonly string[]): Promise<void> {
  await eventually(async () => {
    const before = asked.length
    // Longer than the page waits between two refreshes.
    await page.evaluate('new Promise((done) => setTimeout(() => probe.answered().then(done), 1500))')
    return asked.length === before
  }, Boolean)
}
