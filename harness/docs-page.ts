/** A page of the reference, open in a real browser. */
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { Browsed, describeBrowsed, type PagePool } from './chromium.ts'
import type { Describe } from './scope.ts'
import { type LookOptions, WatchedPage } from './watched-page.ts'

export interface DocsOptions extends LookOptions {
  /** The part of the address after that of the service. */
  readonly path?: string
}

/** The service whose reference is shown, and a way to open its pages. */
class Shown extends Browsed {
  readonly open = (path: string, options?: LookOptions) =>
    DocsPage.open(this.pages, this.service.url, { path, ...options })
}

export const describeDocs = (title: string, define: (shown: Shown) => void, inScope?: Describe): void =>
  describeBrowsed(title, new Shown(), define, inScope)

export class DocsPage extends WatchedPage {
  static async open(pages: PagePool, url: string, { path = '/docs', ...look }: DocsOptions = {}) {
    const page = await WatchedPage.take(pages, { viewport: { width: 1440, height: 900 }, ...look })
    const docs = new DocsPage(pages, page, url)
    await page.goto(`${url}${path}`)
    return docs
  }

  /** Returns all text of the page, visible or not. */
  async text(selector = 'body'): Promise<string> {
    return (await this.page.locator(selector).textContent()) ?? ''
  }

  async openKey(): Promise<void> {
    await this.page.locator('#key-button').click()
    await this.keyField.waitFor()
  }

  /** Enters a key that the service accepts, which closes the dialog. */
  async enterKey(key: string): Promise<void> {
    if (!(await this.keyField.isVisible())) await this.openKey()
    await this.keyField.fill(key)
    await this.page.keyboard.press('Enter')
    await this.keyField.waitFor({ state: 'hidden' })
  }

  async saysOfKey(said: string | RegExp): Promise<void> {
    await this.page.locator('#key-state').getByText(said).waitFor()
  }

  /** Waits until screen readers announce the text. */
  async announces(said: string | RegExp): Promise<void> {
    await this.page.locator('#said').getByText(said).waitFor({ state: 'attached' })
  }

  get keyField(): Locator {
    return this.page.locator('#key')
  }

  operation(id: string): Locator {
    return this.page.locator(`article#${id}`)
  }

  /** Returns the code of the sample that is shown. */
  async sample(id: string): Promise<string> {
    return (await this.operation(id).locator('.sample pre').filter({ visible: true }).textContent()) ?? ''
  }

  /** Opens the panel of an operation. */
  async openPanel(id: string): Promise<Locator> {
    await this.operation(id).getByRole('button', { name: 'Try it' }).click()
    return this.operation(id).locator('.panel')
  }

  input(id: string, name: string, exact = false): Locator {
    return this.operation(id).locator('.panel .input').getByLabel(name, { exact })
  }

  /** Returns the button that sends the request of an operation. */
  sender(id: string): Locator {
    return this.operation(id).getByRole('button', { name: 'Execute' })
  }

  /** Sends the request, and confirms it if the page asks. */
  async send(id: string): Promise<void> {
    await this.sender(id).click()
    const isAsked = (await this.operation(id).getByText('you are asked').count()) > 0
    if (isAsked) await this.page.getByRole('button', { name: 'Send it' }).click()
  }

  async execute(id: string): Promise<{ status: string; body: string }> {
    const answer = this.operation(id).locator('.answer')
    // The answer to an earlier request must not be taken for the answer to this one.
    await answer.evaluate((element) => element.replaceChildren())
    await this.send(id)
    await answer.locator('.outcome').waitFor()
    const status = (await answer.locator('.outcome').textContent()) ?? ''
    return { status, body: (await answer.locator('.body').allTextContents()).join() }
  }

  /** Opens the search with its key, and types the text. */
  async search(text: string): Promise<void> {
    await this.page.keyboard.press('/')
    await this.page.locator('#search:focus').waitFor()
    await this.page.keyboard.type(text)
  }

  /** Waits until the page has scrolled there. */
  async untilInView(selector: string): Promise<void> {
    await this.until(`probe.isInView(${JSON.stringify(selector)})`)
  }

  override async expectAccessible(state: string, part?: string): Promise<void> {
    await super.expectAccessible(state, part)
    assert.deepEqual(await this.probe('beyond'), [], `${state}: beyond the window`)
  }
}
