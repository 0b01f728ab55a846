/** The docs page, open in a real browser; what it must never do is checked whenever it is closed. */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page, ViewportSize } from 'playwright-core'
import type { TestService } from './service.ts'

const probe = fileURLToPath(new URL('page-probe.js', import.meta.url))

export class DocsPage implements AsyncDisposable {
  readonly page: Page
  /** Refused by the page's policy, said by the console, or asked of another host. */
  readonly #faults: string[] = []

  private constructor(page: Page, url: string) {
    this.page = page
    page.on('console', (message) => message.type() === 'error' && this.#faults.push(message.text()))
    page.on('pageerror', (error) => this.#faults.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
        this.#faults.push(`a request to ${request.url()}`)
    })
  }

  static async open(browser: Browser, url: string, viewport: ViewportSize): Promise<DocsPage> {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' })
    await page.addInitScript({ path: probe })
    const docs = new DocsPage(page, url)
    await page.goto(`${url}/`)
    try {
      await page.locator('.opblock').first().waitFor()
    } catch (cause) {
      throw new Error(`the page shows no operation; ${docs.#faults.join('; ')}`, { cause })
    }
    return docs
  }

  async enterKey({ key }: TestService): Promise<void> {
    await this.page.getByLabel('API key').fill(key)
    await this.page.getByText('Calls from this page use this key').waitFor()
  }

  operation(id: string): Locator {
    return this.page.locator(`.opblock[id$="-${id}"]`)
  }

  async unfold(id: string): Promise<Locator> {
    const operation = this.operation(id)
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.responses-wrapper').waitFor()
    return operation
  }

  async fold(id: string): Promise<void> {
    await this.operation(id).locator('.opblock-summary-control').click()
    await this.operation(id).locator('.responses-wrapper').waitFor({ state: 'detached' })
  }

  /** Unfolds an operation, fills in parameters by name, sends the request, and reads what the page shows of the answer. */
  async tryOut(id: string, parameters: Record<string, string> = {}): Promise<{ status: string; body: string }> {
    const operation = await this.unfold(id)
    await operation.getByRole('button', { name: 'Try it out' }).click()
    for (const [name, value] of Object.entries(parameters))
      await operation.locator(`tr[data-param-name="${name}"] input`).fill(value)
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table tbody')
    return {
      status: (await answer.locator('.response-col_status').textContent()) ?? '',
      body: (await answer.locator('.highlight-code code').textContent()) ?? '',
    }
  }

  /** Asks the probe within the page. */
  probe<T>(name: string, ...args: string[]): Promise<T> {
    return this.page.evaluate<T>(`probe.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close()
    assert.deepEqual(this.#faults, [])
  }
}
