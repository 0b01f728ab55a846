/** The page for staff, open in a real browser. */
import assert from 'node:assert/strict'
import type { Locator, Page, Route } from 'playwright-core'
import type { Scope } from '../src/model/key.ts'
import { Browsed, describeBrowsed, type PagePool } from './chromium.ts'
import { addPet, addPets, freshCategory, type Pet } from './expect.ts'
import { eventually } from './patience.ts'
import { describeInFull } from './scope.ts'
import type { TestService } from './service.ts'
import { type LookOptions, WatchedPage } from './watched-page.ts'

export { phone } from './watched-page.ts'

/** How often the page sends a request that may be repeated: once, and then three more times. */
export const triesMax = 4

export interface ShopOptions extends LookOptions {
  /** The part of the address after /shop. */
  readonly search?: string
  /** The key to sign in with. With null, the form stays as it is. */
  readonly key?: string | null
  readonly host?: string
}

/** The store behind the page, which tests prepare and query. */
class Store extends Browsed {
  readonly open = (options?: ShopOptions) => ShopPage.open(this.pages, this.service, options)
  /** Adds an animal of each name to a new category, and opens the list of the category. */
  readonly openList = async (names: readonly string[], { search = '', ...options }: ShopOptions = {}) => {
    const category = freshCategory()
    const ids = await this.addNamed(category, ...names)
    const shop = await this.open({ ...options, search: `?category=${category}${search}` })
    if (names.length > 0 && options.key !== null) await shop.page.locator('.item').first().waitFor()
    return Object.assign(shop, { category, ids })
  }
  /** Adds an animal, and opens it. */
  readonly openPet = async (pet: object, options?: ShopOptions) => {
    const { id, categoryId } = await this.addPet(pet)
    const shop = await this.open({ ...options, search: `?category=${categoryId}&pet=${id}` })
    return Object.assign(shop, { id, categoryId })
  }
  readonly call = async (method: string, path: string, body?: object) =>
    (await this.service.call(method, path, body && { body })).json
  readonly addPet = (pet?: object): Promise<Pet> => addPet(this.service, pet)
  readonly addPets = (count: number, pet?: object) => addPets(this.service, count, pet)
  /** Adds an animal of each of these names, and resolves with their ids. */
  readonly addNamed = async (categoryId: number, ...names: string[]): Promise<number[]> => {
    const ids: number[] = []
    for (const name of names) ids.push((await this.addPet({ name, categoryId })).id)
    return ids
  }
  readonly petsIn = (category: number): Promise<Pet[]> => this.call('GET', `/pets?categoryId=${category}`)
  readonly patch = (id: number | undefined, body: object): Promise<Pet> => this.call('PATCH', `/pets/${id}`, body)
  readonly statusOf = async (id: number): Promise<string> => (await this.call('GET', `/pets?id=${id}`))[0].status
  readonly nameCategory = (id: number, name: string) => this.call('PUT', `/categories/${id}`, { name })
  readonly order = (petId: number | undefined) => this.call('POST', '/store/orders', { petId })
  readonly moveOrder = (id: number, verb: string) => this.call('POST', `/store/orders/${id}/${verb}`)
  readonly ordersOf = (id: number) => this.call('GET', `/store/orders?petId=${id}`)
  readonly makeKey = (...scopes: Scope[]) => this.service.makeKey({ scopes })
  /** Creates a key that `expire` ends. */
  readonly makeEndingKey = () => this.service.makeKey({ expiresAt: Date.now() + 3_600_000 })
  readonly expire = () => this.service.setClock(Date.now() + 7_200_000)
}

export const describeShop = (title: string, define: (store: Store) => void): void =>
  describeBrowsed(title, new Store(), define, describeInFull)

export class ShopPage extends WatchedPage {
  static async open(
    pages: PagePool,
    service: TestService,
    { search = '', key = service.key, host = '127.0.0.1', ...look }: ShopOptions = {},
  ): Promise<ShopPage> {
    const url = `http://${host}:${service.port}`
    const shop = new ShopPage(pages, await WatchedPage.take(pages, look), url)
    await shop.page.goto(`${url}/shop${search}`)
    if (key !== null) await shop.signIn(key)
    return shop
  }

  /** Opens another tab of the same browser, which is closed together with this one. */
  async openTab(path = '/shop', prepare?: (page: Page) => Promise<unknown>): Promise<ShopPage> {
    const tab = new ShopPage(this.pages, await this.page.context().newPage(), this.url)
    await prepare?.(tab.page)
    await tab.page.goto(this.url + path)
    return tab
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key)
    await this.page.keyboard.press('Enter')
    await this.button('Sign out').waitFor()
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** Returns a button of the open sheet. The list behind it may have one with the same name. */
  sheetButton(name: string): Locator {
    return this.sheet.getByRole('button', { name, exact: true })
  }

