/** A page in a real browser that is watched for what it must never do; that is checked whenever it is closed. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const probe = fileURLToPath(new URL('page-probe.js', import.meta.url))
const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/** What Chromium says of answers that a test provokes. */
const provoked =
  /^Failed to load resource: (the server responded with a status of [45]|net::ERR_(INTERNET_DISCONNECTED|FAILED))/

export class WatchedPage implements AsyncDisposable {
  readonly page: Page
  /** Refused by the page's policy, said by the console, or asked of another host. */
  readonly faults: string[] = []

  protected constructor(page: Page, url: string) {
    this.page = page
    page.on('console', (message) => {
      if (message.type() === 'error' && !provoked.test(message.text())) this.faults.push(message.text())
    })
    page.on('pageerror', (error) => this.faults.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
        this.faults.push(`a request to ${request.url()}`)
    })
  }

  protected static async newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    // In all its tabs. Four times what is usual, as other tests may keep the machine busy.
    context.setDefaultTimeout(120_000)
    await context.addInitScript({ path: probe })
    return context.newPage()
  }

  /** Asks the probe within the page. */
  probe<T>(name: string, ...args: string[]): Promise<T> {
    return this.page.evaluate<T>(`probe.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`)
  }

  /** Checks with axe-core that nothing in a part of the page is inaccessible, and that nothing is wider than the window. */
  async expectAccessible(state: string, part = 'html'): Promise<void> {
    await this.probe('settle')
    await this.page.evaluate(`globalThis.axe ?? (() => { ${axe} })()`)
    const found = await this.page.evaluate<string[]>(
      `axe.run('${part}', { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200))))`,
    )
    assert.deepEqual(found, [], state)
    assert.equal(await this.probe('overhang'), 0, `${state}: overhang`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close()
    assert.deepEqual(this.faults, [])
  }
}
