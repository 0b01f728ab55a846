/** The page for staff, open in a real browser. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Locator, Route } from 'playwright-core'
import type { TestService } from './service.ts'
import { WatchedPage } from './watched-page.ts'

/** How often the page sends a request that may be repeated: once, and three times more. */
export const triesMax = 4

export interface ShopOptions extends BrowserContextOptions {
  /** What follows /shop in the address. */
  readonly search?: string
  /** The key to sign in with; null leaves the form as it is. */
  readonly key?: string | null
  readonly host?: string
}

export class ShopPage extends WatchedPage {
  static async open(
    browser: Browser,
    service: TestService,
    { search = '', key = service.key, host = '127.0.0.1', ...options }: ShopOptions = {},
  ): Promise<ShopPage> {
    const url = `http://${host}:${service.port}`
    const page = await WatchedPage.newPage(browser, { viewport: { width: 1280, height: 900 }, ...options })
    const shop = new ShopPage(page, url)
    await page.goto(`${url}/shop${search}`)
    if (key !== null) await shop.signIn(key)
    return shop
  }

  /** Another tab of the same browser; it is closed with this one. */
  async openTab(path = '/shop'): Promise<ShopPage> {
    const url = new URL(this.page.url()).origin
    const tab = new ShopPage(await this.page.context().newPage(), url)
    await tab.page.goto(url + path)
    return tab
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key)
    await this.page.keyboard.press('Enter')
    await this.button('Sign out').waitFor()
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  async openAdd(): Promise<void> {
    await this.page.locator('.toolbar').getByRole('button', { name: 'Add' }).click()
    await this.sheet.waitFor()
  }

  /** The card or row of an animal. */
  item(name: string): Locator {
    return this.page.locator('.item', { has: this.page.getByRole('link', { name, exact: true }) })
  }

  /** The sheet over the page. */
  get sheet(): Locator {
    return this.page.getByRole('dialog')
  }

  text(text: string | RegExp): Locator {
    return this.page.getByText(text).first()
  }

  /** As when its tab is shown again. */
  async lookAgain(): Promise<void> {
    await this.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  }

  /** The service carries the next such requests out, and the page never hears of it. */
  async loseAnswer(url: string, times = 1): Promise<void> {
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await this.page.route(url, lose, { times })
  }

  /** The service answers the next such request at once, and the page gets the answer when it is let go. */
  async holdAnswer(url: string): Promise<{ held: Promise<void>; letGo: () => Promise<void> }> {
    const [held, gate, given] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    const hold = async (route: Route) => {
      const response = await route.fetch()
      held.resolve()
      await gate.promise
      await route.fulfill({ response })
      given.resolve()
    }
    await this.page.route(url, hold, { times: 1 })
    const letGo = async () => {
      gate.resolve()
      await given.promise
      await this.twoFrames()
    }
    return { held: held.promise, letGo }
  }

  /** Long enough for what the page does when something comes into view or arrives. */
  async twoFrames(): Promise<void> {
    await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }

  /** Waits until the counts at the top are these. */
  async expectCounts(available: number, pending: number, sold: number): Promise<void> {
    const counts = this.page.getByRole('group', { name: 'Show only' })
    for (const [status, count] of Object.entries({ available, pending, sold }))
      await counts.getByRole('button', { name: `${count} ${status}`, exact: true }).waitFor()
  }

  /** Also that nothing is too small to touch. */
  override async expectAccessible(state: string, part?: string): Promise<void> {
    await super.expectAccessible(state, part)
    if (part === undefined) assert.deepEqual(await this.probe('small'), [], `${state}: targets below 44 pixels`)
  }
}
