/** The orders of the page for staff in a real browser, and what becomes of an animal: edited, sold, taken back, or removed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshCategory } from '../support/expect.ts'
import { eventually } from '../support/load.ts'
import { describeShop, type ShopPage } from '../support/shop-page.ts'

describeShop('The orders of the shop in Chromium', (store) => {
  const { open, addPet, addPets, addNamed, petsIn, patch, order, moveOrder, ordersOf, makeKey } = store
  const petText = async (id: number) => (await store.service.call('GET', `/pets?id=${id}`)).text

  test('are listed with what is open first, and are completed, taken back and cancelled there [D297]', async () => {
    const [done, undone, later] = await addPets(3, { name: 'Ordered' })
    const sold = await order(done)
    await moveOrder(sold.id, 'complete')
    const [one, two] = [await order(undone), await order(later)]
    await patch(undone, { name: 'Bella' })
    await using shop = await open()
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    const rows = shop.page.locator('.orders .item')
    await rows.first().waitFor()
    assert.deepEqual(await shop.ids(), [two.id, one.id, sold.id])
    const year = new Date().getFullYear()
    assert.match(await rows.last().innerText(), new RegExp(`Ordered.+completed.+${year}.+${year}`, 's'))

    await shop.button(`Complete order ${one.id}, Bella`).click()
    await shop.text('Bella is sold.').waitFor()
    await shop.expectStatus('Bella', 'completed')
    await shop.button(`Take back order ${one.id}, Bella`).click()
    await shop.text('Bella was taken back').waitFor()
    await shop.expectStatus('Bella', 'returned')
    await shop.button(`Cancel order ${two.id}, Ordered`).click()
    await shop.text('The order is cancelled').waitFor()
    await shop.button('Undo').click()
    await shop.text('Ordered is reserved.').waitFor()
    assert.equal(await shop.page.locator('.item .placed').count(), 1)
    assert.deepEqual(
      (await ordersOf(later as number)).map((each: { status: string }) => each.status),
      ['cancelled', 'placed'],
    )

    await shop.openItem('Bella')
    await shop.sheet.getByText(`Order ${one.id}, returned`).waitFor()
    await shop.page.goBack()
    await shop.sheet.waitFor({ state: 'detached' })
    assert.equal(await shop.page.title(), 'Orders · Pet Store')
    await shop.page.reload()
    await rows.first().waitFor()
    await shop.page.goBack()
    await shop.page.getByRole('searchbox').waitFor()
  })

  test('are shown page by page, each once, however many are open [D297]', async () => {
    const ids: number[] = []
    for (const [i, id] of (await addPets(110, { name: 'Queue' })).entries()) {
      const { id: made } = await order(id)
      ids.push(made)
      if (i % 2 === 0) await moveOrder(made, 'cancel')
    }
    await using shop = await open({ search: '?show=orders' })
    await shop.text('orders loaded so far').waitFor()
    await shop.reach(ids.length)
    await shop.text(/^\d+ orders$/).waitFor()
    const shown = await shop.ids()
    assert.equal(new Set(shown).size, shown.length)
    for (const id of ids) assert.ok(shown.includes(id), String(id))
    const states = await shop.page.locator('.item .status').allTextContents()
    assert.ok(states.lastIndexOf('placed') < states.findIndex((each) => each !== 'placed'), 'open ones first')
  })

  test('say why they could not be loaded, and are for those alone who may read them', async () => {
    await using shop = await open({ search: '?show=orders' })
    await shop.page.route('**/store/orders?*', (route) => route.fulfill({ status: 502 }))
    await shop.page.reload()
    await shop.text('The orders could not be loaded').waitFor()
    await shop.page.unroute('**/store/orders?*')
    await shop.button('Try again').click()
    await shop.text('The orders could not be loaded').waitFor({ state: 'detached' })
    await shop.button('Sign out').click()
    await shop.signIn(await makeKey('pets:read'))
    await shop.page.getByRole('searchbox').waitFor()
    assert.equal(await shop.page.getByRole('link', { name: 'Orders' }).count(), 0)
  })

  test('an animal is removed once the message has gone, and can be kept until then [D293]', async () => {
    const category = freshCategory()
    await addNamed(category, 'Ada', 'Ben', 'Cleo')
    await using shop = await open({ search: `?category=${category}` })
    const removed: string[] = []
    shop.page.on('request', (request) => request.method() === 'DELETE' && removed.push(request.url()))
    const remove = async (name: string) => {
      await shop.item(name).getByRole('link').click()
      await shop.button('Remove').click()
      await shop.text(`${name} will be removed when this message goes.`).waitFor()
      assert.equal(await shop.item(name).count(), 0)
    }
    await remove('Ben')
    await shop.lookAgain()
    await shop.text(/^2 animals$/).waitFor()
    await shop.button('Undo').click()
    await shop.text('Ben stays.').waitFor()
    assert.deepEqual(await shop.names(), ['Cleo', 'Ben', 'Ada'])
    assert.deepEqual(removed, [])

    await remove('Ben')
    const gone = shop.page.waitForResponse((response) => response.request().method() === 'DELETE')
    await shop.pass(10)
    assert.equal((await gone).status(), 204)
    assert.equal((await petsIn(category)).length, 2)

    // Leaving the page is no undo.
    await remove('Cleo')
    await shop.page.goto('about:blank')
    await eventually(
      () => petsIn(category),
      (pets) => pets.length === 1,
    )
  })

  test('an animal that was ordered meanwhile is not removed, and comes back with the reason [D293]', async () => {
    const category = freshCategory()
    const [id] = await addNamed(category, 'Wanted')
    await using shop = await open({ search: `?category=${category}&pet=${id}` })
    await shop.button('Remove').click()
    await order(id)
    await shop.button('Dismiss').click()
    await shop.text('Wanted was not removed: it stays in the books with its orders.').waitFor()
    await shop.item('Wanted').waitFor()
  })

  test('places one order on a double click, and one when the answer to the first got lost [D282]', async () => {
    const [twice, lost] = [await addPet({ name: 'Twice' }), await addPet({ name: 'Lost' })]
    await using shop = await open()
    await shop.button('Order Twice').dblclick()
    await shop.text('Twice is reserved.').waitFor()
    assert.equal((await ordersOf(twice.id)).length, 1)
    await shop.loseAnswer('**/store/orders')
    await shop.button('Order Lost').click()
    await shop.text('Lost is reserved.').waitFor()
    assert.equal((await ordersOf(lost.id)).length, 1)
  })

  test('edits an animal in place, and takes it back [D293]', async () => {
    const { id } = await addPet({ name: 'Before' })
    await using shop = await open({ search: `?pet=${id}` })
    await shop.button('Edit').click()
    await shop.page.getByLabel('Name').fill('After')
    await shop.page.getByLabel('Status').selectOption('pending')
    await shop.button('Save').click()
    await shop.text('After was saved.').waitFor()
    assert.match(await petText(id), /"After".*"pending"/)
    await shop.button('Undo').click()
    await shop.text('Before is as it was.').waitFor()
    assert.match(await petText(id), /"Before".*"available"/)
  })

  test('shows and saves every digit of an int64', async () => {
    const { json } = await store.service.call('POST', '/pets', {
      body: '{"name":"Big","categoryId":9223372036854775807}',
    })
    await store.service.call('POST', '/pets', { body: '{"name":"Small","categoryId":-9007199254740993}' })
    await using shop = await open({ search: `?category=9223372036854775807&pet=${json.id}` })
    await shop.sheet.getByText('Category 9223372036854775807').waitFor()
    await shop.button('Edit').click()
    await shop.sheet.getByLabel('Category').selectOption('Category -9007199254740993')
    await shop.button('Save').click()
    await shop.text('Big was saved.').waitFor()
    assert.match(await petText(json.id), /"categoryId":-9007199254740993,/)
    await shop.sheet.getByText('Category -9007199254740993').waitFor()
  })

  test('shows both versions when two people edit one animal, and saves the one that is chosen [D281]', async () => {
    const { id } = await addPet({ name: 'Both', categoryId: 7 })
    await using one = await open({ search: `?pet=${id}` })
    await using two = await open({ search: `?pet=${id}` })
    const rename = async (shop: ShopPage, name: string) => {
      await shop.page.getByLabel('Name').fill(name)
      await shop.button('Save').click()
    }
    for (const shop of [one, two]) await shop.button('Edit').click()
    for (const shop of [one, two]) await shop.page.getByLabel('Name').waitFor()
    await one.page.getByLabel('Status').selectOption('sold')
    await rename(one, 'Hers')
    await one.text('Hers was saved.').waitFor()
    await rename(two, 'His')
    await two.text('It changed meanwhile').waitFor()
    const versions = await two.sheet.locator('.versions section').allTextContents()
    assert.match(versions[0] ?? '', /Theirs.*Hers.*sold/s)
    assert.match(versions[1] ?? '', /Yours.*His.*sold/s)
    assert.match(await petText(id), /"Hers"/)
    await two.button('Save yours').click()
    await two.text('His was saved.').waitFor()
    assert.match(await petText(id), /"His".*"sold"/, 'what only the other changed stays')

    await one.button('Edit').click()
    await one.page.getByLabel('Name').waitFor()
    await patch(id, { name: 'Third' })
    await rename(one, 'Hers again')
    await one.button('Keep theirs').click()
    assert.match(await petText(id), /"Third"/)
    await one.sheet.getByRole('heading', { name: 'Third' }).waitFor()
  })

  test('offers a key only what its scopes allow', async () => {
    const { id } = await addPet({ name: 'Looked at' })
    const offered = async (...scopes: Parameters<typeof makeKey>) => {
      await using shop = await open({ search: `?pet=${id}`, key: await makeKey(...scopes) })
      await shop.sheet.getByText('available').waitFor()
      const within = await shop.sheet.getByRole('button').allTextContents()
      await shop.closeSheet()
      await shop.item('Looked at').waitFor()
      await shop.button('Select').click()
      await shop.button('Select all shown').waitFor()
      const all = await shop.page.locator('button, .bulk option').allTextContents()
      return [...within, ...all].map((text) => text.replace(/^\+ /, '').split(' ')[0])
    }
    const reader = await offered('pets:read')
    for (const each of ['Order', 'Edit', 'Add', 'Categories', 'Remove']) assert.ok(!reader.includes(each), each)
    const writer = await offered('pets:read', 'pets:write')
    assert.ok(!writer.includes('Order'))
    for (const each of ['Edit', 'Add', 'Remove', 'Mark']) assert.ok(writer.includes(each), each)
  })
})
