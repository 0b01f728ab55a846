/**
 * The page for staff in a real browser: everything that a person can do there, seen on the page and compared with the
 * service.
 */
import assert from 'node:assert/strict'
import { freshCategory } from '../../harness/expect.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { test, testInFull } from '../../harness/scope.ts'
import { describeShop, phone, type ShopPage } from '../../harness/shop-page.ts'

describeShop('The shop in Chromium', (store) => {
  const { open, call, addPet, ordersOf, makeEndingKey, expire } = store
  const inventory = () => call('GET', '/store/inventory')

  const keyField = (tab: ShopPage) => tab.page.getByRole('textbox', { name: 'API key' })
  const kept = (tab: ShopPage) =>
    tab.probe<{ local: object; session: object; databases: object[]; cookie: string }>('kept')
  // A tab learns a moment later what another tab has stored.
  const keepsOnDevice = (tab: ShopPage, expected: object) => becomes(async () => (await kept(tab)).local, expected)

  testInFull(
    'A new tab of the shop or the reference gets the key from an open tab, and signing out ends all tabs [decision 29]',
    async () => {
      await using shop = await open()
      const other = await shop.openTab()
      await other.button('Sign out').waitFor()
      const docs = await shop.openTab('/docs')
      await docs.until(`document.querySelector('#key')?.value === '${store.service.key}'`)
      await docs.page.locator('#key-button').click()
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

  testInFull(
    'A key is kept until the last tab is closed, and stays on the device only if that was chosen [decision 29]',
    async () => {
      await using shop = await open({ key: null })
      assert.equal(await shop.page.getByLabel('Remember').isChecked(), false)
      await shop.says('Whoever runs this store gives out the keys')
      await shop.page.getByLabel('Remember').check()
      await shop.expectAccessible('the form')
      await shop.signIn(store.service.key)
      await keepsOnDevice(shop, { 'petstore.key': store.service.key })
      // This has the same effect as closing the browser.
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
    },
  )

  testInFull(
    'A refused key is deleted from the device, and a key that was not refused stays [decision 29]',
    async () => {
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
      await docs.page.locator('#key-button').click()
      await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
      await docs.page.getByLabel('Remember it').uncheck()
      await docs.page.locator('#key-state').getByText('until the last tab is closed').waitFor()
      await keepsOnDevice(shop, {})
      await docs.page.getByLabel('Remember it').check()
      await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
      await docs.expectAccessible('the key in the reference', '#key-dialog')
      await docs.page.locator('#key').fill(`pst_${'0'.repeat(36)}`)
      await docs.page.keyboard.press('Enter')
      await docs.page.locator('#key-state').getByText('refuses this key').waitFor()
      await docs.page.reload()
      await docs.until(`document.querySelector('#key')?.value === '${store.service.key}'`)
      await keepsOnDevice(shop, { 'petstore.key': store.service.key })
    },
  )

  testInFull(
    'The page for staff adds one animal after another with Enter, counts them, and Undo removes the last one [decision 29]',
    async () => {
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
      // The category is that of the filter.
      await becomes(() => shop.categoryField.inputValue(), 'Category 77')
    },
  )

  test('The page for staff reserves, cancels, sells and returns an animal, and the counts and the timeline follow', async () => {
    const { id } = await addPet({ name: 'Sold' })
    const { available, pending, sold } = await inventory()
    await using shop = await open()
    await shop.reserve('Reserve Sold')
    await shop.expectCounts(available - 1, pending + 1, sold)
    await shop.item('Sold').getByRole('link').click()
    await shop.confirm('Cancel the order')
    await shop.says('Sold is available again')
    await shop.reserve(shop.sheetButton('Reserve'))
    await shop.click('Hand over', 'Sold is sold.')
    const [first, second] = await ordersOf(id)
    const timeline = shop.sheet.locator('.timeline')
    await becomes(
      () => timeline.locator('strong').allTextContents(),
      [`Order ${second.id}, completed`, `Order ${first.id}, cancelled`],
    )
    await shop.expectCounts(available - 1, pending, sold + 1)
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
})
