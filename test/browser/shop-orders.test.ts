/** The orders and the report of the page for staff in a real browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { defaultScopes } from '../../src/model/key.ts'
import { becomes } from '../support/patience.ts'
import { test } from '../support/scope.ts'
import { describeShop } from '../support/shop-page.ts'

describeShop('The orders of the shop in Chromium', (store) => {
  const { open, openPet, call, addPets, patch, order, moveOrder, ordersOf, makeKey } = store

  test('are worked on by status, what ends soonest first, and found by what is known [D297]', async () => {
    const [done, undone, later, soon] = await addPets(4, { name: 'Ordered' })
    const sold = await order(done)
    await moveOrder(sold.id, 'complete')
    const heldUntil = new Date(Date.now() + 3.5 * 3_600_000).toISOString()
    const ending = await call('POST', '/store/orders', { petId: soon, heldUntil, reference: 'Mrs Novak, 555-0117' })
    const [one, two] = [await order(undone), await order(later)]
    await patch(undone, { name: 'Bella' })
    await using shop = await open()
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await becomes(() => shop.listed(), [ending.id, two.id, one.id])
    await shop.says('Ends in 3 hours')
    for (const name of ['Open 3', 'Completed 1', 'Expired 0']) await shop.button(name).waitFor()
    const search = shop.page.getByRole('searchbox')
    for (const [text, ...found] of [
      ['novak', ending.id],
      ['Mrs Novak, 555-0117', ending.id],
      ['bella', one.id],
      [`#${sold.id}`, sold.id],
    ]) {
      await search.fill(String(text))
      await shop.says('1 order found')
      await becomes(() => shop.listed(), found)
    }
    await search.fill('')
    await becomes(() => shop.listed(), [ending.id, two.id, one.id])

    await shop.click(`Complete order ${one.id}, Bella`, 'Bella is sold.')
    await shop.expectStatus('Bella', 'completed')
    await shop.button('Completed 2').waitFor()
    await shop.pass(1)
    await shop.confirm(`Take back order ${one.id}, Bella`)
    await shop.says('Bella was taken back')
    await shop.expectStatus('Bella', 'returned')
    await shop.click(`Cancel order ${two.id}, Ordered`, 'The order is cancelled')
    await shop.click('Undo', 'Ordered is reserved.')
    await becomes(() => shop.page.locator('.item .placed').count(), 2)
    const states = (await ordersOf(later as number)).map(({ status }: { status: string }) => status)
    assert.deepEqual(states, ['cancelled', 'placed'])

    await shop.filter('Returned')
    await becomes(() => shop.listed(), [one.id])
    await shop.openItem('Bella')
    await shop.sheet.getByText(`Order ${one.id}, returned`).waitFor()
    assert.match(await shop.sheet.locator('.timeline').innerText(), /Placed.+Completed.+Taken back/s)
    await shop.page.goBack()
    await shop.sheetClosed()
    await becomes(() => shop.page.title(), 'Orders · Pet Store')
    await shop.page.reload()
    await becomes(() => shop.listed(), [one.id])
    await shop.page.goBack()
    await shop.button('Open 2').waitFor()
  })

  test('say for whom they are, when placed and later, and the history says who did what [D392]', async () => {
    const key = await makeKey(...defaultScopes, 'events:read')
    await using shop = await openPet({ name: 'Wanted' }, { key })
    const field = shop.page.getByLabel('For whom')
    await shop.click(shop.sheetButton('Order'), 'Wanted is reserved.')
    await shop.expectFocus(field)
    await shop.page.keyboard.type('Mrs Novak')
    await shop.key('Enter', 'Wanted is reserved for Mrs Novak.')
    assert.equal((await ordersOf(shop.id))[0].reference, 'Mrs Novak')
    await shop.click(/^Change/)
    await field.fill('Mr Novak')
    await shop.sheet.getByLabel('Held until').fill('2020-01-01T10:00')
    await shop.click('Save')
    await shop.sheet.getByRole('alert').getByText('Choose a time from now on').waitFor()
    await shop.sheet.getByLabel('Held until').fill('')
    await shop.click('Save', 'Wanted is reserved for Mr Novak.')
    await shop.edit('Wanted much')
    await shop.click('Save', 'Wanted much was saved.')
    await shop.click('Cancel the order', 'available again')
    const history = shop.sheet.locator('.history li')
    await becomes(
      async () =>
        (await history.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').replace(/ \w+ \d.*[AP]M/, '')),
      [
        'Order cancelled for Mr Novak, test',
        'Named Wanted much, test',
        'Order changed for Mr Novak, test',
        'Order changed for Mrs Novak, test',
        'Ordered, test',
        'Added, test',
      ],
    )
    await shop.click('Undo', 'Wanted much is reserved for Mr Novak.')
  })

  test('are reported by the day: what was sold and returned, and by whom [D393]', async () => {
    const key = await makeKey(...defaultScopes, 'events:read')
    const [one, two] = await addPets(2, { name: '=Reported' })
    for (const id of [one, two]) await moveOrder((await order(id)).id, 'complete')
    await moveOrder((await ordersOf(one as number))[0].id, 'return')
    await using shop = await open({ key, search: '?show=report' })
    const rows = shop.page.locator('.sales tbody tr')
    await rows.filter({ hasText: '=Reported' }).nth(2).waitFor()
    const told = await shop.page.locator('.people').innerText()
    assert.match(told, /^test \d+ sold, \d+ returned$/)
    const download = shop.page.waitForEvent('download')
    await shop.click('Save as CSV')
    const text = readFileSync(await (await download).path(), 'utf8')
    assert.match(text, new RegExp(`"returned","${one}","'=Reported","Category \\d+","","test"\r\n$`))
    assert.equal(text.match(/Reported/g)?.length, 3)
    await shop.expectAccessible('the report')
    await shop.page.getByLabel('Day', { exact: true }).fill('2024-02-29')
    await shop.says('Nothing was sold or returned')
    assert.match(shop.page.url(), /day=2024-02-29/)
  })

  test('are shown page by page, each once, or why not, and to those alone who may read them [D297]', async () => {
    const [id] = await addPets(1, { name: 'Undecided' })
    for (let i = 0; i < 101; i++) await moveOrder((await order(id)).id, 'cancel')
    await using shop = await open({ search: '?show=orders&tab=cancelled' })
    await shop.button('Cancelled 100+').waitFor()
    await shop.reach(101)
    const shown = await shop.listed()
    assert.equal(new Set(shown).size, shown.length)
    for (const { id: made } of await ordersOf(id as number)) assert.ok(shown.includes(made), String(made))

    await shop.page.route('**/store/orders?*', (route) => route.fulfill({ status: 502 }))
    await shop.page.reload()
    await shop.says('The orders could not be loaded')
    await shop.page.unroute('**/store/orders?*')
    await shop.click('Try again')
    await shop.text('The orders could not be loaded').waitFor({ state: 'detached' })
    await shop.click('Sign out')
    await shop.signIn(await makeKey('pets:read'))
    await shop.page.getByRole('searchbox').waitFor()
    assert.equal(await shop.page.getByRole('link', { name: 'Orders' }).count(), 0)
  })
})
