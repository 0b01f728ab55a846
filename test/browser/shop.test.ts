/**
 * The page for staff in a real browser: everything that a person can do there, seen on the page and asked of the
 * service.
 */
import assert from 'node:assert/strict'
import { freshCategory } from '../support/expect.ts'
import { becomes, eventually } from '../support/patience.ts'
import { test, testInFull } from '../support/scope.ts'
import { describeShopAlways, phone, type ShopPage } from '../support/shop-page.ts'

describeShopAlways('The shop in Chromium', (store) => {
  const { open, call, addPet, addPets, patch, ordersOf, makeEndingKey, expire } = store
  const inventory = () => call('GET', '/store/inventory')

  const keyField = (tab: ShopPage) => tab.page.getByRole('textbox', { name: 'API key' })
  const kept = (tab: ShopPage) =>
    tab.probe<{ local: object; session: object; databases: object[]; cookie: string }>('kept')
  // A tab learns a moment later what another has stored.
  const keepsOnDevice = (tab: ShopPage, expected: object) => becomes(async () => (await kept(tab)).local, expected)

  testInFull(
    'a new tab of the shop and of the reference gets the key from an open one; signing out ends all of them [D278]',
    async () => {
      await using shop = await open()
      const other = await shop.openTab()
      await other.button('Sign out').waitFor()
      const docs = await shop.openTab('/docs')
      await docs.until(`document.querySelector('#key')?.value === '${store.service.key}'`)
      await docs.page.locator('#key-state').getByText('until the last tab is closed').waitFor()
      await other.openAdd()
      await other.name.fill('Half typed')
      await shop.click('Sign out')
      await other.button('Sign in').waitFor()
      await docs.until(`document.querySelector('#key').value === ''`)
      for (const tab of [shop, other, docs])
        await becomes(() => kept(tab), { local: {}, session: {}, databases: [], cookie: '' })
      await shop.signIn(store.service.key)
      await other.button('Sign out').waitFor()
      assert.equal(await other.sheet.count(), 0, 'nothing is left open')
      await docs.button('Sign out').click()
      for (const tab of [shop, other]) await tab.button('Sign in').waitFor()
    },
  )

  testInFull('a key is kept until the last tab is closed, and on the device only if asked for [D278]', async () => {
    await using shop = await open({ key: null })
    assert.equal(await shop.page.getByLabel('Remember').isChecked(), false)
    await shop.says('Whoever runs this store gives out the keys')
    await shop.page.getByLabel('Remember').check()
    await shop.expectAccessible('the form')
    await shop.signIn(store.service.key)
    await keepsOnDevice(shop, { 'petstore.key': store.service.key })
    // As when the browser was closed meanwhile.
    await shop.page.evaluate('sessionStorage.clear()')
    await shop.page.reload()
    await shop.click('Sign out')
    await keepsOnDevice(shop, {})
    await keyField(shop).fill('pst_mistyped')
    await shop.enter(keyField(shop), 'This key is not valid')
    await shop.signIn(store.service.key)
    await shop.says('test')
    await shop.page.reload()
    await shop.button('Sign out').waitFor()
    const session = { 'petstore.key': store.service.key }
    await becomes(() => kept(shop), { local: {}, session, databases: [], cookie: '' })
  })

  testInFull('a key that is refused is forgotten on the device, and no other [D278]', async () => {
    const key = await makeEndingKey()
    await using shop = await open({ key: null, viewport: phone, search: `?category=${freshCategory()}` })
    await shop.page.getByLabel('Remember').check()
    await shop.signIn(key)
    await expire()
    await shop.lookAgain()
    await shop.says('This key is no longer valid.')
    await store.service.setClock(null)
    await keepsOnDevice(shop, {})
    await shop.page.getByLabel('Remember').check()
    await shop.signIn(store.service.key)
    const docs = await shop.openTab('/docs')
    await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
    await docs.page.getByLabel('Remember it').uncheck()
    await docs.page.locator('#key-state').getByText('until the last tab is closed').waitFor()
    await keepsOnDevice(shop, {})
    await docs.page.getByLabel('Remember it').check()
    await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
    await docs.expectAccessible('the key in the reference', '.masthead')
    await keyField(docs).fill(`pst_${'0'.repeat(36)}`)
    await docs.page.keyboard.press('Enter')
    await docs.page.locator('#key-state').getByText('refuses this key').waitFor()
    await docs.page.reload()
    await docs.until(`document.querySelector('#key')?.value === '${store.service.key}'`)
    await keepsOnDevice(shop, { 'petstore.key': store.service.key })
  })

  test('adds an animal and then the next with Enter, counts them, and takes the last back [D293]', async () => {
    const { available, pending, sold } = await inventory()
    await using shop = await open()
    await shop.openAdd()
    await shop.categoryField.fill('Hamsters')
    for (const name of ['Pip', 'Pop']) await shop.add(name)
    await shop.click('Undo', 'Pop was removed again.')
    await shop.click('Close')
    await shop.expectCounts(available + 1, pending, sold)
    await shop.item('Pip').getByText('Hamsters').waitFor()
    await shop.item('Pop').waitFor({ state: 'detached' })
    assert.deepEqual(await inventory(), { available: available + 1, pending, sold })
    await shop.page.goto(`${store.service.url}/shop?category=77`)
    await shop.openAdd()
    // That of the filter.
    await becomes(() => shop.categoryField.inputValue(), 'Category 77')
  })

  test('orders an animal, cancels, sells it and takes it back; the counts and the timeline follow', async () => {
    const { id } = await addPet({ name: 'Sold' })
    const { available, pending, sold } = await inventory()
    await using shop = await open()
    await shop.click('Order Sold')
    await shop.expectCounts(available - 1, pending + 1, sold)
    await shop.item('Sold').getByRole('link').click()
    await shop.click('Cancel the order', 'Sold is available again')
    await shop.click(shop.sheetButton('Order'))
    await shop.pass(1)
    await shop.click('Complete the order', 'Sold is sold.')
    const [first, second] = await ordersOf(id)
    const timeline = shop.sheet.locator('.timeline')
    await becomes(
      () => timeline.locator('strong').allTextContents(),
      [`Order ${second.id}, completed`, `Order ${first.id}, cancelled`],
    )
    await shop.expectCounts(available - 1, pending, sold + 1)
    await shop.pass(1)
    await shop.confirm('Take back')
    await shop.says('Sold was taken back')
    await eventually(
      () => timeline.locator('li').first().innerText(),
      (text) => /returned.+Taken back/s.test(text),
    )
    await shop.button('Take back').waitFor({ state: 'detached' })
    await shop.click('Close')
    await shop.expectCounts(available, pending, sold)
  })

  testInFull('shows the figures of a day under the pointer and the keyboard, and all of them as a table', async (t) => {
    // It is the same day throughout.
    await store.service.setClock(Date.now())
    t.after(() => store.service.setClock(null))
    for (const id of await addPets(2, { status: 'sold' })) await patch(id, { status: 'available' })
    const days: { day: string; added: number; sold: number; returned: number }[] = await call(
      'GET',
      '/store/sales?days=30',
    )
    assert.ok((days.at(-1)?.returned ?? 0) >= 2)
    const words = days.map(({ day, ...counts }) => {
      const date = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' })
      return { date: date.format(new Date(day)), ...counts }
    })
    await using shop = await open()
    await shop.unfold()
    const chart = shop.page.locator('.chart')
    const last = chart.locator('g').last()
    await last.waitFor()
    const slider = chart.getByRole('slider', { name: 'Day' })
    await slider.focus()
    const today = words.at(-1)
    const told = `${today?.date} ${today?.added} added ${today?.sold} sold, ${today?.returned} returned`
    await chart.locator('figcaption', { hasText: told }).waitFor()
    await shop.key('ArrowLeft')
    await eventually(
      () => slider.getAttribute('aria-valuetext'),
      (text) => new RegExp(`^${words.at(-2)?.date}: \\d+ added, \\d+ sold$`).test(text ?? ''),
    )
    await shop.key('Home')
    await chart.locator('figcaption', { hasText: words[0]?.date ?? '' }).waitFor()
    await shop.expectAccessible('the first day of the chart')
    await shop.key('Tab')
    await chart.locator('figcaption', { hasText: 'In 30 days' }).waitFor()
    const plot = (await chart.locator('.plot').boundingBox()) ?? assert.fail('there is no plot')
    await shop.page.mouse.move(plot.x + (plot.width * 10.5) / 30, plot.y + plot.height / 2)
    await chart.locator('figcaption', { hasText: words[10]?.date ?? '' }).waitFor()
    const rows = await chart
      .getByRole('table', { name: 'Animals added, sold and returned' })
      .getByRole('row')
      .allInnerTexts()
    const expected = words.map(({ date, added, sold, returned }) => [date, ...[added, sold, returned].map(String)])
    assert.deepEqual(
      rows.slice(1).map((row) => row.split(/\s*\t\s*/)),
      expected,
    )
  })
})
