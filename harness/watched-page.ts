/**
 * A page in a real browser that is watched for things that must never happen. They are checked whenever a test returns
 * the page.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { ConsoleMessage, Page, Request, Route } from 'playwright-core'
import type { PagePool } from './chromium.ts'
import { eventually } from './patience.ts'

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/**
 * Messages of Chromium about answers that a test causes, and about another program that adds a network to the machine.
 */
const provoked =
  /^Failed to load resource: (the server responded with .*[45]|net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED))/

export const phone = { width: 390, height: 844 }

/** How a page is displayed. */
export interface LookOptions {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'dark' | 'light'
  readonly reducedMotion?: 'reduce' | 'no-preference'
  readonly forcedColors?: 'active' | 'none'
}

export class WatchedPage implements AsyncDisposable {
  readonly page: Page
  readonly url: string
  /** The rules of axe-core that are checked. If this is not set, all rules are. */
  rules: readonly string[] | undefined
  /** What the policy of the page has refused, what the console has reported, and requests to other hosts. */
  readonly faults: string[] = []
  protected readonly pages: PagePool

  protected constructor(pages: PagePool, page: Page, url: string) {
    this.pages = pages
    this.page = page
    this.url = url
    page.on('console', this.#onConsole)
    page.on('pageerror', this.#onError)
    page.on('request', this.#onRequest)
  }

  readonly #onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !provoked.test(message.text())) this.faults.push(message.text())
  }
  readonly #onError = (error: Error) => {
    this.faults.push(error.message)
  }
  readonly #onRequest = (request: Request) => {
    if (!request.url().startsWith(`${this.url}/`) && !request.url().startsWith('data:'))
      this.faults.push(`a request to ${request.url()}`)
  }

  protected static async take(pages: PagePool, { viewport, ...media }: LookOptions): Promise<Page> {
    const page = await pages.take()
    await page.setViewportSize(viewport ?? { width: 1280, height: 900 })
    await page.emulateMedia({
      media: null,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      forcedColors: 'none',
      ...media,
    })
    return page
  }

  /**
   * Handles the next requests to an address. Playwright has an option for this, but with it the service also answers
   * requests that have arrived and are not handled yet when the last one arrives.
   */
  async intercept(url: string | RegExp, handle: (route: Route) => unknown, times = 1): Promise<void> {
    let left = times
    await this.page.route(url, (route) => (left-- > 0 ? handle(route) : route.fallback()))
  }

  /** Calls a function of the probe within the page. */
  probe<T>(name: string, ...args: (string | number)[]): Promise<T> {
    return this.page.evaluate<T>(`probe.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`)
  }

  /**
   * Waits until an expression is true in the page. The policy of the page forbids what `waitForFunction` does unless it
   * is already true.
   */
  async until(expression: string): Promise<void> {
    await eventually(() => this.page.evaluate(expression), Boolean)
  }

  /**
   * Checks with axe-core that nothing in a part of the page is inaccessible, and that nothing is wider than the window.
   */
  async expectAccessible(state: string, part = 'html'): Promise<void> {
    await this.probe('settle')
    await this.page.evaluate(`globalThis.axe ?? (() => { ${axe} })()`)
    const found = await this.page.evaluate<string[]>(
      `axe.run('${part}', { resultTypes: ['violations'], runOnly: ${JSON.stringify(this.rules)} }).then(
        ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 99))))`,
    )
    assert.deepEqual(found, [], state)
    assert.equal(await this.probe('overhang'), 0, `${state}: overhang`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pages.giveBack(this.page, this.url)
    this.page.off('console', this.#onConsole)
    this.page.off('pageerror', this.#onError)
    this.page.off('request', this.#onRequest)
    assert.deepEqual(this.faults, [])
  }
}
