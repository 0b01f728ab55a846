/** The page for staff in a real browser: everything that a person can do there, seen on the page and asked of the service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshCategory } from '../support/expect.ts'
import { testInFull } from '../support/scope.ts'
import { describeShopAlways, phone, type ShopPage } from '../support/shop-page.ts'

describeShopAlways('The shop in Chromium', (store) => {
  const { open, call, addPet, addPets, patch, ordersOf, makeEndingKey, expire } = store
  const inventory = () => call('GET', '/store/inventory')

  const keyField = (tab: ShopPage) => tab.page.getByRole('textbox', { name: 'API key' })
  const kept = (tab: ShopPage) => tab.probe<{ local: object; session: object }>('kept')

  test('a new tab of the shop and of the reference gets the key from an open one; signing out ends all of them [D278]', async () => {
    await using shop = await open()
    const other = await shop.openTab()
    await other.button('Sign out').waitFor()
    const docs = await shop.openTab('/docs')
    await docs.until(`document.querySelector('#key')?.value === '${store.service.key}'`)
    await docs.page.locator('#key-state').getByText('until the last tab is closed').waitFor()
    await other.openAdd()
    await other.page.getByLabel('Name').fill('Half typed')
    await shop.button('Sign out').click()
    await other.button('Sign in').waitFor()
    await docs.until(`document.querySelector('#key').value === ''`)
    for (const tab of [shop, other, docs]) {
      const { local, session } = await kept(tab)
      assert.deepEqual({ local, session }, { local: {}, session: {} })
    }
    await shop.signIn(store.service.key)
    await other.button('Sign out').waitFor()
    assert.equal(await other.sheet.count(), 0, 'nothing is left open')
    await docs.button('Sign out').click()
    for (const tab of [shop, other]) await tab.button('Sign in').waitFor()
  })

  test('a key is kept until the last tab is closed, and on the device only if asked for [D278]', async () => {
    await using shop = await open({ key: null })
    assert.equal(await shop.page.getByLabel('Remember').isChecked(), false)
    await shop.text('Whoever runs this store gives out the keys').waitFor()
    await shop.page.getByLabel('Remember').check()
    await shop.expectAccessible('the form')
    await shop.signIn(store.service.key)
    const { local } = await kept(shop)
    assert.deepEqual(local, { 'petstore.key': store.service.key })
    // As when the browser was closed meanwhile.
    await shop.page.evaluate('sessionStorage.clear()')
    await shop.page.reload()
    await shop.button('Sign out').click()
    assert.deepEqual((await kept(shop)).local, {})
    await shop.page.getByLabel('API key').fill('pst_mistyped')
    await shop.page.keyboard.press('Enter')
    await shop.text('This key is not valid').waitFor()
    await shop.signIn(store.service.key)
    await shop.text('test').waitFor()
    await shop.page.reload()
    await shop.button('Sign out').waitFor()
    const session = { 'petstore.key': store.service.key }
    assert.deepEqual(await kept(shop), { local: {}, session, databases: [], cookie: '' })
  })

  testInFull('a key that is refused is forgotten on the device, and no other [D278]', async () => {
    const key = await makeEndingKey()
    await using shop = await open({ key: null, viewport: phone, search: `?category=${freshCategory()}` })
    await shop.page.getByLabel('Remember').check()
    await shop.signIn(key)
    await expire()
    await shop.lookAgain()
    await shop.text('This key is no longer valid.').waitFor()
    await store.service.setClock(null)
    assert.deepEqual((await kept(shop)).local, {})
    await shop.page.getByLabel('Remember').check()
    await shop.signIn(store.service.key)
    const docs = await shop.openTab('/docs')
    await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
    await docs.page.getByLabel('Remember it').uncheck()
    await docs.page.locator('#key-state').getByText('until the last tab is closed').waitFor()
    assert.deepEqual((await kept(shop)).local, {})
    await docs.page.getByLabel('Remember it').check()
    await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
    await docs.expectAccessible('the key in the reference', '.masthead')
    await keyField(docs).fill(`pst_${'0'.repeat(36)}`)
    await docs.page.keyboard.press('Enter')
    await docs.page.locator('#key-state').getByText('refuses this key').waitFor()
    await docs.page.reload()
    await docs.until(`document.querySelector('#key')?.value === '${store.service.key}'`)
    assert.deepEqual((await kept(shop)).local, { 'petstore.key': store.service.key })
  })

  test('adds an animal and then the next with Enter, counts them, and takes the last back [D293]', async () => {
    const { available, pending, sold } = await inventory()
    await using shop = await open()
    await shop.openAdd()
    await shop.sheet.getByLabel('New category', { exact: true }).fill('Hamsters')
    for (const name of ['Pip', 'Pop']) {
      await shop.page.getByLabel('Name').fill(name)
      await shop.page.keyboard.press('Enter')
      await shop.text(`${name} was added.`).waitFor()
    }
    await shop.button('Undo').click()
    await shop.text('Pop was removed again.').waitFor()
    await shop.button('Close').click()
    await shop.expectCounts(available + 1, pending, sold)
    await shop.item('Pip').getByText('Hamsters').waitFor()
    assert.equal(await shop.item('Pop').count(), 0)
    assert.deepEqual(await inventory(), { available: available + 1, pending, sold })
    await shop.page.goto(`${store.service.url}/shop?category=77`)
    await shop.openAdd()
    assert.equal(await shop.sheet.getByLabel('Category').inputValue(), '77', 'that of the filter')
  })

  test('orders an animal, cancels, orders it again, sells it and takes it back; the counts and the timeline follow', async () => {
    const { id } = await addPet({ name: 'Sold' })
    const { available, pending, sold } = await inventory()
    await using shop = await open()
    await shop.button('Order Sold').click()
    await shop.expectCounts(available - 1, pending + 1, sold)
    await shop.item('Sold').getByRole('link').click()
    await shop.button('Cancel the order').click()
    await shop.text('Sold is available again').waitFor()
    await shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
    await shop.button('Complete the order').click()
    await shop.text('Sold is sold.').waitFor()
    const timeline = await shop.sheet.locator('.timeline strong').allTextContents()
    const [first, second] = await ordersOf(id)
    assert.deepEqual(timeline, [`Order ${second.id}, completed`, `Order ${first.id}, cancelled`])
    assert.equal(await shop.button('Undo').count(), 0)
    await shop.expectCounts(available - 1, pending, sold + 1)
    await shop.button('Take back').click()
    await shop.text('Sold was taken back').waitFor()
    assert.match(await shop.sheet.locator('.timeline li').first().innerText(), /returned.+Taken back/s)
    assert.equal(await shop.button('Take back').count(), 0)
    await shop.button('Close').click()
    await shop.expectCounts(available, pending, sold)
  })

  test('draws no bar for a day on which more came back than were sold', async () => {
    const [{ sold }] = await call('GET', '/store/sales?days=1')
    for (const id of await addPets(sold + 2, { status: 'sold' })) await patch(id, { status: 'available' })
    await using shop = await open()
    const last = shop.page.locator('.chart g').last()
    await last.waitFor()
    assert.equal(await shop.page.locator('.chart td').last().textContent(), '-2')
    assert.equal(await last.locator('rect.bar').getAttribute('height'), '0')
  })

  test('shows the figures of a day under the pointer and the keyboard, and all of them as a table', async () => {
    await addPet()
    const days: { day: string; added: number; sold: number }[] = await call('GET', '/store/sales?days=30')
    const words = days.map(({ day, added, sold }) => {
      const date = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' })
      return { date: date.format(new Date(day)), added, sold }
    })
    await using shop = await open()
    const chart = shop.page.locator('.chart')
    const slider = chart.getByRole('slider', { name: 'Day' })
    await slider.focus()
    const today = words.at(-1)
    await chart.locator('figcaption', { hasText: `${today?.date} ${today?.added} added ${today?.sold} sold` }).waitFor()
    await shop.page.keyboard.press('ArrowLeft')
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', new RegExp(`^${words.at(-2)?.date}: `))
    await shop.page.keyboard.press('Home')
    await chart.locator('figcaption', { hasText: words[0]?.date ?? '' }).waitFor()
    await shop.expectAccessible('the first day of the chart')
    await shop.page.keyboard.press('Tab')
    await chart.locator('figcaption', { hasText: 'In 30 days' }).waitFor()
    const { x, y, width, height } = (await chart.locator('.plot').boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    await shop.page.mouse.move(x + (width * 10.5) / 30, y + height / 2)
    await chart.locator('figcaption', { hasText: words[10]?.date ?? '' }).waitFor()
    const rows = await chart.getByRole('table', { name: 'Animals added and sold' }).getByRole('row').allInnerTexts()
    assert.deepEqual(
      rows.slice(1).map((row) => row.split(/\s*\t\s*/)),
      words.map(({ date, added, sold }) => [date, String(added), String(sold)]),
    )
  })
})
