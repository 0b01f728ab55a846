/** What a row of the page for staff shows at each width and on paper, and that no row moves. */
import assert from 'node:assert/strict'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopPage } from '../../harness/shop-page.ts'
import { defaultScopes } from '../../src/model/key.ts'

const longName = 'Prince Alexander of the Long Corridor and his very best friend, called Sasha by all'
const longReference = 'Mrs Hedvika Nováková-Procházková, Long Street 1234, 724 123 456, calls on Friday after five'

describeShop('The rows of the shop in Chromium', (store) => {
  const { open, openList, call, addPet, makeKey } = store
  const staffKey = () => makeKey(...defaultScopes, 'events:read')
  const place = async (pet: object, reference = longReference): Promise<{ id: number }> =>
    call('POST', '/store/orders', { petId: (await addPet(pet)).id, reference })

  /** Returns the texts of the rows of which a part cannot be seen. */
  const cutOff = ({ page }: ShopPage) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.item *, .day *')]
        .filter((each) => !each.closest('.hidden') && getComputedStyle(each).overflow !== 'visible')
        .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
        .map(({ textContent }) => textContent)`,
    )

  test('No name of an animal, a category, a customer or a key is cut off in a row, at any width and on paper', async () => {
    const key = await store.service.makeKey({
      name: 'Hedvika Nováková-Procházková',
      scopes: [...defaultScopes, 'events:read'],
    })
    const { categoryId } = await addPet({ name: longName })
    await store.nameCategory(categoryId, 'Animals that came from a very large farm abroad')
    await place({ name: longName, categoryId })
    const { id } = await place({ name: longName, categoryId })
    await store.service.call('POST', `/store/orders/${id}/complete`, { key })
    await using shop = await open({ key })
    for (const search of [`?category=${categoryId}`, '?show=orders&find=Hedvika', '?show=report']) {
      await shop.page.goto(`${shop.url}/shop${search}`)
      await shop.page.locator('.item', { hasText: 'Sasha' }).first().waitFor()
      for (const [media, widths] of [
        ['screen', [360, 390, 820, 1280]],
        ['print', [718, 1280]],
      ] as const) {
        await shop.page.emulateMedia({ media })
        for (const width of widths) {
          await shop.page.setViewportSize({ width, height: 900 })
          await shop.twoFrames()
          assert.deepEqual(await cutOff(shop), [], `${search} on ${media}, ${width} pixels`)
          assert.equal(await shop.probe('overhang'), 0, `${search} on ${media}, ${width} pixels`)
        }
      }
      await shop.page.emulateMedia({ media: null })
    }
  })

  test('A name of 1,024 characters takes ten lines of a row, and all of it is on paper', async () => {
    await using shop = await openList(['W'.repeat(1_024)], { viewport: phone })
    const height = async () => (await shop.page.locator('.item .name').boundingBox())?.height ?? 0
    const lineHeight = await shop.page.evaluate<number>(
      `parseFloat(getComputedStyle(document.querySelector('.item .name')).lineHeight)`,
    )
    assert.equal(Math.round((await height()) / lineHeight), 10)
    await shop.page.emulateMedia({ media: 'print' })
    assert.deepEqual(await cutOff(shop), [])
    assert.ok((await height()) > 10 * lineHeight)
    await call('DELETE', `/pets/${shop.ids[0]}`)
  })

  /** Makes a page believe that it is touched, until the page is returned. */
  async function touched({ page }: ShopPage, enabled = true): Promise<AsyncDisposable> {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled })
    return {
      async [Symbol.asyncDispose]() {
        await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
        await session.detach()
      },
    }
  }

  test('No other row moves when somebody else reserves, sells or cancels, at any width, with a mouse and by touch', async () => {
    const names = ['Last', 'Dandelion of the Highlands', longName]
    const key = await staffKey()
    for (const [width, isTouch] of [
      [320, false],
      [360, false],
      [390, false],
      [820, false],
      [820, true],
      [1280, true],
    ] as const) {
      const viewport = { width, height: 1_180 }
      await using animals = await openList(names, { key, viewport })
      await store.nameCategory(animals.category, 'Stick insects, spiders and other small arthropods')
      const placed = [
        await place({ name: longName }, 'Familie Müller-Lüdenscheidt, 0171'),
        await place({ name: 'A' }, 'B'),
      ]
      await place({ name: 'Below' })
      await using orders = await open({ key, viewport, search: '?show=orders' })
      await using _animals = await touched(animals, isTouch)
      await using _orders = await touched(orders, isTouch)
      for (const each of [animals, orders]) await each.says('Live')
      await orders.item('Below').waitFor()
      const count = await orders.page.locator('.item').count()
      const places = async () => {
        const rows = await Promise.all([animals, orders].map(({ page }) => page.locator('.item').all()))
        // The orders that are placed below join at the end.
        const boxes = [...(rows[0] ?? []), ...(rows[1] ?? []).slice(0, count)].map((row) => row.boundingBox())
        return (await Promise.all(boxes)).map((box) => box?.y)
      }
      const before = await places()
      const [, second, third] = animals.ids
      await store.order(second)
      await store.moveOrder((await store.order(third)).id, 'complete')
      await store.moveOrder(placed[0]?.id ?? 0, 'complete')
      await store.moveOrder(placed[1]?.id ?? 0, 'cancel')
      await animals.expectStatus(names[1] ?? '', 'reserved')
      await animals.expectStatus(longName, 'sold')
      await orders.expectStatus(longName, 'completed')
      await orders.expectStatus('A', 'cancelled')
      assert.deepEqual(await places(), before, `${width} pixels wide${isTouch ? ', by touch' : ''}`)
      for (const { id } of await call('GET', '/store/orders?status=placed')) await store.moveOrder(id, 'cancel')
    }
  })

  test('Each button of a row is large enough for a thumb on a tablet', async () => {
    await place({ name: 'Thumb' })
    await using shop = await openList(['Thumb'], { viewport: { width: 820, height: 1_180 } })
    await using _touched = await touched(shop)
    for (const search of [`?category=${shop.category}`, '?show=orders']) {
      await shop.page.goto(`${shop.url}/shop${search}`)
      await shop.item('Thumb').first().waitFor()
      assert.deepEqual(await shop.probe('small', 44), [], search)
    }
  })

  test('The columns of the report are the same in each row, however long the name of a key is', async () => {
    for (const name of [
      'Al',
      'Maximiliane von und zu Hohenlohe-Langenburg, second floor on Fridays and Saturdays, telephone 12',
    ]) {
      const key = await store.service.makeKey({ name, scopes: defaultScopes })
      await store.service.call('POST', `/store/orders/${(await place({ name: 'Dandelion' })).id}/complete`, { key })
    }
    await using shop = await open({ key: await staffKey(), search: '?show=report' })
    for (const [media, width] of [
      ['screen', 768],
      ['screen', 820],
      ['screen', 1280],
      ['print', 718],
    ] as const) {
      await shop.page.emulateMedia({ media })
      await shop.page.setViewportSize({ width, height: 900 })
      const places = await shop.page
        .locator('.sales .row')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => [cell.getBoundingClientRect().x, cell.clientWidth])),
        )
      assert.ok(places.length >= 2)
      const names = new Set(places.map((cells) => JSON.stringify(cells[3])))
      const keys = new Set(places.map((cells) => cells[6]?.[0]))
      assert.deepEqual([names.size, keys.size], [1, 1], `${media}, ${width} pixels`)
      assert.ok((places[0]?.[3]?.[1] ?? 0) > 150, JSON.stringify(places[0]))
    }
    await shop.page.emulateMedia({ media: null })
  })

  test('On the narrowest phone, nothing is outside the window in any view, with sales that were undone', async () => {
    const key = await staffKey()
    const undone = await place({ name: longName })
    for (const verb of ['complete', 'return'])
      await store.service.call('POST', `/store/orders/${undone.id}/${verb}`, { key })
    await place({ name: longName })
    await using shop = await open({ key, viewport: { width: 320, height: 568 } })
    for (const search of ['', '?show=orders', '?show=report', '?show=report&span=week', '?show=report&span=month']) {
      await shop.page.goto(`${shop.url}/shop${search}`)
      await shop.page.locator('.item').first().waitFor()
      assert.deepEqual(await shop.probe('beyond'), [], search)
      assert.deepEqual(await cutOff(shop), [], search)
    }
    await shop.says('Sales undone')
    await shop.page.goto(`${shop.url}/shop`)
    await shop.menu('Select')
    assert.deepEqual(await shop.probe('beyond'), [], 'selecting')
  })

  test('A printed list begins with what it lists, and the screen does not show that twice', async () => {
    await using shop = await openList(['Printed'], { search: '&status=available' })
    await place({ name: 'Printed' })
    await store.nameCategory(shop.category, 'Rabbits')
    const heads = [
      [`?category=${shop.category}&status=available`, 'Animals · Rabbits · available'],
      ['?search=printed', 'Animals · “printed”'],
      ['?show=orders', 'Orders · Open'],
      ['?show=orders&tab=due', 'Orders · Due today'],
      ['?show=orders&find=Hedvika', 'Orders · “Hedvika”'],
      ['?search=%D9%84%D9%88%D9%84%D9%88&status=sold', 'Animals · “لولو” · sold'],
    ] as const
    for (const [search, head] of heads) {
      await shop.page.goto(`${shop.url}/shop${search}`)
      await shop.page.locator('.catalogue[aria-busy=false]').waitFor({ state: 'attached' })
      const printed = shop.page.locator('.catalogue h2').first()
      await printed.filter({ hasText: head }).waitFor({ state: 'attached' })
      assert.ok(await printed.isHidden(), `${search} on a screen`)
      await shop.page.emulateMedia({ media: 'print' })
      assert.equal(await printed.innerText(), head)
      // A name that is written from right to left does not reorder the rest.
      assert.deepEqual(await printed.locator('bdi').allInnerTexts(), head.split(' · '))
      const [above, below] = [await printed.boundingBox(), await shop.page.locator('.found p').boundingBox()]
      if (below) assert.ok((above?.y ?? 0) + (above?.height ?? 0) <= below.y, 'the count has its own line')
      await shop.page.emulateMedia({ media: null })
    }
  })
})
