/** The Chromium of this machine, for tests of what runs in a browser. */
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { Folder } from './process.ts'
import { onPath } from './runtimes.ts'
import { after, before, type Describe, lackOf, unless } from './scope.ts'
import { TestService } from './service.ts'

const probe = fileURLToPath(new URL('page-probe.js', import.meta.url))
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/**
 * With these flags, a test talks only to the service. There is no account, no update and no traffic in the background.
 */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The path of Chromium, or an empty text. */
export const [chromium = ''] = names.flatMap(onPath)
/** Why tests in it do not run here. */
export const lackOfChromium = chromium === '' ? lackOf(['chromium']) : undefined

/**
 * Pages of one browser, each in its own context. They are used again, because a new page costs 2 s of CPU, four times
 * as much as a page that is used again.
 */
export class PagePool implements AsyncDisposable {
  readonly #browser: Browser
  readonly #options: BrowserContextOptions
  readonly #free: Page[] = []

  private constructor(browser: Browser, options: BrowserContextOptions) {
    this.#browser = browser
    this.#options = options
  }

  /** Starts the browser, headless and with an empty profile. */
  static async launch(contexts: BrowserContextOptions = {}): Promise<PagePool> {
    // Playwright is loaded when it is needed, because in the quick scope most files have no test that needs it.
    const playwright = await import('playwright-core')
    const options = { executablePath: chromium, args: flags, timeout: 120_000 }
    return new PagePool(await playwright.chromium.launch(options), contexts)
  }

  async take(): Promise<Page> {
    const free = this.#free.pop()
    if (free) return free
    const context = await this.#browser.newContext(this.#options)
    // This applies to all tabs. It is four times the default, because other tests may keep the machine busy.
    context.setDefaultTimeout(120_000)
    await context.addInitScript({ path: probe })
    return context.newPage()
  }

  /** Takes a page back, and removes what it has stored for the origin of `url`, so that the next test finds nothing. */
  async giveBack(page: Page, url: string): Promise<void> {
    const context = page.context()
    await context.setOffline(false)
    await context.clearPermissions()
    for (const tab of context.pages()) if (tab !== page) await tab.close()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // On this page, nothing can run that would store something afterwards.
    await page.goto(`${url}/livez`)
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await page.mouse.move(0, 0)
    this.#free.push(page)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close()
  }
}

/** A service with an empty store, and pages to open, for as long as the tests run. */
export class Browsed {
  service!: TestService
  pages!: PagePool
}

/** Defines tests in a browser with their own service. */
export function describeBrowsed<T extends Browsed>(
  title: string,
  browsed: T,
  define: (browsed: T) => void,
  inScope: Describe = describe,
): void {
  inScope(title, () =>
    unless(lackOfChromium, () => {
      const started = new AsyncDisposableStack()
      before(async () => {
        const { env } = started.use(new Folder())
        browsed.service = started.adopt(await TestService.start(env), (each) => each.stop())
        browsed.pages = started.use(await PagePool.launch())
      })
      after(() => started.disposeAsync())
      define(browsed)
    }),
  )
}
