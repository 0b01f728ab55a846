/** The docs page, open in a real browser. */
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { Browsed, describeBrowsed, type PagePool } from './chromium.ts'
import type { Node } from './openapi.ts'
import { projectFile } from './project.ts'
import type { Describe } from './scope.ts'
import { type LookOptions, WatchedPage } from './watched-page.ts'

export const ours: Node = JSON.parse(projectFile('openapi.json'))
export const only = (node: Node, names: RegExp) =>
  Object.fromEntries(Object.entries<Node>(node).filter(([name]) => names.test(name)))
/** A few operations with all kinds of parts, which are drawn in a fifth of the time. */
export const abridged = {
  ...ours,
  paths: only(ours.paths, /^\/(?:pets|store\/orders|me)(?:\/\{\w+\})?$/),
  webhooks: only(ours.webhooks, /^pet\.created$/),
  components: { ...ours.components, schemas: only(ours.components.schemas, /Pet|Order|Error/) },
}

export interface DocsOptions extends LookOptions {
  /** What follows the address of the service. */
  readonly path?: string
  /** Shown in place of the service's own. */
  readonly document?: Node
}

/** The service whose reference is shown, and how its page is opened. */
class Shown extends Browsed {
  readonly open = (options?: DocsOptions) => DocsPage.open(this.pages, this.service.url, options)
}

export const describeDocs = (title: string, define: (shown: Shown) => void, inScope?: Describe): void =>
  describeBrowsed(title, new Shown(), define, inScope)

export class DocsPage extends WatchedPage {
  static async open(pages: PagePool, url: string, { path = '/', document, ...look }: DocsOptions = {}) {
    const page = await WatchedPage.take(pages, { viewport: { width: 1440, height: 900 }, ...look })
    const docs = new DocsPage(pages, page, url)
    if (document) await page.route('**/openapi.json', (route) => route.fulfill({ json: document }))
    await page.goto(`${url}${path}`)
    try {
      await page.locator('article').first().waitFor()
      await page.locator('.guide').first().waitFor()
    } catch (cause) {
      throw new Error(`the page shows no operation, or no guide; ${docs.faults.join('; ')}`, { cause })
    }
    return docs
  }

  /** All that the page says, folded or not. */
  async text(selector = '#page'): Promise<string> {
    return (await this.page.locator(selector).textContent()) ?? ''
  }

  async enterKey(key: string, said: string | RegExp = 'accepts this key'): Promise<void> {
    await this.keyField.fill(key)
    await this.page.keyboard.press('Enter')
    await this.saysOfKey(said)
  }

  async saysOfKey(said: string | RegExp): Promise<void> {
    await this.page.locator('#key-state').getByText(said).waitFor()
  }

  /** Waits until it is told to those who listen. */
  async announces(said: string | RegExp): Promise<void> {
    await this.page.getByRole('status').getByText(said).waitFor({ state: 'attached' })
  }

  get keyField(): Locator {
    return this.page.locator('#key')
  }

  operation(id: string): Locator {
    return this.page.locator(`article#${id}`)
  }

  /** Opens the panel of an operation. */
  async openPanel(id: string): Promise<Locator> {
    await this.operation(id).getByRole('button', { name: 'Try it' }).click()
    return this.operation(id).locator('.panel')
  }

  input(id: string, name: string, exact = false): Locator {
    return this.operation(id).locator('.panel .input').getByLabel(name, { exact })
  }

  /** The button that sends the request of an operation. */
  sender(id: string): Locator {
    return this.operation(id).getByRole('button', { name: 'Execute' })
  }

  /** Sends it, with a yes where the page asks. */
  async send(id: string): Promise<void> {
    await this.sender(id).click()
    const isAsked = (await this.operation(id).getByText('you are asked').count()) > 0
    if (isAsked) await this.operation(id).getByRole('button', { name: 'Send it' }).click()
  }

  async execute(id: string): Promise<{ status: string; body: string; curl: string }> {
    const operation = this.operation(id)
    await this.send(id)
    // It is called otherwise until the response is there, in place of one before.
    await this.sender(id).waitFor()
    await operation.locator('.answer').waitFor()
    const code = operation.locator('.answer .card code')
    return {
      status: (await operation.locator('.outcome').textContent()) ?? '',
      body: (await code.first().textContent()) ?? '',
      curl: (await operation.locator('.try + .card code').textContent()) ?? '',
    }
  }

  /** Opens the search with its key, and types. */
  async search(text: string): Promise<void> {
    await this.page.keyboard.press('/')
    await this.page.locator('#search:focus').waitFor()
    await this.page.keyboard.type(text)
  }

  /** Waits until the page has scrolled there. */
  async untilInView(selector: string): Promise<void> {
    await this.until(`probe.isInView(${JSON.stringify(selector)})`)
  }

  async unfoldAll(): Promise<void> {
    await this.page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`)
  }

  override async expectAccessible(state: string, part?: string): Promise<void> {
    await super.expectAccessible(state, part)
    assert.deepEqual(await this.probe('beyond'), [], `${state}: beyond the window`)
  }
}
