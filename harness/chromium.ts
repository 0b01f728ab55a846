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
/** A test speaks to the service alone: no account, no updates, nothing fetched in the background. */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where it lies. */
export const [chromium = ''] = names.flatMap(onPath)
/** Why tests in it do not run here. */
export const lackOfChromium = chromium === '' ? lackOf(['chromium']) : undefined

/** Pages of one browser, each alone in its context, and used again: a new one costs 2 s of CPU, four times as much. */
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
    // Loaded when it is needed: in the quick scope most files have no test that does.
    const playwright = await import('playwright-core')
    const options = { executablePath: chromium, args: flags, timeout: 120_000 }
    return new PagePool(await playwright.chromium.launch(options), contexts)
  }

  async take(): Promise<Page> {
    const free = this.#free.pop()
    if (free) return free
    const context = await this.#browser.newContext(this.#options)
    // In all its tabs. Four times what is usual, as other tests may keep the machine busy.
    context.setDefaultTimeout(120_000)
    await context.addInitScript({ path: probe })
    return context.newPage()
  }

  /** Leaves nothing to whoever takes the page next; `url` is the origin for which it may have stored something. */
  async giveBack(page: Page, url: string): Promise<void> {
    const context = page.context()
    await context.setOffline(false)
    await context.clearPermissions()
    for (const tab of context.pages()) if (tab !== page) await tab.close()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // Nothing runs there that could store something afterwards.
    await page.goto(`${url}/livez`)
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await page.mouse.move(0, 0)
    this.#free.push(page)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close()
  }
}

/** A service on an empty store, and pages to open: both are there while the tests run. */
export class Browsed {
  service!: TestService
  pages!: PagePool
}

/** Tests in a browser with their own service. */
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
