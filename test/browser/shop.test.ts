/** The page for staff in a real browser: everything that a person can do there, seen on the page and asked of the service. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, addPets, freshCategory } from '../support/expect.ts'
import { testInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describe('The shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const inventory = async () => (await service.call('GET', '/store/inventory')).json
    const ordersOf = async (id: number) => (await service.call('GET', `/store/orders?petId=${id}`)).json
    const petText = async (id: number) => (await service.call('GET', `/pets?id=${id}`)).text

    testInFull('asks for a key, shows its name, keeps it in the tab, and forgets it on request [D278]', async () => {
      await using shop = await open({ key: null })
      await shop.page.getByLabel('API key').fill('pst_mistyped')
      await shop.page.keyboard.press('Enter')
      await shop.text('This key is not valid').waitFor()
      await shop.signIn(service.key)
      await shop.text('test').waitFor()
      await shop.page.reload()
      await shop.button('Sign out').waitFor()
      const { local, session, databases, cookie } = await shop.probe<Record<string, Record<string, string>>>('kept')
      assert.equal(session?.['petstore.key'], service.key)
      assert.deepEqual({ local, databases, cookie }, { local: {}, databases: [], cookie: '' })
      await shop.button('Sign out').click()
      await shop.page.getByLabel('API key').waitFor()
      assert.equal(await shop.page.evaluate(`sessionStorage.getItem('petstore.key')`), null)
    })

    test('adds an animal and then the next with Enter, counts them, and takes the last back [D293]', async () => {
      const { available, pending, sold } = await inventory()
      await using shop = await open()
      await shop.openAdd()
      await shop.sheet.getByLabel('New category', { exact: true }).fill('Hamsters')
      for (const name of ['Pip', 'Pop']) {
        await shop.page.getByLabel('Name').fill(name)
        await shop.page.keyboard.press('Enter')
        await shop.text(`${name} was added.`).waitFor()
      }
      await shop.button('Undo').click()
      await shop.text('Pop was removed again.').waitFor()
      await shop.button('Close').click()
      await shop.expectCounts(available + 1, pending, sold)
      await shop.item('Pip').getByText('Hamsters').waitFor()
      assert.equal(await shop.item('Pop').count(), 0)
      assert.deepEqual(await inventory(), { available: available + 1, pending, sold })
      await shop.page.goto(`${service.url}/shop?category=77`)
      await shop.openAdd()
      assert.equal(await shop.sheet.getByLabel('Category').inputValue(), '77', 'that of the filter')
    })

    test('orders an animal, cancels, orders it again, sells it and takes it back; the counts and the timeline follow', async () => {
      const { id } = await addPet(service, { name: 'Sold' })
      const { available, pending, sold } = await inventory()
      await using shop = await open()
      await shop.button('Order Sold').click()
      await shop.expectCounts(available - 1, pending + 1, sold)
      await shop.item('Sold').getByRole('link').click()
      await shop.button('Cancel the order').click()
      await shop.text('Sold is available again').waitFor()
      await shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
      await shop.button('Complete the order').click()
      await shop.text('Sold is sold.').waitFor()
      const timeline = await shop.sheet.locator('.timeline strong').allTextContents()
      const [first, second] = await ordersOf(id)
      assert.deepEqual(timeline, [`Order ${second.id}, completed`, `Order ${first.id}, cancelled`])
      assert.equal(await shop.button('Undo').count(), 0)
      await shop.expectCounts(available - 1, pending, sold + 1)
      await shop.button('Take back').click()
      await shop.text('Sold was taken back').waitFor()
      assert.match(await shop.sheet.locator('.timeline li').first().innerText(), /returned.+Taken back/s)
      assert.equal(await shop.button('Take back').count(), 0)
      await shop.button('Close').click()
      await shop.expectCounts(available, pending, sold)
    })

    test('draws no bar for a day on which more came back than were sold', async () => {
      const [{ sold }] = (await service.call('GET', '/store/sales?days=1')).json
      for (const id of await addPets(service, sold + 2, { status: 'sold' }))
        await service.call('PATCH', `/pets/${id}`, { body: { status: 'available' } })
      await using shop = await open()
      const last = shop.page.locator('.chart g').last()
      await last.waitFor()
      assert.equal(await shop.page.locator('.chart td').last().textContent(), '-2')
      assert.equal(await last.locator('rect.bar').getAttribute('height'), '0')
    })

    test('shows the figures of a day under the pointer and the keyboard, and all of them as a table', async () => {
      await addPet(service)
      const days: { day: string; added: number; sold: number }[] = (await service.call('GET', '/store/sales?days=30'))
        .json
      const words = days.map(({ day, added, sold }) => {
        const date = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' })
        return { date: date.format(new Date(day)), added, sold }
      })
      await using shop = await open()
      const chart = shop.page.locator('.chart')
      const slider = chart.getByRole('slider', { name: 'Day' })
      await slider.focus()
      const today = words.at(-1)
      await chart
        .locator('figcaption', { hasText: `${today?.date} ${today?.added} added ${today?.sold} sold` })
        .waitFor()
      await shop.page.keyboard.press('ArrowLeft')
      assert.match((await slider.getAttribute('aria-valuetext')) ?? '', new RegExp(`^${words.at(-2)?.date}: `))
      await shop.page.keyboard.press('Home')
      await chart.locator('figcaption', { hasText: words[0]?.date ?? '' }).waitFor()
      await shop.expectAccessible('the first day of the chart')
      await shop.page.keyboard.press('Tab')
      await chart.locator('figcaption', { hasText: 'In 30 days' }).waitFor()
      const { x, y, width, height } = (await chart.locator('.plot').boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      }
      await shop.page.mouse.move(x + (width * 10.5) / 30, y + height / 2)
      await chart.locator('figcaption', { hasText: words[10]?.date ?? '' }).waitFor()
      const rows = await chart.getByRole('table', { name: 'Animals added and sold' }).getByRole('row').allInnerTexts()
      assert.deepEqual(
        rows.slice(1).map((row) => row.split(/\s*\t\s*/)),
        words.map(({ date, added, sold }) => [date, String(added), String(sold)]),
      )
    })

    testInFull('places one order on a double click, and one when the answer to the first got lost [D282]', async () => {
      const [twice, lost] = [await addPet(service, { name: 'Twice' }), await addPet(service, { name: 'Lost' })]
      await using shop = await open()
      await shop.button('Order Twice').dblclick()
      await shop.text('Twice is reserved.').waitFor()
      assert.equal((await ordersOf(twice.id)).length, 1)
      await shop.loseAnswer('**/store/orders')
      await shop.button('Order Lost').click()
      await shop.text('Lost is reserved.').waitFor()
      assert.equal((await ordersOf(lost.id)).length, 1)
    })

    testInFull('edits an animal in place, and takes it back [D293]', async () => {
      const { id } = await addPet(service, { name: 'Before' })
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

    testInFull('shows and saves every digit of an int64', async () => {
      const { json } = await service.call('POST', '/pets', { body: '{"name":"Big","categoryId":9223372036854775807}' })
      await service.call('POST', '/pets', { body: '{"name":"Small","categoryId":-9007199254740993}' })
      await using shop = await open({ search: `?category=9223372036854775807&pet=${json.id}` })
      await shop.sheet.getByText('Category 9223372036854775807').waitFor()
      await shop.button('Edit').click()
      await shop.sheet.getByLabel('Category').selectOption('Category -9007199254740993')
      await shop.button('Save').click()
      await shop.text('Big was saved.').waitFor()
      assert.match(await petText(json.id), /"categoryId":-9007199254740993,/)
      await shop.sheet.getByText('Category -9007199254740993').waitFor()
    })

    testInFull(
      'shows both versions when two people edit one animal, and saves the one that is chosen [D281]',
      async () => {
        const { id } = await addPet(service, { name: 'Both', categoryId: 7 })
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
        await service.call('PATCH', `/pets/${id}`, { body: { name: 'Third' } })
        await rename(one, 'Hers again')
        await one.button('Keep theirs').click()
        assert.match(await petText(id), /"Third"/)
        await one.sheet.getByRole('heading', { name: 'Third' }).waitFor()
      },
    )

    testInFull('names a category, and takes the name back', async () => {
      const category = freshCategory()
      await addPet(service, { name: 'Named', categoryId: category })
      await using shop = await open({ search: `?category=${category}` })
      await shop.button('Categories').click()
      await shop.sheet.getByLabel(`Name of Category ${category}`).fill('Axolotls')
      await shop.page.keyboard.press('Enter')
      await shop.text(`Category ${category} is called Axolotls now.`).waitFor()
      await shop.item('Named').getByText('Axolotls').waitFor()
      await shop.button('Undo').click()
      await shop.item('Named').getByText(`Category ${category}`).waitFor()
    })

    testInFull('offers a key only what its scopes allow', async () => {
      const { id } = await addPet(service, { name: 'Looked at' })
      const offered = async (scopes: Parameters<TestService['makeKey']>[0]) => {
        await using shop = await open({ search: `?pet=${id}`, key: await service.makeKey(scopes) })
        await shop.sheet.getByText('available').waitFor()
        const within = await shop.sheet.getByRole('button').allTextContents()
        await shop.button('Close').click()
        await shop.item('Looked at').waitFor()
        const all = await shop.page.getByRole('button').allTextContents()
        return [...within, ...all].map((text) => text.replace(/^\+ /, '').split(' ')[0])
      }
      const reader = await offered({ scopes: ['pets:read'] })
      for (const each of ['Order', 'Edit', 'Add', 'Categories']) assert.ok(!reader.includes(each), each)
      const writer = await offered({ scopes: ['pets:read', 'pets:write'] })
      assert.ok(!writer.includes('Order') && writer.includes('Edit') && writer.includes('Add'))
    })
  })
