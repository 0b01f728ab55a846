/** What becomes of an animal on the page for staff in a real browser: reserved, sold, edited, taken back, or removed. */
import assert from 'node:assert/strict'
import { becomes } from '../support/patience.ts'
import { test } from '../support/scope.ts'
import { describeShop, type ShopPage } from '../support/shop-page.ts'

describeShop('An animal of the shop in Chromium', (store) => {
  const { open, openList, openPet, addPet, petsIn, patch, order, ordersOf, makeKey } = store
  const petText = async (id: number) => (await store.service.call('GET', `/pets?id=${id}`)).text

  test('an animal is removed once the message has gone, and can be kept until then [D293]', async () => {
    await using shop = await openList(['Ada', 'Ben', 'Cleo', 'Wanted'])
    const removed: string[] = []
    shop.page.on('request', (request) => request.method() === 'DELETE' && removed.push(request.url()))
    const remove = async (name: string) => {
      await shop.item(name).getByRole('link').click()
      await shop.click('Remove', `${name} will be removed when this message goes.`)
      await shop.item(name).waitFor({ state: 'detached' })
    }
    await remove('Wanted')
    await order(shop.ids[3])
    await shop.click('Dismiss', 'Wanted was not removed: it stays in the books with its orders.')
    await shop.item('Wanted').waitFor()
    assert.equal(removed.splice(0).length, 1)

    await remove('Ben')
    await shop.lookAgain()
    await shop.says(/^3 animals$/)
    await shop.click('Undo', 'Ben stays.')
    await becomes(() => shop.names(), ['Wanted', 'Cleo', 'Ben', 'Ada'])
    assert.deepEqual(removed, [])

    await remove('Ben')
    const gone = shop.page.waitForResponse((response) => response.request().method() === 'DELETE')
    await shop.pass(10)
    assert.equal((await gone).status(), 204)
    assert.equal((await petsIn(shop.category)).length, 3)

    // Who leaves the page before has not removed it.
    await remove('Cleo')
    removed.length = 0
    await shop.page.reload()
    await shop.item('Cleo').waitFor()
    assert.deepEqual(removed, [])
  })

  test('a spot does nothing for a second after a press; taking back asks, a sale can be undone [D390]', async () => {
    await using shop = await openPet({ name: 'Hasty' })
    const { mouse } = shop.page
    const { x, y, width, height } = (await shop.sheetButton('Order').boundingBox()) ?? assert.fail('no button')
    const press = () => mouse.click(x + Math.min(width, 60) / 2, y + height / 2)
    const statuses = async () => (await ordersOf(shop.id)).map(({ status }: { status: string }) => status)
    await press()
    await shop.says('Hasty is reserved.')
    for (let i = 0; i < 3; i++) {
      await shop.pass(0.8)
      await press()
    }
    assert.deepEqual(await statuses(), ['placed'])
    await shop.pass(1)
    await press()
    await shop.says('Hasty is sold.')
    await press()
    await shop.click('Undo', 'Hasty is reserved.')
    assert.deepEqual(await statuses(), ['returned', 'placed'])
    await shop.pass(1)
    await shop.click('Complete the order', 'Hasty is sold.')
    for (const agrees of [false, true]) {
      await shop.pass(1)
      assert.match(await shop.confirm('Take back', agrees), /^Take Hasty back\?/)
    }
    await shop.says('Hasty was taken back')
    assert.deepEqual(await statuses(), ['returned', 'returned'])
  })

  test('places one order on a double click, and one when the answer to the first got lost [D282]', async () => {
    await using shop = await openList(['Twice', 'Lost'])
    const [twice = 0, lost = 0] = shop.ids
    await shop.button('Order Twice').dblclick()
    await shop.says('Twice is reserved.')
    assert.equal((await ordersOf(twice)).length, 1)
    await shop.loseAnswer('**/store/orders')
    await shop.click('Order Lost', 'Lost is reserved.')
    assert.equal((await ordersOf(lost)).length, 1)
  })

  test('edits an animal in place, with every digit of an int64, and takes it back [D293]', async () => {
    const body = '{"name":"Big","categoryId":9223372036854775807}'
    const { json } = await store.service.call('POST', '/pets', { body })
    await store.service.call('POST', '/pets', { body: '{"name":"Small","categoryId":-9007199254740993}' })
    await using shop = await open({ search: `?category=9223372036854775807&pet=${json.id}` })
    await shop.sheet.getByText('Category 9223372036854775807').waitFor()
    await shop.edit('After')
    await shop.sheet.getByLabel('Status').selectOption('pending')
    await shop.choose(shop.categoryField, 'Category -9007199254740993')
    await shop.click('Save', 'After was saved.')
    assert.match(await petText(json.id), /"After","categoryId":-9007199254740993,.*"pending"/)
    await shop.sheet.getByText('Category -9007199254740993').waitFor()
    await shop.click('Undo', 'Big is as it was.')
    assert.match(await petText(json.id), /"Big","categoryId":9223372036854775807,.*"available"/)
  })

  test('shows both versions when two people edit one animal, and saves the one that is chosen [D281]', async () => {
    await using one = await openPet({ name: 'Both', categoryId: 7 })
    await using two = await open({ search: `?pet=${one.id}` })
    const rename = async (shop: ShopPage, name: string, said: string) => {
      await shop.name.fill(name)
      await shop.click('Save', said)
    }
    for (const shop of [one, two]) await shop.click('Edit')
    for (const shop of [one, two]) await shop.name.waitFor()
    await one.sheet.getByLabel('Status').selectOption('pending')
    await rename(one, 'Hers', 'Hers was saved.')
    await rename(two, 'His', 'It changed meanwhile')
    const versions = two.sheet.locator('.versions section')
    await versions
      .nth(0)
      .filter({ hasText: /Theirs.*Hers.*pending/ })
      .waitFor()
    await versions
      .nth(1)
      .filter({ hasText: /Yours.*His.*pending/ })
      .waitFor()
    assert.match(await petText(one.id), /"Hers"/)
    await two.click('Save yours', 'His was saved.')
    assert.match(await petText(one.id), /"His".*"pending"/, 'what only the other changed stays')

    await one.click('Edit')
    await one.name.waitFor()
    await patch(one.id, { name: 'Third' })
    await rename(one, 'Hers again', 'It changed meanwhile')
    await one.click('Keep theirs')
    assert.match(await petText(one.id), /"Third"/)
    await one.sheetOpened('Third')
  })

  test('offers a key only what its scopes allow', async () => {
    const { id } = await addPet({ name: 'Looked at' })
    const offered = async (...scopes: Parameters<typeof makeKey>) => {
      await using shop = await open({ search: `?pet=${id}`, key: await makeKey(...scopes) })
      await shop.sheet.getByText('available').waitFor()
      const within = await shop.sheet.getByRole('button').allTextContents()
      await shop.closeSheet()
      await shop.item('Looked at').waitFor()
      await shop.button('Menu').click()
      const select = shop.page.locator('.menu').getByRole('button', { name: 'Select', exact: true })
      const tools = await shop.page.getByRole('button').allTextContents()
      if (await select.count()) await select.click()
      const all = [...tools, ...(await shop.page.locator('button, .bulk option').allTextContents())]
      return [...within, ...all].map((text) => text.replace(/^\+ /, '').split(' ')[0])
    }
    const reader = await offered('pets:read')
    for (const each of ['Order', 'Edit', 'Add', 'Categories', 'Remove', 'Select'])
      assert.ok(!reader.includes(each), each)
    const writer = await offered('pets:read', 'pets:write')
    assert.ok(!writer.includes('Order'))
    for (const each of ['Edit', 'Add', 'Remove', 'Select', 'Mark']) assert.ok(writer.includes(each), each)
  })
})
