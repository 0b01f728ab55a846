/**
 * The keyboard and the messages of the page for staff in a real browser. The focus is never lost, Undo has a shortcut,
 * and no message covers anything.
 */
import assert from 'node:assert/strict'
import { freshCategory } from '../../harness/expect.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopPage, triesMax } from '../../harness/shop-page.ts'
import { defaultScopes } from '../../src/model/key.ts'

describeShop('The keyboard and the messages of the shop in Chromium', (store) => {
  const { open, openList, addPet, addNamed, nameCategory, petsIn, order } = store
  const nameOf = (shop: ShopPage, name: string) => shop.item(name).getByRole('link', { name, exact: true })
  const three = ['Ada', 'Ben', 'Cleo']

  test('The page for staff can be used with only the keyboard', async () => {
    await using shop = await openList(three, { search: '&sort=oldest' })
    const { keyboard } = shop.page
    await shop.key('ArrowDown', nameOf(shop, 'Ada'))
    await shop.key('ArrowDown', nameOf(shop, 'Ben'))
    await shop.key('Enter')
    await shop.sheetOpened('Ben')
    await shop.escape()
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await shop.key('n')
    await shop.page.locator('input:focus').waitFor()
    await keyboard.type('Dora')
    await shop.key('Enter', 'Dora was added.')
    await shop.escape()
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await shop.key('/')
    await keyboard.type('dor')
    await shop.says('1 animal found')
    await shop.key('Escape', /^4 animals$/)
    await shop.key('?')
    await shop.sheet.getByText('Go from row to row').waitFor()
    await shop.escape()
  })

  test('The arrow keys move the focus from row to row, across pages and among search results', async () => {
    const names = Array.from({ length: 110 }, (_, i) => `Number ${i + 1}${i > 107 ? ' twin' : ''}`)
    await using shop = await openList(names, { search: '&sort=oldest' })
    const press = async (from: string, keys: string[], to: string) => {
      if (from) await nameOf(shop, from).focus()
      for (const key of keys) await shop.key(key)
      await shop.expectFocus(nameOf(shop, to))
    }
    await shop.reach(110)
    await press('Number 99', ['ArrowDown', 'ArrowDown'], 'Number 101')
    await press('', ['ArrowUp'], 'Number 100')
    await press('Number 1', ['ArrowUp'], 'Number 1')
    await press('Number 110 twin', ['ArrowDown'], 'Number 110 twin')
    await shop.page.getByRole('searchbox').fill('twin')
    await shop.says('2 animals found')
    await shop.page.getByRole('searchbox').blur()
    await press('', ['ArrowDown', 'ArrowDown'], 'Number 110 twin')
  })

  test('The focus stays in the row of a reserved animal through Undo and removals, and returns to the menu after a sheet', async () => {
    await using shop = await openList(three)
    await shop.enter('Reserve Ben', shop.page.getByLabel('For whom'))
    await shop.key('Enter', 'Ben is reserved.')
    await shop.expectFocus(nameOf(shop, 'Ben'))
    // After the message has gone, the focus returns to the element that had it before.
    await shop.enter('Undo', 'The order is cancelled')
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await shop.enter('Dismiss', nameOf(shop, 'Ben'))
    shop.page.on('dialog', (dialog) => dialog.accept())
    for (const name of ['Ada', 'Cleo']) {
      await shop.openItem(name)
      await shop.enter('Remove', `${name} was removed.`)
      await shop.expectFocus(nameOf(shop, 'Ben'))
    }
    await shop.button('Menu').focus()
    for (const keys of [['Enter', 'ArrowUp', 'Enter'], ['?']]) {
      for (const key of keys) await shop.key(key)
      await shop.sheet.waitFor()
      await shop.key('Escape', shop.button('Menu'))
    }
  })

  test('The focus goes to the list when a sheet is closed, and stays in the row of an order that is completed', async () => {
    const { id } = await addPet({ name: 'Linked' })
    const { id: orderId } = await order(id)
    await using shop = await open({ search: `?show=orders&pet=${id}` })
    await shop.sheetOpened('Linked')
    await shop.key('Escape', shop.page.locator('main'))
    await shop.enter(`Hand over order ${orderId}, Linked`, 'Linked is sold.')
    await shop.expectFocus(nameOf(shop, 'Linked'))
  })

  test('Tab follows the order of the page, the focus stays in an open sheet, and after signing out it is in the field of the key', async () => {
    await using shop = await openList(three)
    const { keyboard } = shop.page
    await shop.loaded()
    await shop.menu('Select')
    await shop.button('Clear').focus()
    await shop.key('Tab')
    await shop.key('Tab')
    await shop.expectFocus(shop.button('Select all 3'))

    await shop.enter(nameOf(shop, 'Ada'))
    const heading = shop.sheet.getByRole('heading', { name: 'Ada' })
    await heading.waitFor()
    await shop.intercept('**/store/orders', (route) => route.fulfill({ status: 502 }), triesMax)
    await shop.enter(shop.sheetButton('Reserve'), shop.page.getByLabel('For whom'))
    await shop.enter(shop.sendOrder)
    await shop.page.locator('.failed').waitFor()
    await shop.expectFocus(shop.sendOrder)
    await shop.enter(shop.sendOrder)
    await shop.button('Hand over').waitFor()
    await shop.expectFocus(heading)
    await shop.enter('Edit')
    await shop.page.locator('input:focus').waitFor()
    await shop.key('End')
    await keyboard.type(' on')
    await shop.key('Enter', 'Ada on was saved.')
    await shop.expectFocus(heading)

    // A form in which nothing was changed does not reappear.
    await shop.enter('Edit')
    await shop.sheetButton('Cancel').waitFor()
    await shop.escape()
    await shop.enter(nameOf(shop, 'Ada on'))
    await shop.button('Edit').waitFor()
    await shop.escape()

    await shop.page.locator('#search').fill('nowhere')
    await shop.page.getByRole('status').getByText('0 animals found').waitFor()
    await shop.enter('Sign out', shop.page.getByLabel('API key'))
  })

  test('A click outside of everything removes the focus, and a click that began inside a sheet does not close it', async () => {
    await using shop = await openList(three)
    await shop.button('Reserve Ben').focus()
    await shop.page.locator('.brand').click()
    await order(shop.ids[1])
    await shop.lookAgain()
    await shop.expectStatus('Ben', 'reserved')
    await shop.twoFrames()
    assert.equal(await shop.page.evaluate('document.activeElement === document.body'), true)

    await shop.openAdd()
    const { mouse } = shop.page
    await shop.name.hover()
    await mouse.down()
    await mouse.move(20, 20)
    await mouse.up()
    await shop.twoFrames()
    assert.ok(await shop.sheet.isVisible())
    await mouse.click(20, 20)
    await shop.sheetClosed()
  })

  test('Single-letter shortcuts do nothing after they were turned off, and the device remembers that [decision 29]', async () => {
    await using shop = await openList(three)
    await shop.key('?')
    await shop.sheet.getByText('Reserve the animal').waitFor()
    await shop.page.getByLabel('Single letters').uncheck()
    await shop.sheet.getByText('Reserve the animal').waitFor({ state: 'detached' })
    await shop.expectAccessible('shortcuts turned off')
    await shop.escape()
    await shop.page.reload()
    await nameOf(shop, 'Ben').focus()
    for (const key of ['/', 'n', 'r', 's', '?', '2']) await shop.key(key)
    await shop.twoFrames()
    assert.equal(await shop.sheet.count(), 0)
    await shop.expectFocus(nameOf(shop, 'Ben'))
    await shop.key('ArrowDown', nameOf(shop, 'Ada'))
    await shop.menu('Keyboard shortcuts')
    await shop.page.getByLabel('Single letters').check()
    await shop.escape()
    await shop.key('?', shop.sheet.getByRole('heading', { name: 'Keyboard' }))
  })

  test('A key that composes a character, as for Japanese, chooses nothing and sends nothing', async () => {
    await using shop = await openList(three)
    const compose = (key: string) =>
      shop.page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
          { key: '${key}', isComposing: true, bubbles: true, cancelable: true }))`,
      )
    await shop.categoryFilter.click()
    await shop.page.getByRole('option').first().waitFor()
    for (const key of ['ArrowDown', 'Enter', 'Escape']) await compose(key)
    await shop.twoFrames()
    assert.equal(await shop.page.getByRole('option').first().isVisible(), true)
    await shop.escape()
    await shop.page.getByRole('searchbox').fill('ada')
    await shop.says('1 animal found')
    await compose('Enter')
    await compose('Escape')
    await shop.twoFrames()
    assert.equal(await shop.sheet.count(), 0)
    assert.equal(await shop.page.getByRole('searchbox').inputValue(), 'ada')
  })

  test('In forced colours, the current view and the marked suggestion differ from the others, and the state has its dot', async () => {
    await using shop = await openList(three, {
      forcedColors: 'active',
      key: await store.makeKey(...defaultScopes, 'events:read'),
    })
    const style = (selector: string, property: string, pseudo = '') =>
      shop.page.evaluate<string>(
        `getComputedStyle(document.querySelector('${selector}'), '${pseudo}').getPropertyValue('${property}')`,
      )
    const tabs = ['[aria-current]', ':not([aria-current])']
    const [current, another] = await Promise.all(tabs.map((tab) => style(`.tabs a${tab}`, 'text-decoration-line')))
    assert.notEqual(current, another)
    await shop.categoryFilter.click()
    await shop.page.getByRole('option').nth(1).waitFor()
    const options = ['true', 'false']
    const [marked, others] = await Promise.all(
      options.map((is) => style(`.toolbar [role=option][aria-selected=${is}]`, 'background-color')),
    )
    assert.notEqual(marked, others)
    assert.notEqual(await style('[role=option][aria-selected=true] small', 'color'), marked)
    await shop.page.locator('.live').waitFor()
    assert.notEqual(await style('.live', 'background-color', '::before'), await style('body', 'background-color'))
  })

  test('Ctrl Z undoes the last change on the page for staff, unless a text field has the focus [decision 29]', async () => {
    await using shop = await openList(three)
    const { keyboard } = shop.page
    await shop.reserve('Reserve Ben', '', 'Ben is reserved.')
    await shop.key('Control+z', 'The order is cancelled')
    await shop.openAdd()
    await shop.add('Dora')
    await shop.until(`document.activeElement.value === ''`)
    await keyboard.type('x')
    for (const key of ['Control+z', 'Control+a', 'Delete']) await shop.key(key, 'Dora was added.')
    await shop.key('Meta+z', 'Dora was removed again.')
    assert.equal((await petsIn(shop.category)).length, 3)
  })

  test('Ctrl Z undoes the last change while a checkbox has the focus', async () => {
    await using shop = await openList(three)
    await shop.reserve('Reserve Ben', '', 'Ben is reserved.')
    await shop.menu('Select')
    await shop.page.getByLabel('Select Ben').focus()
    await shop.key('Control+z', 'The order is cancelled')
  })

  test('The arrow keys move from checkbox to checkbox, and single-letter shortcuts work there', async () => {
    await using shop = await openList(three)
    await shop.menu('Select')
    const box = (name: string) => shop.page.getByLabel(`Select ${name}`)
    await box('Cleo').focus()
    await shop.key('Space')
    await shop.key('ArrowDown', box('Ben'))
    await shop.key('Space')
    await shop.key('ArrowDown', box('Ada'))
    await shop.key('ArrowUp', box('Ben'))
    await shop.says('2 selected')
    await shop.key('/', shop.page.getByRole('searchbox'))
    await box('Ben').focus()
    await shop.key('r', shop.page.getByLabel('For whom'))
    await shop.escape()
  })

  test('A message disappears some seconds after it became visible, and an error message stays', async () => {
    await using shop = await openList(three)
    const message = shop.page.locator('.message')
    const stays = async (seconds: number) => {
      await shop.pass(seconds)
      await shop.twoFrames()
      assert.equal(await message.count(), 1)
    }
    await shop.reserve('Reserve Ada', '', 'Ada is reserved.')
    await shop.expectFocus(nameOf(shop, 'Ada'))
    // The tab is hidden, so nobody can see the message.
    await stays(60)
    await shop.page.mouse.move(7, 7)
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

    await shop.intercept('**/store/orders', (route) => route.fulfill({ status: 502 }), triesMax)
    await shop.reserve('Reserve Ben')
    await shop.page.locator('.failed').waitFor()
    await shop.expectFocus(shop.sendOrder)
    await shop.page.mouse.move(5, 5)
    await stays(60)
    await shop.click('Dismiss')
    await message.waitFor({ state: 'detached' })
  })

  test('An error message stays during other work, and disappears when the same action is tried again', async () => {
    await using shop = await openList(three)
    await order(shop.ids[0])
    const refused = 'Somebody else was faster'
    await shop.reserve('Reserve Ada', '', refused)
    await shop.escape()
    await shop.reserve('Reserve Ben', '', 'Ben is reserved.')
    assert.equal(await shop.page.locator('.failed', { hasText: refused }).count(), 1)
    await shop.openItem('Cleo')
    await shop.click('Edit')
    await shop.name.waitFor()
    assert.equal(await shop.page.locator('.failed', { hasText: refused }).count(), 1)
    await shop.page.locator('.failed').getByRole('button', { name: 'Dismiss' }).click()
    await shop.page.locator('.failed').waitFor({ state: 'detached' })
  })

  test('A click that was meant for one Undo does not trigger another Undo that has just replaced it', async () => {
    await using shop = await openList(three)
    const [first = 0, second = 0] = shop.ids
    const orders = [await order(first), await order(second)]
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    const answer = await shop.holdAnswer(`**/orders/${orders[1].id}/complete`)
    await shop.click(`Hand over order ${orders[1].id}, Ben`)
    await answer.held
    await shop.click(`Hand over order ${orders[0].id}, Ada`, 'Ada is sold.')
    // Clicks within the page as soon as the other message appears.
    await shop.page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.querySelector('.messages').textContent.includes('Ben is sold.')) return
      observer.disconnect()
      document.querySelector('.message:last-child button').click()
    }).observe(document.querySelector('.messages'), { childList: true, subtree: true, characterData: true })`)
    await answer.letGo()
    await shop.says('Ben is sold.')
    await shop.probe('answered')
    await shop.probe('soon', 700)
    assert.deepEqual((await petsIn(shop.category)).map(({ status }) => status).sort(), ['available', 'sold', 'sold'])
    await shop.click(shop.page.locator('.message', { hasText: 'Ben is sold.' }).getByRole('button', { name: 'Undo' }))
    await shop.says('Ben is reserved.')
  })

  test('The message of a slow change stays with its Undo when another slow change is answered', async () => {
    await using shop = await openList(three)
    const [first = 0, second = 0] = shop.ids
    const orders = [await order(first), await order(second)]
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    const answer = await shop.holdAnswer(`**/orders/${orders[1].id}/complete`)
    await shop.click(`Hand over order ${orders[1].id}, Ben`)
    await answer.held
    await shop.click(`Hand over order ${orders[0].id}, Ada`, 'Ada is sold.')
    await answer.letGo()
    await shop.says('Ben is sold.')
    await shop.expectAccessible('two messages')
    await shop.probe('soon', 700)
    await shop.click(shop.page.locator('.message', { hasText: 'Ada is sold.' }).getByRole('button', { name: 'Undo' }))
    await shop.says('Ada is reserved.')
    const [ada, ben] = await petsIn(shop.category)
    assert.deepEqual([ada, ben].map((pet) => pet?.status).sort(), ['pending', 'sold'])
  })

  test('A message covers no animal permanently, on a phone and on a desktop', async () => {
    await using shop = await openList(Array(30).fill('Low'), { viewport: { ...phone, height: 700 } })
    await shop.says(/^30 animals$/)
    await shop.reserve(shop.page.locator('.reserve').last(), '', 'Low is reserved.')
    for (const width of [390, 1280]) {
      await shop.page.setViewportSize({ width, height: 700 })
      await shop.page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await shop.twoFrames()
      const [row, message] = [shop.page.locator('.item').last(), shop.page.locator('.message')]
      const [above, below] = [await row.boundingBox(), await message.boundingBox()]
      assert.ok((above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0), JSON.stringify([above, below]))
    }
  })

  test('Nothing moves when a message comes or goes, even at the end of a list or a sheet, and all of it can be scrolled into view', async () => {
    await using list = await openList(Array(40).fill('Low'))
    const places = ({ page }: ShopPage) =>
      page
        .locator('dialog button:visible, .item')
        .evaluateAll((all) => all.map((each) => [each.textContent, each.getBoundingClientRect().y]))
    await list.reserve(list.page.locator('.reserve').last(), '', 'Low is reserved.')
    await list.page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const before = await places(list)
    await list.click('Dismiss')
    await list.page.locator('.message').waitFor({ state: 'detached' })
    assert.deepEqual(await places(list), before)
    for (const viewport of [
      { ...phone, height: 500 },
      { width: 820, height: 400 },
    ]) {
      await using shop = await store.openPet({ name: 'Told' }, { viewport })
      await shop.edit('Told again')
      await shop.click('Save', 'Told again was saved.')
      const told = await places(shop)
      await shop.page.evaluate(`document.querySelector('.sheet').scrollTo(0, 1e6)`)
      const [last, message] = [shop.sheet.locator('.timeline p'), shop.sheet.locator('.message')]
      const [above, below] = [await last.boundingBox(), await message.boundingBox()]
      assert.ok((above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0), JSON.stringify([above, below]))
      const scrolled = (await places(shop)).filter(([text]) => text !== 'Undo' && text !== '✕Dismiss')
      await shop.click('Dismiss')
      await message.waitFor({ state: 'detached' })
      assert.deepEqual(await places(shop), scrolled, `at the end, ${viewport.width} pixels wide`)
      await shop.page.evaluate(`document.querySelector('.sheet').scrollTo(0, 0)`)
      const untold = await places(shop)
      assert.deepEqual(
        untold,
        told.filter(([text]) => untold.some(([each]) => each === text)),
        `${viewport.width} pixels wide`,
      )
    }
  })

  test('Ctrl+Z in a field that was just emptied by hand brings back its text, and undoes nothing else', async () => {
    await using shop = await openList(three)
    await shop.reserve('Reserve Ada', '', 'Ada is reserved.')
    const search = shop.page.getByRole('searchbox')
    await search.focus()
    await shop.page.keyboard.type('ben')
    await shop.key('Control+a')
    await shop.key('Delete')
    await shop.key('Control+z')
    assert.equal(await search.inputValue(), 'ben')
    await shop.probe('answered')
    assert.deepEqual((await petsIn(shop.category)).map(({ status }) => status).sort(), [
      'available',
      'available',
      'pending',
    ])
    await shop.key('Control+a')
    await shop.key('Delete')
    await shop.page.locator('main').focus()
    await shop.key('Control+z', 'The order is cancelled')
  })

  test('Opening a form leaves the Undo of what was done before', async () => {
    await using shop = await openList(three)
    await shop.reserve('Reserve Ada', 'Mrs Novák', 'Ada is reserved for Mrs Novák.')
    await shop.openItem('Ben')
    await shop.click('Edit', shop.name)
    await shop.escape()
    await shop.openItem('Ada')
    await shop.click('Change', shop.page.getByLabel('For whom'))
    await shop.click('Undo', 'The order is cancelled')
  })

  test('The page for staff fits into 320 pixels, and into 360 with its header on one line', async () => {
    await using shop = await openList(['Long'.repeat(9), 'Ben'], { viewport: { width: 320, height: 700 } })
    for (const view of ['Animals', 'Orders', 'Report']) {
      await shop.page.getByRole('link', { name: view }).click()
      for (const width of [320, 360]) {
        await shop.page.setViewportSize({ width, height: 700 })
        await shop.twoFrames()
        assert.equal(await shop.probe('overhang'), 0, `${view} at ${width} pixels`)
      }
    }
    const tops = await shop.page
      .locator('.masthead :is(.tabs a, button)')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top / 20)))
    assert.equal(new Set(tops).size, 1, `${tops}`)
  })

  test('A row of animals shows the name of its category on a phone of 360 pixels', async () => {
    const category = freshCategory()
    await nameCategory(category, 'Hamsters')
    await addNamed(category, 'Ada')
    await using shop = await open({ search: `?category=${category}`, viewport: { width: 360, height: 700 } })
    await shop.item('Ada').getByText('Hamsters').waitFor()
    const isWhole = await shop
      .item('Ada')
      .locator('.category')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
    assert.ok(isWhole)
  })
})