  /** Clicks on a button that asks for a confirmation, and answers. Resolves with the question. */
  async confirm(button: string | Locator, isYes = true): Promise<string> {
    const asked = this.page.waitForEvent('dialog')
    const click = (typeof button === 'string' ? this.button(button) : button).click()
    const dialog = await asked
    await (isYes ? dialog.accept() : dialog.dismiss())
    await click
    return dialog.message()
  }

  /** Counts the clicks from now on. */
  async countClicks(): Promise<void> {
    await this.page.evaluate(
      `globalThis.clicks ?? addEventListener('click', () => clicks++, true), (globalThis.clicks = 0)`,
    )
  }

  clicks(): Promise<number> {
    return this.page.evaluate<number>('clicks')
  }

  /** Chooses an item of the menu. */
  async menu(name: string): Promise<void> {
    await this.button('Menu').click()
    await this.page.locator('.menu').getByRole('button', { name, exact: true }).click()
  }

  /** The field that filters by category. */
  get categoryFilter(): Locator {
    return this.page.locator('.toolbar').getByRole('combobox')
  }

  /** The field for the category in the sheet. */
  get categoryField(): Locator {
    return this.sheet.getByRole('combobox', { name: 'Category' })
  }

  /** The button that sends the form of an order. */
  get sendOrder(): Locator {
    return this.page.locator('.order-form [type=submit]')
  }

  /** Opens the form of an order, types the customer, and sends it. */
  async reserve(opener: string | Locator, reference = '', then?: string | RegExp): Promise<void> {
    await this.click(opener)
    if (reference) await this.page.getByLabel('For whom').fill(reference)
    await this.click(this.sendOrder, then)
  }

  /** The history of the animal that is open. */
  get history(): Locator {
    return this.sheet.locator('.history')
  }

  /** Types into a field with suggestions, and takes the first one. */
  async choose(field: Locator, text: string): Promise<void> {
    await field.fill(text)
    await field.press('Enter')
  }

  /** Shows only the animals with a status. */
  async filter(status: string): Promise<void> {
    await this.page.getByRole('group', { name: 'Status' }).getByRole('button', { name: status }).click()
  }

  /** Waits until the page shows a message. */
  async says(text: string | RegExp): Promise<void> {
    await this.text(text).waitFor()
  }

  /** Clicks on a button, and waits for a message, or until another element has the focus. */
  async click(button: string | RegExp | Locator, then?: string | RegExp | Locator): Promise<void> {
    await (typeof button === 'string' || button instanceof RegExp ? this.button(button) : button).click()
    await this.#comes(then)
  }

  /** Activates a button in the same way with the keyboard. */
  async enter(button: string | Locator, then?: string | RegExp | Locator): Promise<void> {
    await (typeof button === 'string' ? this.button(button) : button).press('Enter')
    await this.#comes(then)
  }

  /** Presses a key, wherever the focus is. */
  async key(key: string, then?: string | RegExp | Locator): Promise<void> {
    await this.page.keyboard.press(key)
    await this.#comes(then)
  }

