/**
 * The page for staff in a real browser without a connection, after refusals of the service, and every state as axe-core
 * sees it.
 */
import assert from 'node:assert/strict'
import { freshCategory } from '../../harness/expect.ts'
import { becomes } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopOptions, type ShopPage } from '../../harness/shop-page.ts'

/** The size of a desktop of 1280 pixels at 200 %. */
const zoomed = { width: 640, height: 450 }

describeShop('Moments of the shop in Chromium', (store) => {
  const { open, openList, openPet, addPet, addNamed, patch, ordersOf, makeKey } = store

  test('The page for staff says that the connection is lost, keeps unsaved text, and continues when it is back [decision 29]', async () => {
    await addPet()
    await using shop = await open()
    await shop.loaded()
    // The client would otherwise try again as soon as the connection is back.
    await shop.page.route('**/v1/pets', (route) => route.abort())
    await shop.openAdd()
    await shop.choose(shop.categoryField, 'Category')
    await shop.name.fill('Kept')
    await shop.goOffline()
    await shop.says('What you typed is kept.')
    await shop.key('Enter')
    // The message must come from the last attempt, because an earlier one would be followed by one that succeeds.
    await shop.says('The animal was not added.')
    await becomes(() => shop.name.inputValue(), 'Kept')
    await shop.goOnline()
    await shop.page.reload()
    await shop.page.unroute('**/v1/pets')
    await becomes(() => shop.name.inputValue(), 'Kept')
    await shop.click(shop.sheetButton('Add'), 'Kept was added.')
  })

  test('Without a connection, the page for staff says that an order was not placed [decision 29]', async () => {
    await using shop = await openPet({ name: 'Not ordered', categoryId: freshCategory() })
    await shop.loaded()
    await shop.goOffline()
    assert.equal(await shop.text('What you typed').count(), 0, 'nothing is typed')
    await shop.reserve(shop.sheetButton('Reserve'), '', 'The order was not placed.')
    assert.deepEqual(await ordersOf(shop.id), [])
    await shop.expectAccessible('an order that was not placed')
  })

  test('The page for staff says beside a field what is wrong and what to do, without cutting the text off [decision 29]', async () => {
    await using shop = await openList([])
    await shop.openAdd()
    const { name } = shop
    await name.fill('   ')
    await name.press('Enter')
    await shop.sheet.getByRole('alert').getByText('Type a name').waitFor()
    assert.match((await name.getAttribute('aria-describedby')) ?? '', /name-fault/)
    assert.equal(await shop.page.locator('.message').count(), 0)
    await shop.expectAccessible('a name that is refused')
    await shop.add('Written')
    await shop.sheet.getByRole('alert').waitFor({ state: 'detached' })
    await shop.closeSheet()
    const json = { code: 'bad_request', message: 'A long story. '.repeat(20), status: 400 }
    await shop.page.route('**/store/orders', (route) => route.fulfill({ status: 400, json }))
    await shop.reserve('Reserve Written')
    const said = shop.page.locator('.message span').first()
    await said.getByText('tell whoever runs this store').waitFor()
    const isWhole = await said.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)
    assert.ok(isWhole, 'nothing is cut off')
  })

  const someItem = ({ page }: ShopPage) => page.locator('.item').first().waitFor()
  /** Reloads the page with another answer to some of its requests. */
  async function answer({ page }: ShopPage, url: string, given: Parameters<typeof page.route>[1]): Promise<void> {
    await page.route(url, given)
    await page.reload()
  }
  /** Brings the page into a state, and checks it. */
  async function look(shop: ShopPage, state: string, search: string, run: () => Promise<unknown>): Promise<void> {
    await shop.page.goto(`${shop.url}/shop${search}`)
    await run()
    await shop.expectAccessible(state)
    await shop.page.unrouteAll({ behavior: 'ignoreErrors' })
    await shop.page.context().setOffline(false)
    // If the sheet stayed open, the page would open it again.
    if (await shop.sheet.count()) await shop.closeSheet()
  }

  /** Checks the states of the list and of the form for a key, one after another. */
  async function throughLists(shop: ShopPage): Promise<void> {
    const { page } = shop
    const category = freshCategory()
    await addNamed(category, 'Long '.repeat(200), 'أرنب صغير')
    await look(shop, 'table', `?category=${category}&status=available`, () => shop.item('أرنب صغير').waitFor())
    await look(shop, 'nothing found', '?status=sold&search=%F0%9F%90%A2', () =>
      shop.button('Search all animals').waitFor(),
    )
    await look(shop, 'selected', `?category=${category}`, async () => {
      await someItem(shop)
      await shop.menu('Select')
      await shop.click('Select all 2')
      await shop.says('2 selected')
      await shop.expectAccessible('rows selected')
      await page.getByRole('combobox', { name: 'To which category' }).click()
      await page.getByRole('option').first().waitFor()
      await shop.expectAccessible('where to move them')
    })
    await look(shop, 'saving', '', async () => {
      await someItem(shop)
      await page.route('**/v1/pets?*limit=100*', () => {})
      await shop.menu('Save as CSV')
      await shop.button('Stop').waitFor()
    })
    await look(shop, 'menu and categories', '', async () => {
      await someItem(shop)
      await shop.button('Menu').click()
      await shop.expectAccessible('menu')
      await shop.key('Escape', shop.button('Menu'))
      await shop.categoryFilter.click()
      await page.getByRole('option').first().waitFor()
    })
    await look(shop, 'empty', `?category=${freshCategory()}`, () => shop.text('Nothing matches').waitFor())
    await look(shop, 'loading', '', async () => {
      await answer(shop, '**/v1/pets?*', () => {})
      await page.locator('.blank').first().waitFor()
    })
    await look(shop, 'failed', '', async () => {
      const json = { code: 'bad_request', message: 'The list was refused.', status: 400 }
      await answer(shop, '**/v1/pets?*', (route) => route.fulfill({ status: 400, json }))
      await shop.says('could not be loaded')
    })
    for (const [state, key, isThere] of [
      ['read-only key', await makeKey('pets:read'), () => someItem(shop)],
      ['a key that may not read', await makeKey('orders:read'), () => shop.text('may not see').waitFor()],
    ] as const)
      await look(shop, state, '', async () => {
        await shop.click('Sign out')
        await shop.signIn(key)
        await isThere()
      })
    await look(shop, 'refused key', '', async () => {
      await shop.click('Sign out')
      await page.getByLabel('API key').fill('pst_x')
      await page.keyboard.press('Enter')
      await shop.says('This key is not valid')
    })
  }

  /** Checks the states of everything that opens over the list, and of the orders. */
  async function throughSheets(shop: ShopPage): Promise<void> {
    const { page } = shop
    const category = freshCategory()
    const { id } = await addPet({ name: 'Long '.repeat(200), categoryId: category })
    await look(shop, 'animal', `?category=${category}&pet=${id}`, async () => {
      await shop.click(shop.sheetButton('Reserve'))
      await shop.expectAccessible('form of an order')
      await shop.click(shop.sendOrder)
      await shop.button('Hand over').waitFor()
      await shop.expectAccessible('order placed')
      await shop.click('Edit')
      await page.getByLabel('Name').fill('Short')
      await shop.expectAccessible('edit')
      await patch(id, { categoryId: 4 })
      await shop.click('Save', 'It changed meanwhile')
    })
    await look(shop, 'orders', '?show=orders', async () => {
      await page.locator('.do button').first().click()
      await page.locator('.message').waitFor()
    })
    const { id: unwanted } = await addPet({ name: 'Unwanted', categoryId: category })
    await look(shop, 'removed', `?category=${category}&pet=${unwanted}`, async () => {
      await shop.confirm('Remove')
      await page.locator('.message').waitFor()
    })
    await look(shop, 'no orders', '?show=orders', async () => {
      await answer(shop, '**/store/orders?*', (route) => route.fulfill({ json: [] }))
      await shop.says('No orders here')
    })
    await look(shop, 'offline while adding', '', async () => {
      await shop.openAdd()
      await shop.goOffline()
    })
    await look(shop, 'categories', '', async () => {
      await someItem(shop)
      await shop.menu('Categories')
    })
    await look(shop, 'shortcuts', '', async () => {
      await someItem(shop)
      await page.keyboard.press('?')
      await shop.sheet.waitFor()
    })
  }

  // Each width, each set of colours and each kind of motion occurs once. Only the colours differ between the last two.
  const looks: [string, ShopOptions, string[]?][] = [
    ['on a phone in the dark', { viewport: phone, colorScheme: 'dark' }],
    ['at a desk, with motion', { reducedMotion: 'no-preference' }],
    ['zoomed to 200 %, in forced colours', { viewport: zoomed, forcedColors: 'active' }, ['color-contrast']],
  ]
  for (const [name, options, rules] of looks)
    for (const [what, through] of [
      ['its list', throughLists],
      ['what is opened over it', throughSheets],
    ] as const)
      test(`The page for staff is accessible in all states of ${what}, ${name}`, async () => {
        await using shop = await open(options)
        shop.rules = rules
        await through(shop)
      })
})
