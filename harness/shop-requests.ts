/** Counts the requests that the page for staff sends. */
import type { Page } from 'playwright-core'
import { eventually } from './patience.ts'
import type { ShopPage } from './shop-page.ts'

/** Returns a growing list of the requests that the page sends from now on, except for the stream of events. */
export function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, path = ''] = request.url().split('/v1')
    if (path && !path.startsWith('/events/stream')) asked.push(`${request.method()} ${path}`)
  })
  return asked
}

/** Waits until the page follows events and has read everything again since then. */
export async function following<T extends ShopPage>(opening: Promise<T>): Promise<T> {
  const shop = await opening
  await shop.says('Live')
  await quiet(shop, requestsOf(shop.page))
  return shop
}

/** Resolves once the page sends no further requests. It sends a request that is needed now within a second. */
export async function quiet({ page }: ShopPage, asked: readonly string[]): Promise<void> {
  await eventually(async () => {
    const before = asked.length
    // This is longer than the page waits between two refreshes.
    await page.evaluate('new Promise((done) => setTimeout(() => probe.answered().then(done), 1500))')
    return asked.length === before
  }, Boolean)
}