  async #comes(then: string | RegExp | Locator | undefined): Promise<void> {
    if (typeof then === 'string' || then instanceof RegExp) await this.says(then)
    else if (then) await this.expectFocus(then)
  }

  /** Closes what is open, with the keyboard. */
  async escape(): Promise<void> {
    await this.key('Escape')
    await this.sheetClosed()
  }

  /** The field for the name of an animal. */
  get name(): Locator {
    return this.page.getByLabel('Name')
  }

  /** Begins to edit the open animal, and types another name. */
  async edit(name: string): Promise<void> {
    await this.click('Edit')
    await this.name.fill(name)
  }

  async openAdd(): Promise<void> {
    await this.page.locator('.toolbar').getByRole('button', { name: 'Add' }).click()
    await this.sheet.waitFor()
  }

  /** The row of an animal. */
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

  /** Waits until an element has the focus. */
  async expectFocus(element: Locator): Promise<void> {
    await element.and(this.page.locator(':focus')).waitFor()
  }

  /** Returns the names of the animals in the list, in order. */
  names(): Promise<string[]> {
    return this.page.locator('.item .name').allTextContents()
  }

  /** Returns the numbers of the animals or orders in the list, in order. */
  listed(): Promise<number[]> {
    return this.page.locator('.item').evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-id'))))
  }

  /** Resolves once an animal or order in the list has this status. */
  async expectStatus(name: string, status: string): Promise<void> {
    await this.item(name).getByText(status, { exact: true }).waitFor()
  }

  /**
   * Resolves once every request that the page sends when it is opened was answered: for the counts, the list, and what
   * is open.
   */
  async loaded(): Promise<void> {
    await this.page.locator('.count', { hasText: /\d/ }).first().waitFor({ state: 'attached' })
    await this.page.locator('.catalogue[aria-busy=false]').waitFor({ state: 'attached' })
    await this.page.locator('#sheet-title', { hasText: 'Loading…' }).waitFor({ state: 'detached' })
  }

  /** Adds an animal in the sheet that is open. */
  async add(name: string): Promise<void> {
    await this.name.fill(name)
    await this.enter(this.name, `${name} was added.`)
  }

  /** Opens an animal of the list. */
  async openItem(name: string): Promise<void> {
    await this.item(name).getByRole('link').click()
    await this.sheetOpened(name)
  }

  async closeSheet(): Promise<void> {
    await this.click('Close')
    await this.sheetClosed()
  }

  async sheetClosed(): Promise<void> {
    await this.sheet.waitFor({ state: 'detached' })
  }

  /** Waits until the sheet of this title is open. */
  async sheetOpened(name: string): Promise<void> {
    await this.sheet.getByRole('heading', { name, exact: true }).waitFor()
  }

  /** Scrolls down until this many animals or orders are in the list. */
  async reach(count: number): Promise<void> {
    const scroll = async () => {
      await this.page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await this.twoFrames()
      return this.page.locator('.item').count()
    }
    await eventually(scroll, (reached) => reached >= count)
  }

  /** Lets time pass, for work that the page does after some seconds. */
  async pass(seconds: number): Promise<void> {
    await this.twoFrames()
    await this.probe('pass', seconds * 1_000)
  }

  async goOffline(): Promise<void> {
    await this.page.context().setOffline(true)
    // An answer that is still under way would say that there is a connection.
    await this.probe('answered')
    await this.page.evaluate(`dispatchEvent(new Event('offline'))`)
    await this.says('No connection.')
  }

  async goOnline(): Promise<void> {
    await this.page.context().setOffline(false)
    // This is the time after which the page asks again by itself, in case it asked before the connection was there.
    await this.pass(5)
    await this.text('No connection.').waitFor({ state: 'detached' })
  }

  /** Makes the page act as if its tab was shown again. */
  async lookAgain(): Promise<void> {
    await this.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  }

  /** The service carries out the next such requests, but the page never receives the answers. */
  async loseAnswer(url: string, times = 1): Promise<void> {
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await this.intercept(url, lose, times)
  }

  /**
   * The service answers the next such request immediately, but the page receives the answer only after `letGo` is
   * called.
   */
  async holdAnswer(url: string): Promise<{ held: Promise<void>; letGo: () => Promise<void> }> {
    const held = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const given = Promise.withResolvers<void>()
    const hold = async (route: Route) => {
      const response = await route.fetch()
      held.resolve()
      await gate.promise
      await route.fulfill({ response })
      given.resolve()
    }
    await this.intercept(url, hold)
    const letGo = async () => {
      gate.resolve()
      await given.promise
      await this.twoFrames()
    }
    return { held: held.promise, letGo }
  }

  /**
   * Waits long enough for what the page does after something came into view or arrived, even if that happens after
   * drawing.
   */
  async twoFrames(): Promise<void> {
    await this.probe('twoFrames')
  }

  /** Waits until the counts at the top are these. */
  async expectCounts(available: number, pending: number, sold: number): Promise<void> {
    const counts = this.page.getByRole('group', { name: 'Status' })
    for (const [status, count] of Object.entries({ Available: available, Reserved: pending, Sold: sold }))
      await counts.getByRole('button', { name: `${status} ${count}`, exact: true }).waitFor()
  }

  /** Also checks that nothing is too small to touch. */
  override async expectAccessible(state: string, part?: string): Promise<void> {
    await super.expectAccessible(state, part)
    // With a mouse, rows may be lower. WCAG 2.2 requires 24 pixels.
    const least = (this.page.viewportSize()?.width ?? 0) < 768 ? 44 : 24
    if (part === undefined) assert.deepEqual(await this.probe('small', least), [], `${state}: targets too small`)
  }
}
