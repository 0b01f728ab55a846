/**
 * Several animals at once on the page for staff in a real browser: one thing done to all, a spreadsheet of them, and
 * paper.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { freshCategory } from '../support/expect.ts'
import { becomes, eventually } from '../support/patience.ts'
import { test } from '../support/scope.ts'
import { describeShop, type ShopPage } from '../support/shop-page.ts'

describeShop('Several animals of the shop in Chromium', (store) => {
  const { open, openList, call, addPet, addPets, addNamed, petsIn, nameCategory, order } = store
  const statusesIn = async (category: number) => (await petsIn(category)).map(({ status }) => status)
  const pick = async (shop: ShopPage, ...names: string[]) => {
    for (const name of names) await shop.page.getByLabel(`Select ${name}`, { exact: true }).press('Space')
  }
  const doToAll = async (shop: ShopPage, action: string, [button = ''] = action.split(' ')) => {
    await shop.page.getByLabel('What to do with them').selectOption(action)
    await shop.page.locator('.bulk').getByRole('button', { name: button, exact: true }).press('Enter')
  }
  const isFocused = ({ page }: ShopPage, text: string) => page.locator(':focus', { hasText: text }).waitFor()

  test('orders, frees, moves and removes all that are selected, and takes back what it can [D302 D339]', async () => {
    const other = freshCategory()
    await nameCategory(other, 'Elsewhere')
    await using shop = await openList(['Ada', 'Ben', 'Cleo'])
    const { category } = shop
    await shop.menu('Cards')
    await shop.menu('Select')
    await shop.page.locator('.item', { hasText: 'Ada' }).click({ position: { x: 150, y: 15 } })
    await pick(shop, 'Cleo')
    await shop.says('2 selected')
    await doToAll(shop, 'Order')
    await shop.says('Reserved: 2 animals.')
    await isFocused(shop, 'Order')
    await shop.says('0 selected')
    assert.deepEqual(await statusesIn(category), ['pending', 'available', 'pending'])
    await shop.click('Undo', 'Undone: 2 animals.')
    assert.deepEqual(await statusesIn(category), ['available', 'available', 'available'])

    await shop.click('Select all 3')
    await doToAll(shop, 'Mark as pending')
    await shop.says('Now pending: 3 animals.')
    await shop.item('Ben').getByText('pending').waitFor()
    await pick(shop, 'Ada', 'Ben')
    await shop.page.getByLabel('What to do with them').selectOption('Move to a category')
    await shop.choose(shop.page.getByRole('combobox', { name: 'To which category' }), 'Else')
    await shop.click('Move', 'Moved to Elsewhere: 2 animals.')
    await shop.says(/^1 animal$/)
    const { id } = await addPet({ name: 'Dora', categoryId: category })
    await shop.lookAgain()
    await pick(shop, 'Cleo', 'Dora')
    const questions: string[] = []
    for (const agrees of [false, true]) {
      const asked = shop.page.waitForEvent('dialog').then((dialog) => {
        questions.push(dialog.message())
        return agrees ? dialog.accept() : dialog.dismiss()
      })
      await doToAll(shop, 'Remove for good')
      await asked
      if (!agrees) assert.deepEqual(await statusesIn(category), ['pending', 'available'], 'nothing without a yes')
    }
    assert.deepEqual(questions, Array(2).fill('Remove 2 animals for good? Nobody can bring them back.'))
    await shop.sheet.getByText('Removed: 1 animal.').waitFor()
    assert.match(await shop.sheet.locator('li').innerText(), /^Cleo An order on this animal/)
    assert.deepEqual(await call('GET', `/pets?id=${id}`), [])
    assert.deepEqual(await statusesIn(category), ['pending'])
    assert.deepEqual(await statusesIn(other), ['pending', 'pending'])
  })

  test('reports those that are refused, with the reason, and leaves them selected [D302]', async () => {
    await using shop = await openList(['Ada', 'Ben'], {})
    await shop.menu('Select')
    await shop.click('Select all 2', '2 selected')
    await order(shop.ids[0])
    await doToAll(shop, 'Order')
    await shop.sheet.getByText('Reserved: 1 animal.').waitFor()
    assert.match(await shop.sheet.locator('li').innerText(), /^Ada Somebody else was faster/)
    await shop.expectAccessible('what was refused')
    await shop.click('Close', '1 selected')
    assert.equal(await shop.page.getByLabel('Select Ada').isChecked(), true)
    await shop.expectAccessible('rows selected')
    await doToAll(shop, 'Complete the orders')
    await shop.says('Sold: 1 animal.')
    await pick(shop, 'Ada')
    await doToAll(shop, 'Cancel the orders')
    await shop.sheet.getByText('Nobody has ordered it.').waitFor()
  })

  test('stops on request, and without a connection, and leaves what is not done selected [D302]', async () => {
    await using shop = await openList(Array(12).fill('Waiting'))
    await shop.menu('Select')
    await shop.click('Select all 12', '12 selected')
    const gate = Promise.withResolvers<void>()
    let held = 0
    await shop.page.route('**/store/orders', (route) => {
      held++
      return gate.promise.then(() => route.continue())
    })
    await doToAll(shop, 'Order')
    await shop.says(/^Order: 0 of 12/)
    await isFocused(shop, 'Stop')
    await shop.expectAccessible('under way')
    await becomes(async () => held, 3)
    await shop.key('Enter')
    gate.resolve()
    await shop.says('Reserved: 3 animals. Not yet: 9.')
    await shop.says('9 selected')
    await shop.text(/^Order: /).waitFor({ state: 'detached' })
    await shop.goOffline()
    await doToAll(shop, 'Order')
    await shop.says('Reserved: 0 animals. Not yet: 9. The service cannot be reached.')
    await shop.goOnline()
    await doToAll(shop, 'Order')
    await shop.says('Reserved: 9 animals.')
    assert.deepEqual(await statusesIn(shop.category), Array(12).fill('pending'))
  })

  test('saves all that fit as a spreadsheet in which no name is a formula [D303]', async () => {
    const category = freshCategory()
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', 'a;=1', 'a,=1', 'a|=1', 'Say "hi", Rex', '\u202eRex', 'Élodie']
    await addNamed(category, ...names)
    await addPets(120, { name: 'Plain', categoryId: category, status: 'sold' })
    await using shop = await open({ search: `?category=${category}&sort=oldest` })
    const save = async () => {
      const download = shop.page.waitForEvent('download')
      await shop.menu('Save as CSV')
      const file = await download
      assert.match(file.suggestedFilename(), /^animals-\d{4}-\d\d-\d\d\.csv$/)
      return readFileSync(await file.path(), 'utf8')
    }
    const all = await save()
    await shop.says('Saved: 130 animals.')
    const [head, ...rows] = all.trimEnd().split('\r\n')
    assert.equal(head, '\uFEFF"number","name","category","status"')
    assert.equal(rows.length, 130)
    const cells = (row = '') => row.split('","').slice(1).join('|')
    const marked = ["'=1+1", "'+1", '-1', "'@SUM(A1)", "a;'=1", "a,'=1", "a|'=1"]
    const written = [...marked, 'Say ""hi"", Rex', '\u202eRex', 'Élodie', 'Plain']
    const expected = written.map((name) => `${name}|${category}|${name === 'Plain' ? 'sold' : 'available'}"`)
    assert.deepEqual(rows.slice(0, 11).map(cells), expected)
    await nameCategory(category, '=Dogs')
    await shop.lookAgain()
    await shop.item('Élodie').getByText('=Dogs').waitFor()
    await shop.menu('Select')
    await pick(shop, 'Élodie')
    await shop.page.getByRole('searchbox').fill('plain')
    await shop.says('100 animals shown')
    assert.match(await save(), /^[^\n]+\n"\d+","Élodie","'=Dogs","available"\r\n$/)
    await shop.says('Saved what is selected, shown here or not: 1 animal.')
  })

  test('selects all that fit, on however many pages, until it is stopped [D302]', async () => {
    await using shop = await openList(Array(201).fill('All'))
    await shop.menu('Select')
    await shop.page.route('**/v1/pets?*limit=100*cursor=*', () => {}, { times: 1 })
    await shop.click('Select all 201', 'Selecting: 100 of 201')
    await isFocused(shop, 'Stop')
    await shop.key('Enter', '100 selected')
    await shop.click('Select all 201', '201 selected')
    await doToAll(shop, 'Mark as pending')
    await shop.says('Now pending: 201 animals.')
    await shop.expectCounts(0, 201, 0)
  })

  test('shows how far it is while it saves many pages, and stops on request [D303]', async () => {
    await using shop = await openList(Array(101).fill('Many'))
    await shop.says('48 of 101 animals')
    await shop.page.route('**/v1/pets?*limit=100*cursor=*', () => {})
    await shop.menu('Save as CSV')
    await shop.says('Saving: 100 of 101')
    await isFocused(shop, 'Stop')
    await shop.expectAccessible('saving')
    await shop.key('Enter')
    await shop.text('Saving:').waitFor({ state: 'detached' })
    await isFocused(shop, 'Menu')
    assert.equal(await shop.page.locator('.message').count(), 0)
  })

  test('prints every animal that is chosen, with its state, on however many pages they are [D303]', async () => {
    const category = freshCategory()
    await addPets(100, { name: 'Sheet', categoryId: category, status: 'sold' })
    await addPet({ name: 'Newest', categoryId: category })
    await using shop = await open({ search: `?category=${category}` })
    await shop.says('48 of 101 animals')
    await shop.page.emulateMedia({ media: 'print' })
    await shop.page.evaluate(
      `globalThis.papers = []
      globalThis.print = () => papers.push(
        [...document.querySelectorAll('.printed tbody tr')]
          .filter((each) => each.checkVisibility()).map((each) => each.innerText),
        document.querySelector('.printed caption').innerText,
        document.querySelector('.item').checkVisibility())`,
    )
    await shop.key('Control+p')
    const [rows, caption, isCardVisible] = await eventually(
      () => shop.page.evaluate<[string[], string, boolean]>('papers'),
      ({ length }) => length === 3,
    )
    assert.equal(rows.length, 101)
    assert.match(rows[0] ?? '', /^\d+\tNewest\tCategory \d+\tavailable$/)
    assert.match(rows[100] ?? '', /Sheet.*sold$/)
    assert.match(caption, /101 animals$/)
    assert.equal(isCardVisible, false)
    await shop.page.locator('.printed').waitFor({ state: 'detached' })
    await shop.page.emulateMedia({ media: 'screen' })
    await shop.menu('Select')
    await pick(shop, 'Newest')
    await shop.page.emulateMedia({ media: 'print' })
    await becomes(() => shop.page.locator('.item:visible').count(), 1)
  })
})
