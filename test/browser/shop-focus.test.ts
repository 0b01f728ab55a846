/** The keyboard and the messages of the page for staff in a real browser: the focus is never lost, undo has a shortcut, and a message is in nobody's way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshCategory } from '../support/expect.ts'
import { describeShop, phone, type ShopPage } from '../support/shop-page.ts'

describeShop('The keyboard and the messages of the shop in Chromium', (store) => {
  const { open, addPet, addPets, addNamed, petsIn, order } = store
  const nameOf = (shop: ShopPage, name: string) => shop.item(name).getByRole('link', { name, exact: true })
  async function openThree(search = '') {
    const category = freshCategory()
    const ids = await addNamed(category, 'Ada', 'Ben', 'Cleo')
    const shop = await open({ search: `?category=${category}${search}` })
    await shop.item('Cleo').waitFor()
    return Object.assign(shop, { category, ids })
  }
  const closed = (shop: ShopPage) => shop.sheet.waitFor({ state: 'detached' })

  test('can be used with the keyboard alone', async () => {
    await using shop = await openThree('&sort=oldest')
    const { keyboard } = shop.page
    await keyboard.press('ArrowDown')
    await shop.expectFocus(nameOf(shop, 'Ada'))
    await keyboard.press('ArrowRight')
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await keyboard.press('Enter')
    await shop.sheet.getByRole('heading', { name: 'Ben' }).waitFor()
    await keyboard.press('Escape')
    await closed(shop)
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await keyboard.press('n')
    await shop.page.locator('input:focus').waitFor()
    await keyboard.type('Dora')
    await keyboard.press('Enter')
    await shop.text('Dora was added.').waitFor()
    await keyboard.press('Escape')
    await closed(shop)
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await keyboard.press('/')
    await keyboard.type('dor')
    await shop.text('1 animal found').waitFor()
    await keyboard.press('Escape')
    await shop.text(/^4 animals$/).waitFor()
    await keyboard.press('?')
    await shop.sheet.getByText('Go from animal to animal').waitFor()
    await keyboard.press('Escape')
    await closed(shop)
  })

  test('goes from row to row with the arrow keys, across pages and among what was found', async () => {
    const category = freshCategory()
    const names = Array.from({ length: 60 }, (_, i) => `Number ${i + 1}${i > 57 ? ' twin' : ''}`)
    await addNamed(category, ...names)
    await using shop = await open({ search: `?category=${category}&sort=oldest` })
    const press = async (from: string, keys: string[], to: string) => {
      if (from) await nameOf(shop, from).focus()
      for (const key of keys) await shop.page.keyboard.press(key)
      await shop.expectFocus(nameOf(shop, to))
    }
    await shop.reach(60)
    await press('Number 46', ['ArrowDown'], 'Number 50')
    await press('', ['ArrowUp'], 'Number 46')
    await press('', ['ArrowRight', 'ArrowRight', 'ArrowRight'], 'Number 49')
    await press('Number 2', ['ArrowUp'], 'Number 2')
    await press('Number 58', ['ArrowDown'], 'Number 58')
    await shop.page.getByRole('searchbox').fill('twin')
    await shop.text('2 animals found').waitFor()
    await shop.page.getByRole('searchbox').blur()
    await press('', ['ArrowDown', 'ArrowRight'], 'Number 60 twin')
  })

  test('stays in the row after Enter on Order, goes on to the next row when one is removed, and comes back from a sheet', async () => {
    await using shop = await openThree()
    const { keyboard } = shop.page
    await shop.button('Order Ben').press('Enter')
    await shop.text('Ben is reserved.').waitFor()
    await shop.expectFocus(nameOf(shop, 'Ben'))
    // From a message that is gone, to what had it before.
    await shop.button('Undo').press('Enter')
    await shop.text('The order is cancelled').waitFor()
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await shop.button('Dismiss').press('Enter')
    await shop.expectFocus(nameOf(shop, 'Ben'))
    for (const name of ['Ada', 'Cleo']) {
      await nameOf(shop, name).press('Enter')
      await shop.button('Remove').press('Enter')
      await shop.text(`${name} will be removed`).waitFor()
      await shop.expectFocus(nameOf(shop, 'Ben'))
    }
    await shop.button('Categories').press('Enter')
    await shop.sheet.waitFor()
    await keyboard.press('Escape')
    await shop.expectFocus(shop.button('Categories'))
    await keyboard.press('?')
    await shop.sheet.waitFor()
    await keyboard.press('Escape')
    await shop.expectFocus(shop.button('Categories'))
  })

  test('stays in the row of an order when it is completed, and finds a place after a sheet that a link has opened', async () => {
    const { id } = await addPet({ name: 'Linked' })
    const { id: orderId } = await order(id)
    await using shop = await open({ search: `?show=orders&pet=${id}` })
    await shop.sheet.getByRole('heading', { name: 'Linked' }).waitFor()
    await shop.page.keyboard.press('Escape')
    await shop.expectFocus(shop.page.locator('main'))
    await shop.button(`Complete order ${orderId}, Linked`).press('Enter')
    await shop.text('Linked is sold.').waitFor()
    await shop.expectFocus(nameOf(shop, 'Linked'))
  })

  test('goes on from the chart with Tab, stays in a sheet when a button of it is gone or fails, and is in the field of a key after signing out', async () => {
    await using shop = await openThree()
    const { keyboard } = shop.page
    await shop.loaded()
    await shop.page.getByLabel('Day').focus()
    await keyboard.press('ArrowLeft')
    await keyboard.press('Tab')
    await shop.twoFrames()
    await shop.expectFocus(shop.page.locator('#search'))

    await shop.button('Select').press('Enter')
    await shop.button('Select all shown').waitFor()
    for (let i = 0; i < 3; i++) await keyboard.press('Tab')
    await shop.expectFocus(shop.button('Select all shown'))

    await nameOf(shop, 'Ada').press('Enter')
    const heading = shop.sheet.getByRole('heading', { name: 'Ada' })
    await heading.waitFor()
    await shop.page.route('**/store/orders', (route) => route.fulfill({ status: 502 }), { times: 1 })
    await shop.sheetButton('Order').press('Enter')
    await shop.page.locator('.failed').waitFor()
    await shop.expectFocus(shop.sheetButton('Order'))
    await shop.sheetButton('Order').press('Enter')
    await shop.button('Complete the order').waitFor()
    await shop.expectFocus(heading)
    await shop.button('Edit').press('Enter')
    await shop.page.locator('input:focus').waitFor()
    await keyboard.press('End')
    await keyboard.type(' on')
    await keyboard.press('Enter')
    await shop.text('Ada on was saved.').waitFor()
    await shop.expectFocus(heading)

    // A form in which nothing was changed is not there again.
    await shop.button('Edit').press('Enter')
    await shop.button('Do not save').waitFor()
    await keyboard.press('Escape')
    await closed(shop)
    await nameOf(shop, 'Ada on').press('Enter')
    await shop.button('Edit').waitFor()
    await keyboard.press('Escape')
    await closed(shop)

    await shop.page.locator('#search').fill('nowhere')
    await shop.page.getByRole('status').getByText('0 animals found').waitFor()
    await shop.button('Sign out').press('Enter')
    await shop.expectFocus(shop.page.getByLabel('API key'))
  })

  test('is nowhere after a press beside everything, also when the list changes; a press that began in a sheet does not close it', async () => {
    await using shop = await openThree()
    await shop.button('Order Ben').focus()
    await shop.page.locator('.brand').click()
    await order(shop.ids[1])
    await shop.lookAgain()
    await shop.expectStatus('Ben', 'pending')
    await shop.twoFrames()
    assert.equal(await shop.page.evaluate('document.activeElement === document.body'), true)

    await shop.openAdd()
    const { mouse } = shop.page
    await shop.page.getByLabel('Name').hover()
    await mouse.down()
    await mouse.move(20, 20)
    await mouse.up()
    await shop.twoFrames()
    assert.ok(await shop.sheet.isVisible())
    await mouse.click(20, 20)
    await closed(shop)
  })

  test('undoes with Ctrl Z what was just done, wherever nothing is typed [D293]', async () => {
    await using shop = await openThree()
    const { keyboard } = shop.page
    await shop.button('Order Ben').press('Enter')
    await shop.text('Ben is reserved.').waitFor()
    await keyboard.press('Control+z')
    await shop.text('The order is cancelled').waitFor()
    await shop.openAdd()
    await shop.add('Dora')
    await shop.until(`document.activeElement.value === ''`)
    await keyboard.type('x')
    await keyboard.press('Control+z')
    await keyboard.press('Control+a')
    await keyboard.press('Delete')
    await shop.text('Dora was added.').waitFor()
    await keyboard.press('Meta+z')
    await shop.text('Dora was removed again.').waitFor()
    assert.equal((await petsIn(shop.category)).length, 3)
  })

  test('a message leaves after some seconds, unless it is pointed at, has the focus or tells of an error', async () => {
    await using shop = await openThree()
    const message = shop.page.locator('.message')
    const stays = async (seconds: number) => {
      await shop.pass(seconds)
      await shop.twoFrames()
      assert.equal(await message.count(), 1)
    }
    await shop.button('Order Ada').press('Enter')
    await message.waitFor()
    await stays(4)
    await shop.button('Undo').focus()
    await stays(60)
    await nameOf(shop, 'Ada').focus()
    await message.hover()
    await stays(60)
    await shop.page.mouse.move(5, 5)
    await stays(3)
    await shop.pass(1)
    await message.waitFor({ state: 'detached' })

    await shop.page.route('**/store/orders', (route) => route.fulfill({ status: 502 }), { times: 1 })
    await shop.button('Order Ben').press('Enter')
    await shop.page.locator('.failed').waitFor()
    await shop.expectFocus(shop.button('Order Ben'))
    await stays(60)
    await shop.button('Dismiss').click()
    await message.waitFor({ state: 'detached' })
  })

  test('a message hides no animal for good, on a phone and at a desk', async () => {
    const category = freshCategory()
    await addPets(30, { name: 'Low', categoryId: category })
    await using shop = await open({ search: `?category=${category}`, viewport: { ...phone, height: 700 } })
    await shop.text(/^30 animals$/).waitFor()
    await shop.page.locator('.order').last().click()
    await shop.text('Low is reserved.').waitFor()
    for (const width of [390, 1280]) {
      await shop.page.setViewportSize({ width, height: 700 })
      await shop.page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await shop.twoFrames()
      const [row, message] = [shop.page.locator('.item').last(), shop.page.locator('.message')]
      const [above, below] = [await row.boundingBox(), await message.boundingBox()]
      assert.ok((above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0), JSON.stringify([above, below]))
    }
  })
})
