/** The report of the page for staff in a real browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { becomes } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopOptions, type ShopPage } from '../../harness/shop-page.ts'
import { following, quiet, requestsOf } from '../../harness/shop-requests.ts'
import { defaultScopes } from '../../src/model/key.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Returns noon of a past day, this many days ago. */
const noon = (daysAgo: number) => Math.floor(Date.now() / day - daysAgo) * day + 12 * hour
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

interface Sales {
  readonly day: string
  readonly sold: number
  readonly returned: number
}

describeShop('The report of the shop in Chromium', (store) => {
  const { open, call, addPet, patch, makeKey } = store
  const staffKey = () => makeKey(...defaultScopes, 'events:read')
  const openReport = async ({ search = '', ...options }: ShopOptions) => {
    const shop = await open({ key: await staffKey(), search: `?show=report${search}`, ...options })
    await shop.page.locator('.report[aria-busy=false]').waitFor()
    return shop
  }
  /** Sells an animal at a time of the service, and resolves with the number of its order. */
  async function sell(at: number, reference?: string): Promise<number> {
    await store.service.setClock(at)
    const { id } = await addPet({ name: '=Sold' })
    const order = await call('POST', '/store/orders', { petId: id, ...(reference && { reference }) })
    await store.moveOrder(order.id, 'complete')
    return order.id
  }
  async function takeBack(id: number, at: number): Promise<void> {
    await store.service.setClock(at)
    await store.moveOrder(id, 'return')
  }
  const now = () => store.service.setClock(null)

  const figure = async ({ page }: ShopPage, name: string): Promise<number> => {
    const [text = '0'] = await page.locator(`.figures .${name} dd`).allTextContents()
    return Number(text.replace(',', ''))
  }
  /** Returns what the page says about a range, in the form in which the service counts it. */
  async function figures(shop: ShopPage) {
    const undone = await figure(shop, 'undone')
    return { sold: (await figure(shop, 'sold')) + undone, returned: (await figure(shop, 'returned')) + undone }
  }
  async function sales(from: number, until: number) {
    const all: Sales[] = await call('GET', '/store/sales?days=366')
    const some = all.filter((each) => each.day >= dayOf(from) && each.day < dayOf(until))
    const sum = (of: (each: Sales) => number) => some.reduce((total, each) => total + of(each), 0)
    return { sold: sum(({ sold }) => sold), returned: sum(({ returned }) => returned) }
  }

  test('The report for staff shows the sums of GET /store/sales for any day, week or month, with and without names [decision 29]', async () => {
    // Nobody can tell who made this sale, because no order contains it.
    await store.service.setClock(noon(45))
    const { id } = await addPet({ name: 'Marked' })
    await patch(id, { status: 'sold' })
    const taken = await sell(noon(6), 'Mrs Back')
    await sell(noon(4))
    await takeBack(taken, noon(4) + hour)
    const slip = await sell(noon(2), 'Mr Slip')
    await takeBack(slip, noon(2) + 10 * minute)
    const late = await sell(noon(2), 'Mr Late')
    await takeBack(late, noon(2) + 16 * minute)
    await now()
    for (const at of [noon(45), noon(6), noon(4), noon(3), noon(2)]) {
      const date = new Date(at)
      const month = (more: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more, 1)
      const monday = at - ((date.getUTCDay() + 6) % 7) * day
      for (const [span, from, until] of [
        ['day', at, at + day],
        ['week', monday, monday + 7 * day],
        ['month', month(0), month(1)],
      ] as const) {
        await using shop = await openReport({ search: `&day=${dayOf(at)}&span=${span}` })
        assert.deepEqual(await figures(shop), await sales(from, until), `${span} of ${dayOf(at)}`)
        assert.equal(await shop.text('could not be loaded').count(), 0)
      }
    }
    await using old = await openReport({ search: `&day=${dayOf(noon(45))}` })
    await old.says('Without a name: 1 sold, 0 taken back')
    await using shop = await openReport({ search: `&day=${dayOf(noon(2))}` })
    const lines = await shop.page.locator('.sales .row').allInnerTexts()
    const told = lines.map((text) => text.replace(/\s+/g, ' ').replace(/^\S+ (AM |PM )?/, ''))
    assert.deepEqual(
      told.map((text) => text.replace(/ \d+ =Sold Category \d+ /, ': ')),
      ['sale undone: Mr Slip test', 'sold: Mr Late test', 'taken back: Mr Late test'],
    )
    assert.deepEqual(
      [await figure(shop, 'sold'), await figure(shop, 'returned'), await figure(shop, 'undone')],
      [1, 1, 1],
    )
    await shop.says(/took back within 15 minutes.*it counts neither as sold nor as taken back/)
  })

  test('A range of the report takes two clicks, and the range before or after it takes one', async () => {
    await using shop = await open({ key: await staffKey() })
    await shop.countClicks()
    await shop.page.getByRole('link', { name: 'Report' }).click()
    await shop.click('Week')
    assert.equal(await shop.clicks(), 2)
    const bars = shop.page.locator('.chart li')
    await becomes(() => bars.count(), 7)
    await shop.button('Later ›').and(shop.page.locator(':disabled')).waitFor()
    const title = () => shop.page.locator('.report h2').first().textContent()
    const present = await title()
    await shop.click('‹ Earlier')
    await shop.button('Later ›').and(shop.page.locator(':enabled')).waitFor()
    assert.notEqual(await title(), present)
    await shop.click('Later ›')
    await becomes(title, present)
    assert.doesNotMatch(shop.page.url(), /day=/)
    await shop.page.getByLabel('Day', { exact: true }).fill(dayOf(noon(100)))
    await shop.click('Month')
    const date = new Date(noon(100))
    const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    await becomes(() => bars.count(), days)
    await shop.says('Nothing was sold or taken back')
    await shop.page.getByLabel('Day', { exact: true }).fill('2020-02-29')
    assert.doesNotMatch(shop.page.url(), /2020/)
    await shop.page.goto(`${shop.url}/shop?show=report&day=2020-02-29`)
    await shop.says('The service keeps figures since')
    for (const impossible of ['2020-99-99', '2026-02-31']) {
      await shop.page.goto(`${shop.url}/shop?show=report&day=${impossible}`)
      await shop.page.locator('.report[aria-busy=false]').waitFor()
      assert.equal(await shop.page.getByLabel('Day', { exact: true }).inputValue(), dayOf(Date.now()), impossible)
    }
  })

  for (const span of ['week', 'month'])
    test(`On a phone, the days below the chart of a ${span} do not overlap, and fit into the window`, async () => {
      await using shop = await openReport({ search: `&span=${span}`, viewport: phone })
      const labels = await shop.page.evaluate<{ left: number; right: number; lines: number }[]>(
        `[...document.querySelectorAll('.chart .day')].flatMap((each) => {
          const range = document.createRange()
          range.selectNodeContents(each)
          const { left, right } = range.getBoundingClientRect()
          const lines = range.getClientRects().length
          return getComputedStyle(each).visibility === 'hidden' ? [] : [{ left, right, lines }]
        })`,
      )
      assert.ok(labels.length >= 4, `${labels.length} labels`)
      for (const [i, { left, right, lines }] of labels.entries()) {
        assert.ok(left >= (labels[i - 1]?.right ?? 0) && right <= phone.width, JSON.stringify(labels))
        // A day of a week has its date below it.
        assert.ok(span === 'week' || lines === 1, JSON.stringify(labels))
      }
    })

  test('On a phone and at a desk, each button and each time of the report stays on one line', async () => {
    const date = dayOf(noon(9))
    await sell(noon(9))
    await sell(noon(9) + 10.5 * hour)
    await now()
    await using shop = await openReport({ search: `&day=${date}`, viewport: phone })
    const session = await shop.page.context().newCDPSession(shop.page)
    for (const timezoneId of ['', 'Asia/Kathmandu'])
      for (const width of [phone.width, 820, 1440]) {
        await session.send('Emulation.setTimezoneOverride', { timezoneId })
        await shop.page.setViewportSize({ width, height: 900 })
        await shop.page.reload()
        await shop.page.locator('.sales time').nth(1).waitFor()
        const broken = await shop.page.evaluate<string[]>(
          `[...document.querySelectorAll('.toolbar button, .sales time')].filter((each) => {
            const range = document.createRange()
            range.selectNodeContents(each)
            return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
          }).map(({ textContent }) => textContent)`,
        )
        assert.deepEqual(broken, [], `${width} pixels ${timezoneId}`)
        assert.equal(await shop.probe('overhang'), 0, `${width} pixels ${timezoneId}`)
      }
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await session.detach()
  })

  test('The report for staff names who caused each event, and the sums of its spreadsheet equal the figures', async () => {
    const at = noon(1)
    const order = await sell(at, '=Formula')
    await store.service.setClock(at + minute)
    const { id } = await addPet({ name: 'By hand' })
    await patch(id, { status: 'sold' })
    await takeBack(order, at + hour)
    await now()
    await using shop = await openReport({ search: `&day=${dayOf(at)}` })
    const people = await shop.page.locator('.people tbody tr').allInnerTexts()
    assert.deepEqual(
      people.map((text) => text.split(/\s*[\n\t]\s*/)),
      [
        ['test', '1', '1'],
        ['Not known', '1', '0'],
      ],
    )
    const download = shop.page.waitForEvent('download')
    await shop.click('Save as CSV')
    const file = await download
    assert.equal(file.suggestedFilename(), `sales-${dayOf(at)}.csv`)
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
      .slice(1)
    const cells = lines.map((line) => line.slice(1, -1).split('","'))
    assert.deepEqual(
      cells.map(([date, , what, count, number]) => [date, what, count, number]),
      [
        [dayOf(at), 'sold', '1', String(order)],
        [dayOf(at), 'taken back', '1', String(order)],
        [dayOf(at), 'sold', '1', ''],
      ],
    )
    assert.deepEqual(cells[0]?.slice(6), ["'=Sold", cells[0]?.[7], "'=Formula", 'test'])
  })

  test('A sale that is returned after midnight in UTC counts as sold on one day and as returned on the other', async () => {
    const month = new Date()
    const midnight = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - 1, 16)
    const id = await sell(midnight - 300_000)
    await takeBack(id, midnight + 300_000)
    await now()
    await using shop = await openReport({ search: `&span=month&day=${dayOf(midnight)}` })
    const lines = shop.page.locator(`.item[data-id="${id}"] .what`)
    assert.deepEqual(await lines.allTextContents(), ['sold', 'taken back'])
  })

  test('The report for staff follows the sales of others with few requests, and reads no event twice', async () => {
    await now()
    for (let i = 0; i < 3; i++) await sell(Date.now())
    await now()
    const key = await staffKey()
    await using shop = await following(open({ key, search: '?show=report' }))
    const sold = await figure(shop, 'sold')
    const asked = requestsOf(shop.page)
    const { id } = await addPet({ name: 'Just now' })
    const order = await store.order(id)
    await store.moveOrder(order.id, 'complete')
    await shop.item('Just now').waitFor()
    await quiet(shop, asked)
    assert.equal(await figure(shop, 'sold'), sold + 1)
    // The stream reports the sale. When everything is read again, the page asks only for later events.
    const events = asked.filter((each) => each.includes('/events?'))
    for (const each of events) assert.match(each, /type=order\.completed%2Corder\.returned&.*cursor=/)
    const reads = asked.filter((each) => /events|sales|pets/.test(each))
    assert.ok(reads.length <= 8, asked.join('\n'))
    await store.moveOrder(order.id, 'return')
    await shop.says('sale undone')
    await becomes(() => figure(shop, 'sold'), sold)
  })

  test('The report for staff starts again if the events after the last one that it read were removed', async () => {
    await sell(Date.now())
    await now()
    await using shop = await following(open({ key: await staffKey(), search: '?show=report' }))
    const expired = { code: 'events_expired', message: 'Removed.', status: 410 }
    await shop.intercept(/events\?type=.*cursor=/, (route) => route.fulfill({ status: 410, json: expired }))
    const { id } = await addPet({ name: 'After the gap' })
    await store.moveOrder((await store.order(id)).id, 'complete')
    await shop.item('After the gap').waitFor()
    assert.equal(await shop.text('could not be loaded').count(), 0)
  })

  test('The report for staff uses days in UTC in every time zone, says so, and names the weekday of a time on another day', async () => {
    const at = noon(1) + 11 * hour
    await sell(at, 'Late in the evening')
    await now()
    await using shop = await openReport({ search: `&day=${dayOf(at)}` })
    await shop.says('Days are those of UTC')
    const session = await shop.page.context().newCDPSession(shop.page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
    await shop.page.reload()
    await shop.says(/here, a day begins at 9:00/)
    const row = shop.page.locator('.sales .row', { hasText: 'Late in the evening' })
    const weekday = new Date(at + 9 * hour).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })
    assert.match(await row.locator('time').innerText(), new RegExp(`^${weekday} 8:00`))
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await session.detach()
  })

  test('The report for staff names both times at which a day begins in a month in which the clocks change', async () => {
    // In London, this is the last month that is over and in which they changed.
    const from = new Date()
    do from.setUTCMonth(from.getUTCMonth() - 1, 15)
    while (![2, 9].includes(from.getUTCMonth()))
    await using shop = await openReport({ search: `&span=month&day=${dayOf(from.getTime())}` })
    const session = await shop.page.context().newCDPSession(shop.page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/London' })
    await shop.page.reload()
    await shop.says(/here, a day begins at (1:00\sAM or 12:00\sAM|12:00\sAM or 1:00\sAM)\./)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await session.detach()
  })

  test('After midnight in UTC, an open report for staff shows the new day', async () => {
    await using shop = await openReport({})
    const session = await shop.page.context().newCDPSession(shop.page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
    await shop.page.reload()
    const field = shop.page.getByLabel('Day', { exact: true })
    await becomes(() => field.inputValue(), dayOf(Date.now()))
    const midnight = (Math.floor(Date.now() / day) + 1) * day
    const passTo = async (time: number) => {
      await shop.page.evaluate(`Date.now = () => ${time}`)
      await shop.pass(15)
      // A refresh that has been requested begins within a second.
      await shop.probe('soon', 1_200)
      await shop.probe('answered')
    }
    await passTo(midnight - minute)
    assert.equal(await field.inputValue(), dayOf(midnight - minute))
    // In this place, a day begins at another time.
    await passTo(midnight)
    await becomes(() => field.inputValue(), dayOf(midnight))
    assert.equal(await field.getAttribute('max'), dayOf(midnight))
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await session.detach()
  })

  test('A row of the report for staff opens its animal, and the report is printed without buttons', async () => {
    await sell(noon(1) + 11 * hour, 'Opened')
    await now()
    await using shop = await openReport({ search: `&day=${dayOf(noon(1))}` })
    await shop.page.locator('.sales .row', { hasText: 'Opened' }).locator('.for').click()
    await shop.sheetOpened('=Sold')
    await shop.page.goBack()
    await shop.sheetClosed()
    await shop.page.emulateMedia({ media: 'print' })
    for (const part of ['.toolbar', '.tabs', '.freshness']) assert.ok(await shop.page.locator(part).isHidden(), part)
    assert.ok(await shop.page.locator('.people').isVisible())
  })

  test('Printed animals, orders and sales have no buttons, and their tables have heads on a sheet of paper', async () => {
    await call('POST', '/store/orders', { petId: (await addPet()).id })
    await addPet()
    await sell(Date.now())
    await now()
    await using shop = await openReport({})
    const views = { animals: '', orders: '?show=orders', sales: '?show=report' }
    for (const [name, search] of Object.entries(views)) {
      await shop.page.goto(`${shop.url}/shop${search}`)
      await shop.page.locator(`.${name} .item`).first().waitFor()
      await shop.page.emulateMedia({ media: 'print' })
      for (const width of [718, 1280]) {
        await shop.page.setViewportSize({ width, height: 900 })
        const buttons = await shop.page.locator('button:visible:not(.sort)').allInnerTexts()
        assert.deepEqual(buttons, [], `${name} on ${width} pixels`)
        // On a sheet of paper, an order and a sale have two lines that need no head.
        const hasHead = name === 'animals' || width > 718
        assert.equal(await shop.page.locator(`.${name} thead`).isVisible(), hasHead, `${name} on ${width}`)
        assert.equal(await shop.probe('overhang'), 0, `${name} on ${width} pixels`)
      }
      await shop.page.emulateMedia({ media: null })
    }
  })

  test('On paper, no word of the report is broken, and no day is separated from its first line', async () => {
    const { categoryId } = await addPet()
    await store.nameCategory(categoryId, 'Reptiles')
    for (let i = 0; i < 40; i++) {
      await store.service.setClock(noon(10 + (i % 9)))
      const { id } = await addPet({ name: 'Dandelion', categoryId })
      const order = await call('POST', '/store/orders', { petId: id, reference: 'Lindqvist family, 555-0163' })
      await store.moveOrder(order.id, 'complete')
    }
    await now()
    await using shop = await openReport({
      search: `&span=month&day=${dayOf(noon(14))}`,
      viewport: { width: 718, height: 900 },
    })
    await shop.page.emulateMedia({ media: 'print' })
    const broken = await shop.page.evaluate<string[]>(
      `[...document.querySelectorAll('.sales :is(th, td)')].flatMap((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        const words = []
        for (let text; (text = walker.nextNode()); )
          for (const { index, 0: word } of text.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange()
            range.setStart(text, index)
            range.setEnd(text, index + word.length)
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
            if (lines.size > 1) words.push(word)
          }
        return words
      })`,
    )
    assert.deepEqual(broken, [])
    const breaks = await shop.page.evaluate<string[]>(
      `[...document.querySelectorAll('.sales .day')].map((each) => getComputedStyle(each).breakAfter)`,
    )
    assert.deepEqual([...new Set(breaks)], ['avoid'])
  })

  test('If an animal is open, it is printed with its orders, and not the list behind it', async () => {
    await using shop = await store.openPet({ name: 'Printed' })
    const long = await addPet({ name: 'Printed '.repeat(100).trim() })
    await shop.reserve(shop.sheetButton('Reserve'), 'Mrs Novák', 'Printed is reserved for Mrs Novák.')
    await shop.page.emulateMedia({ media: 'print' })
    const printed = shop.page.locator('h2:visible, h3:visible, .holder:visible, .timeline li:visible')
    assert.deepEqual(
      (await printed.allInnerTexts()).map((text) => text.split('\n')[0]),
      ['Printed', 'Reserved for Mrs Novák', 'Orders', `Order ${(await store.ordersOf(shop.id))[0].id}, open`],
    )
    for (const hidden of ['.item', '.toolbar', 'button', '.messages'])
      assert.equal(await shop.page.locator(`${hidden}:visible`).count(), 0, hidden)
    await shop.page.emulateMedia({ media: null })
    const pages = async () => (await shop.page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)?.length
    assert.equal(await pages(), 1)
    const [first] = await store.ordersOf(shop.id)
    await store.moveOrder(first.id, 'cancel')
    for (let i = 0; i < 20; i++) await store.moveOrder((await store.order(shop.id)).id, 'cancel')
    await shop.page.reload()
    await shop.page.locator('.timeline li').nth(20).waitFor()
    assert.equal(await pages(), 2, 'all orders')
    await shop.page.goto(`${shop.url}/shop?pet=${long.id}`)
    await shop.sheet.getByText('Nobody has ordered it yet.').waitFor()
    await shop.page.emulateMedia({ media: 'print' })
    assert.ok(
      await shop.sheet.locator('h2').evaluate((head) => head.scrollHeight <= head.clientHeight + 1),
      'a long name is printed in full',
    )
  })

  test('The report for staff says why it could not be loaded, and loads on the next try', async () => {
    await using shop = await open({ key: await staffKey() })
    await shop.page.route('**/store/sales?*', (route) => route.fulfill({ status: 502 }))
    await shop.page.getByRole('link', { name: 'Report' }).click()
    await shop.says('The report could not be loaded')
    await shop.page.unroute('**/store/sales?*')
    await shop.click('Try again')
    await shop.page.locator('.figures').waitFor()
    await shop.click('Sign out')
    await shop.signIn(await makeKey('pets:read', 'orders:read'))
    await shop.says('This key lacks the scope events:read')
  })

  const looks = [390, 820, 1440].flatMap((width) => [
    { width, colorScheme: 'light' as const },
    { width, colorScheme: 'dark' as const },
  ])
  for (const { width, colorScheme } of looks)
    test(`The report for staff is accessible, ${width} pixels wide, ${colorScheme}`, async () => {
      await using shop = await openReport({
        search: `&span=month&day=${dayOf(noon(2))}`,
        viewport: { width, height: 900 },
        colorScheme,
      })
      await shop.page.locator('.chart').waitFor()
      await shop.expectAccessible('a month')
      await shop.click('Day')
      await shop.page.locator('.chart').waitFor({ state: 'detached' })
      await shop.expectAccessible('a day')
    })
})
