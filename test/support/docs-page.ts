/** The docs page, open in a real browser. */
import type { Browser, Locator, ViewportSize } from 'playwright-core'
import type { TestService } from './service.ts'
import { WatchedPage } from './watched-page.ts'

export class DocsPage extends WatchedPage {
  static async open(browser: Browser, url: string, viewport: ViewportSize): Promise<DocsPage> {
    const page = await WatchedPage.newPage(browser, { viewport })
    const docs = new DocsPage(page, url)
    await page.goto(`${url}/`)
    try {
      await page.locator('.opblock').first().waitFor()
    } catch (cause) {
      throw new Error(`the page shows no operation; ${docs.faults.join('; ')}`, { cause })
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
}
