/** What a row of the page for staff shows at each width and on paper, and that no row moves. */
import assert from 'node:assert/strict'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopPage } from '../../harness/shop-page.ts'
import { following } from '../../harness/shop-requests.ts'
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
  })

  test('No row moves when the buttons of a row disappear, because somebody else was faster, on a phone and a tablet', async () => {
    for (const width of [phone.width, 820]) {
      const viewport = { width, height: 1_180 }
      const key = await staffKey()
      const names = ['Last', 'Dandelion of the Highlands', longName]
      await using animals = await following(openList(names, { key, viewport }))
      const placed = await place({ name: longName })
      await place({ name: 'Below' })
      await using orders = await following(open({ key, viewport, search: '?show=orders' }))
      const tops = async () => {
        const all: number[][] = []
        for (const { page } of [animals, orders])
          all.push(await page.locator('.item').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().y)))
        return all
      }
      await orders.item('Below').waitFor()
      const before = await tops()
      for (const id of animals.ids.slice(1)) await call('POST', '/store/orders', { petId: id })
      await store.moveOrder(placed.id, 'cancel')
      for (const name of names.slice(1)) await animals.expectStatus(name, 'reserved')
      await orders.expectStatus(longName, 'cancelled')
      const rows = before[1]?.length
      // The orders that were just placed are at the end.
      const [ofAnimals, ofOrders] = await tops()
      assert.deepEqual([ofAnimals, ofOrders?.slice(0, rows)], before, `${width} pixels wide`)
      for (const pet of animals.ids.slice(1)) await store.moveOrder((await store.ordersOf(pet))[0].id, 'cancel')
      for (const { id } of await call('GET', '/store/orders?status=placed')) await store.moveOrder(id, 'cancel')
    }
  })

  test('Each button of a row is large enough for a thumb on a tablet', async () => {
    await place({ name: 'Thumb' })
    await using shop = await openList(['Thumb'], { viewport: { width: 820, height: 1_180 } })
    const touch = await shop.page.context().newCDPSession(shop.page)
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    for (const search of [`?category=${shop.category}`, '?show=orders']) {
      await shop.page.goto(`${shop.url}/shop${search}`)
      await shop.item('Thumb').first().waitFor()
      assert.deepEqual(await shop.probe('small', 44), [], search)
    }
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await touch.detach()
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
    ] as const
    for (const [search, head] of heads) {
      await shop.page.goto(`${shop.url}/shop${search}`)
      await shop.page.locator('.catalogue[aria-busy=false]').waitFor({ state: 'attached' })
      const printed = shop.page.locator('.catalogue h2').first()
      await printed.filter({ hasText: head }).waitFor({ state: 'attached' })
      assert.ok(await printed.isHidden(), `${search} on a screen`)
      await shop.page.emulateMedia({ media: 'print' })
      assert.equal(await printed.innerText(), head)
      await shop.page.emulateMedia({ media: null })
    }
  })
})
