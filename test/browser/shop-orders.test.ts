/** The orders of the page for staff in a real browser. */
import assert from 'node:assert/strict'
import type { Route } from 'playwright-core'
import { becomes, eventually } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopPage, triesMax } from '../../harness/shop-page.ts'
import { following, quiet, requestsOf } from '../../harness/shop-requests.ts'
import { defaultScopes } from '../../src/model/key.ts'

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const search = '?show=orders'

describeShop('The orders of the shop in Chromium', (store) => {
  const { open, openPet, call, addPet, addPets, patch, order, moveOrder, ordersOf, makeKey } = store
  const staffKey = () => makeKey(...defaultScopes, 'events:read')
  const place = async (body: object, pet?: object) =>
    call('POST', '/store/orders', { petId: (await addPet(pet)).id, ...body })
  const orderRow = ({ page }: ShopPage, id: number) => page.locator(`.item[data-id="${id}"]`)

  test('The page for staff sorts orders by their end, filters and counts them, and shows those due today with one click [decision 29]', async () => {
    // The page is used at noon, so that today ends in twelve hours.
    const noon = new Date().setHours(12, 0, 0, 0)
    await store.service.setClock(noon)
    const at = (hours: number) => new Date(noon + hours * hour).toISOString()
    const later = await place({ heldUntil: at(30), reference: 'Mr Later' })
    const tonight = await place({ heldUntil: at(12.5), reference: 'Mr Tomorrow' })
    const endless = await place({ reference: 'Mr Endless' })
    const soon = await place({ heldUntil: at(11.5), reference: 'Mrs Novák, 555-0117' }, { name: 'Bella' })
    const sold = await place({})
    await moveOrder(sold.id, 'complete')
    await using shop = await open()
    await shop.page.evaluate(`{ const now = Date.now, ahead = ${noon} - now(); Date.now = () => now() + ahead }`)
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await becomes(() => shop.listed(), [soon.id, tonight.id, later.id, endless.id])
    for (const name of ['Due today 1', 'Open 4', 'Completed 1', 'Expired 0']) await shop.button(name).waitFor()
    const columns = await shop.page.getByRole('columnheader').allTextContents()
    assert.deepEqual(columns, ['Order', 'Animal', 'For whom', 'Until', 'Status'])
    const cells = await orderRow(shop, soon.id).getByRole('cell').allInnerTexts()
    assert.deepEqual(cells.slice(0, 3), [String(soon.id), 'Bella', 'Mrs Novák, 555-0117'])
    assert.match(cells[3] ?? '', /^Today, 11:30/)
    const weekday = new Date(later.heldUntil).toLocaleDateString('en', { weekday: 'short' })
    assert.match(await orderRow(shop, later.id).innerText(), new RegExp(`Tomorrow|${weekday}`))
    await shop.filter('Due today')
    await becomes(() => shop.listed(), [soon.id])
    const head = shop.page.getByRole('columnheader', { name: 'Status' }).locator('span')
    const isHeadHidden = async () => (await head.getAttribute('class')) === 'hidden'
    assert.ok(await isHeadHidden(), 'the state is written in no row')
    await shop.filter('Completed')
    await becomes(() => shop.listed(), [sold.id])
    await shop.page.goBack()
    await becomes(() => shop.listed(), [soon.id])
    await shop.page.getByRole('searchbox').fill(String(sold.id))
    await shop.says(/orders? found/)
    assert.ok(!(await isHeadHidden()))
    await store.service.setClock(null)
  })

  test('The end of a reservation that is near counts down while the page is open', async () => {
    const { id } = await place({ heldUntil: inHours(5 / 60) })
    await using shop = await open({ search })
    const left = orderRow(shop, id).locator('.soon')
    await left.getByText('ends in 4 minutes').waitFor()
    await shop.page.evaluate('{ const now = Date.now; Date.now = () => now() + 120_000 }')
    await shop.pass(15)
    await left.getByText('ends in 2 minutes').waitFor()
    await shop.page.evaluate('{ const now = Date.now; Date.now = () => now() + 200_000 }')
    await shop.pass(15)
    await left.getByText('has ended').waitFor()
  })

  for (const [width, colorScheme] of [390, 820, 1440].flatMap(
    (width) =>
      [
        [width, 'light'],
        [width, 'dark'],
      ] as const,
  ))
    test(`The list of orders on the page for staff is accessible, ${width} pixels wide, ${colorScheme}`, async () => {
      const { id } = await place(
        { heldUntil: inHours(2), reference: 'Long '.repeat(25).trim() },
        { name: 'Long '.repeat(60).trim() },
      )
      await place({}, { name: 'أرنب صغير' })
      await using shop = await open({ search, viewport: { width, height: 900 }, colorScheme })
      await orderRow(shop, id).waitFor()
      await shop.expectAccessible('open orders')
      await orderRow(shop, id)
        .getByRole('button', { name: /^Hand over/ })
        .click()
      await shop.page.locator('.message').waitFor()
      await shop.expectAccessible('one handed over')
      await shop.page.getByRole('searchbox').fill('long')
      await shop.says(/orders? found/)
      await shop.expectAccessible('found')
    })

  test('The page for staff finds orders by customer, by animal, and by a number in any notation', async () => {
    const [one, two] = await addPets(2, { name: 'Käthe of Rosenheim' })
    const first = await call('POST', '/store/orders', { petId: one, reference: 'Mr Ngô Văn' })
    await moveOrder(first.id, 'complete')
    const second = await order(two)
    // This order is newer and is found by the same number, but the order with that id must come first.
    const third = await place({ reference: `Tag ${second.id}` })
    await using shop = await open({ search })
    const field = shop.page.getByRole('searchbox')
    const asked = requestsOf(shop.page)
    for (const [text, ...found] of [
      ['kathe', second.id, first.id],
      ['rosen käthe', second.id, first.id],
      ['mr ngo', first.id],
      ['VAN', first.id],
      [`#${second.id}`, second.id, third.id],
    ]) {
      await field.fill(String(text))
      await shop.says(`${found.length} order${found.length > 1 ? 's' : ''} found`)
      await becomes(() => shop.listed(), found)
    }
    // The page of the search contains the order with the number.
    assert.ok(!asked.join().includes(`/store/orders/${second.id}`), asked.join())
    await field.fill('19,437')
    await eventually(
      async () => asked.join(),
      (all) => all.includes('search=19437'),
    )
    await field.fill('--')
    await shop.says('Nothing matches')
    await field.fill('nobody')
    await eventually(
      async () => asked.join(),
      (all) => all.includes('search=nobody'),
    )
    await shop.says('Nothing matches')
  })

  test('The order that has the number comes first in a search, even if a hundred newer ones have a word that begins so', async () => {
    const meant = await place({ reference: 'Meant' })
    const { id: petId } = await addPet()
    for (let i = 0; i < 101; i++) {
      const { id } = await call('POST', '/store/orders', { petId, reference: `${meant.id}55 ${i}` })
      await moveOrder(id, 'cancel')
    }
    await using shop = await open({ search })
    await shop.page.getByRole('searchbox').fill(String(meant.id))
    await shop.says('found so far')
    assert.equal((await shop.listed())[0], meant.id)
    await shop.says('Meant')
    await shop.reach(102)
    assert.equal((await shop.listed()).filter((each) => each === meant.id).length, 1)
  })

  test('The page for staff finds orders by a telephone number, in the groups in which it was noted', async () => {
    const noted = await place({ reference: 'Mr Čapek, 724 123 456' })
    const joined = await place({ reference: 'Mrs Čapek 724123456' })
    await using shop = await open({ search })
    await shop.page.getByRole('searchbox').fill('724 123 456')
    await shop.says('2 orders found')
    assert.deepEqual(await shop.listed(), [joined.id, noted.id])
    assert.equal(await shop.button('Sort again').count(), 0)
  })

  test('After midnight, an open page for staff shows what is due on the new day', async () => {
    const now = new Date()
    const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 12).toISOString()
    const { id } = await place({ heldUntil: noon }, { name: 'Tomorrow' })
    await using shop = await open({ search: `${search}&tab=due` })
    await shop.loaded()
    assert.equal(await orderRow(shop, id).count(), 0)
    await shop.page.evaluate(`Date.now = ((now) => () => now() + 86_400_000)(Date.now)`)
    await shop.pass(15)
    await orderRow(shop, id).waitFor()
  })

  test('A search for orders continues over short pages, and says that nothing matches only after it has searched everything', async () => {
    const { id } = await place({ reference: 'Hidden far away' })
    await using shop = await open({ search })
    const field = shop.page.getByRole('searchbox')
    let pages = 0
    await shop.page.route('**/store/orders?*search=hidden*', async (route) => {
      // The service reads only a certain number of orders for each page. Here, the first seven pages are empty.
      if (++pages > 7) return route.continue()
      const link = `<${shop.url}/v1/store/orders?cursor=x>; rel="next"`
      await route.fulfill({ json: [], headers: { link } })
    })
    const lose = /cursor=x/
    await shop.page.route(lose, async (route) => {
      if (++pages <= 7)
        return route.fulfill({ json: [], headers: { link: `<${shop.url}/v1/store/orders?cursor=x>; rel="next"` } })
      return route.continue({ url: route.request().url().replace('&cursor=x', '') })
    })
    await field.fill('hidden')
    await shop.says('None of the newest orders matches.')
    assert.equal(pages, 5)
    assert.equal(await shop.text('Nothing matches').count(), 0)
    await shop.click('Search the older ones')
    await becomes(() => shop.listed(), [id])
  })

  test('Typing five letters sends at most two searches, and an idle page sends none', async () => {
    await place({ reference: 'Fiver' })
    await using shop = await following(open({ search, key: await staffKey() }))
    const asked = requestsOf(shop.page)
    await shop.page.getByRole('searchbox').pressSequentially('fiver', { delay: 40 })
    await shop.says('1 order found')
    await quiet(shop, asked)
    const searches = asked.filter((each) => each.includes('search='))
    assert.ok(searches.length <= 2, searches.join('\n'))
    assert.match(searches.at(-1) ?? '', /search=fiver/)
    asked.length = 0
    await shop.pass(20)
    await quiet(shop, asked)
    assert.deepEqual(asked, [])
  })

  test('Changes by others cost at most three requests per refresh, and one refresh per second [decision 29]', async () => {
    const { petId } = await place({ heldUntil: inHours(0.3), reference: 'Watched' }, { name: 'Watched' })
    const { id } = await place({ heldUntil: inHours(0.3) })
    await using shop = await following(open({ search, key: await staffKey() }))
    const asked = requestsOf(shop.page)
    await moveOrder(id, 'complete')
    await orderRow(shop, id).getByText('completed', { exact: true }).waitFor()
    await quiet(shop, asked)
    assert.ok(asked.length > 0 && asked.length <= 3, asked.join('\n'))
    asked.length = 0
    const begin = performance.now()
    for (let i = 0; i < 30; i++) await Promise.all([addPets(5), place({}), patch(petId, { name: `Watched ${i}` })])
    await shop.item('Watched 29').waitFor()
    await quiet(shop, asked)
    const refreshes = Math.ceil((performance.now() - begin) / 1_000)
    assert.ok(asked.length <= 3 * refreshes, `${refreshes} s:\n${asked.join('\n')}`)
  })

  test('New orders appear at the end, so that no row moves, and are sorted on request', async () => {
    const first = await place({ heldUntil: inHours(200), reference: 'First' })
    await using shop = await following(open({ search, key: await staffKey() }))
    await orderRow(shop, first.id).waitFor()
    const before = await shop.listed()
    const { id } = await place({ heldUntil: inHours(0.5), reference: 'Second' })
    await orderRow(shop, id).waitFor()
    assert.deepEqual(await shop.listed(), [...before, id])
    await shop.click('Sort again')
    const places = async () => (await shop.listed()).filter((each) => each === id || each === first.id)
    await becomes(places, [id, first.id])
    await shop.button('Sort again').waitFor({ state: 'detached' })
  })

  test('The rows of orders keep their places when everything is read again after a refusal or many changes [decision 29]', async () => {
    const orders: { id: number; petId: number }[] = []
    for (const hours of [0.2, 0.3, 0.4, 0.5])
      orders.push(await place({ heldUntil: inHours(hours) }, { name: 'Placed' }))
    const [gone, refused, third, last] = orders.map(({ id }) => id) as [number, number, number, number]
    await using shop = await following(open({ search, key: await staffKey() }))
    await orderRow(shop, last).waitFor()
    await moveOrder(gone, 'complete')
    await orderRow(shop, gone).getByText('completed').waitFor()
    const before = await shop.listed()
    const meanwhile = async (route: Route) => {
      await moveOrder(refused, 'cancel')
      await route.continue()
    }
    await shop.intercept(`**/orders/${refused}/complete`, meanwhile)
    const asked = requestsOf(shop.page)
    await shop.click(`Hand over order ${refused}, Placed`, 'An order on this animal does not allow that.')
    await quiet(shop, asked)
    assert.deepEqual(await shop.listed(), before)
    await orderRow(shop, refused).getByText('cancelled').waitFor()

    const ids = await addPets(101, { name: 'Crowd' })
    await moveOrder(third, 'complete')
    await Promise.all(ids.map((id) => patch(id, { name: 'Crowds' })))
    await orderRow(shop, third).getByText('completed').waitFor()
    await quiet(shop, asked)
    assert.deepEqual(await shop.listed(), before)
    // Returning to the list sorts the order into its place.
    await shop.page.getByRole('link', { name: 'Animals' }).click()
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await orderRow(shop, gone).waitFor({ state: 'detached' })
    assert.ok((await shop.listed()).includes(last))
  })

  test('The list of orders shows the new name of an animal, whether others or this page renamed it', async () => {
    const { petId } = await place({}, { name: 'Before' })
    await using shop = await following(open({ search, key: await staffKey() }))
    await shop.item('Before').waitFor()
    await patch(petId, { name: 'Between' })
    await shop.openItem('Between')
    await shop.edit('After')
    await shop.click('Save', 'After was saved.')
    await shop.closeSheet()
    await shop.item('After').waitFor()
  })

  test('An order is completed with two clicks and returned with three, and Undo restores the reservation', async () => {
    const heldUntil = inHours(20)
    const { id, petId } = await place({ heldUntil, reference: 'Mrs Exact' }, { name: 'Exact' })
    await using shop = await open()
    await shop.countClicks()
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await shop.click(`Hand over order ${id}, Exact`, 'Exact is sold to Mrs Exact.')
    assert.equal(await shop.clicks(), 2)
    await shop.expectStatus('Exact', 'completed')
    await shop.click('Undo', 'Exact is reserved for Mrs Exact')
    const again = (await ordersOf(petId)).at(-1)
    assert.deepEqual([again.status, again.reference, again.heldUntil], ['placed', 'Mrs Exact', heldUntil])
    assert.equal(
      await shop.confirm(`Cancel order ${again.id}, Exact`),
      'Cancel the order for Mrs Exact? Exact is available again then.',
    )
    await shop.click('Undo', 'Exact is reserved for Mrs Exact')
    const third = (await ordersOf(petId)).at(-1)
    assert.deepEqual([third.status, third.reference, third.heldUntil], ['placed', 'Mrs Exact', heldUntil])

    await moveOrder(third.id, 'complete')
    await shop.page.getByRole('link', { name: 'Animals' }).click()
    await shop.countClicks()
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await shop.page.locator('#search:focus').waitFor()
    await shop.page.keyboard.type('exact')
    const question = await shop.confirm(`Take back order ${third.id}, Exact`)
    assert.equal(question, 'Take Exact back from Mrs Exact? It is available again then, and there is no Undo.')
    await shop.says('Exact was taken back')
    // Answering the question is the third click.
    assert.equal(await shop.clicks(), 2)
    await becomes(() => store.statusOf(petId), 'available')
  })

  test('In a search, Undo of a handed over order lists the order that it places, with its actions', async () => {
    const { id, petId } = await place({ reference: `Mrs Sought ${Date.now()}` }, { name: 'Found' })
    await using shop = await open({ search: `${search}&find=${id}`, key: await staffKey() })
    await shop.click(`Hand over order ${id}, Found`, 'Found is sold to Mrs Sought')
    await shop.click('Undo', 'Found is reserved for Mrs Sought')
    const again = (await ordersOf(petId)).at(-1).id
    await shop.button(`Hand over order ${again}, Found`).waitFor()
    assert.deepEqual(
      (await shop.listed()).filter((each) => each >= id),
      [id, again],
    )
  })

  test('Undo of a handed over or cancelled order restores its latest state, even if the page has not shown that yet', async () => {
    const { id, petId } = await place({ heldUntil: inHours(50), reference: 'Mrs Old' }, { name: 'Stale' })
    // This key may not read events, so the list stays as it was read.
    await using shop = await open({ search })
    const latest = async () => {
      const { reference, heldUntil, status } = (await ordersOf(petId)).at(-1)
      return { reference, heldUntil, status }
    }
    const change = async (of: number, reference: string, hours: number) => {
      const heldUntil = inHours(hours)
      await call('PATCH', `/store/orders/${of}`, { reference, heldUntil })
      return { reference, heldUntil, status: 'placed' }
    }
    await orderRow(shop, id).getByText('Mrs Old').waitFor()
    const handedOver = await change(id, 'Mrs New', 80)
    await shop.click(`Hand over order ${id}, Stale`, 'Stale is sold to Mrs New.')
    await shop.click('Undo', 'Stale is reserved for Mrs New')
    assert.deepEqual(await latest(), handedOver)
    const again = (await ordersOf(petId)).at(-1).id
    const cancelled = await change(again, 'Mrs Newest', 90)
    await shop.confirm(`Cancel order ${again}, Stale`)
    await shop.says('The order is cancelled; Stale is available again.')
    await shop.click('Undo', 'Stale is reserved for Mrs Newest')
    assert.deepEqual(await latest(), cancelled)
  })

  test('If its time has passed meanwhile, Undo of a sale reserves the animal for as long as the store sets', async () => {
    const [earlier, heldUntil] = [Date.now() - 2 * hour, inHours(-1)]
    await store.service.setClock(earlier)
    const { id, petId } = await place({ heldUntil, reference: 'Mrs Late' }, { name: 'Late' })
    await using shop = await open({ search })
    await shop.click(`Hand over order ${id}, Late`, 'Late is sold to Mrs Late.')
    await store.service.setClock(null)
    await shop.click('Undo', 'Late is reserved for Mrs Late.')
    const again = (await ordersOf(petId)).at(-1)
    assert.deepEqual([again.status, again.reference, again.heldUntil], ['placed', 'Mrs Late', undefined])
  })

  test('Orders are changed from the list, never over the change of somebody else, and Undo restores them', async () => {
    const heldUntil = inHours(50)
    const { id, petId } = await place({ heldUntil, reference: 'Mr Before' }, { name: 'Kept' })
    const now = () => call('GET', `/store/orders/${id}`)
    await using shop = await open({ search })
    await shop.click(`Change order ${id}, Kept`)
    const field = shop.page.getByLabel('For whom')
    await field.fill('Mr Mine')
    await call('PATCH', `/store/orders/${id}`, { reference: 'Mr Theirs' })
    await shop.click('Save', 'It changed meanwhile')
    const shown = await shop.sheet.locator('.versions').innerText()
    assert.match(shown, /Mr Theirs[\s\S]*Mr Mine/)
    assert.equal((await now()).reference, 'Mr Theirs')
    await shop.click('Save yours', 'Kept is reserved for Mr Mine')
    await shop.sheetClosed()
    await orderRow(shop, id).getByText('Mr Mine').waitFor()
    await shop.click('Undo', `Order ${id} is as it was.`)
    assert.deepEqual([(await now()).reference, (await now()).heldUntil], ['Mr Theirs', heldUntil])

    await shop.page.getByRole('link', { name: 'Animals' }).click()
    await shop.countClicks()
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await shop.click(`Change order ${id}, Kept`)
    await shop.click(/^In a week/)
    await shop.click('Save', 'Kept is reserved for Mr Theirs until')
    assert.equal(await shop.clicks(), 4)
    assert.notEqual((await now()).heldUntil, heldUntil)
    await shop.click('Undo', `Order ${id} is as it was.`)
    assert.deepEqual([(await now()).reference, (await now()).heldUntil], ['Mr Theirs', heldUntil])
    assert.equal(await store.statusOf(petId), 'pending')
  })

  test('Saving one version of an order after a conflict keeps what only somebody else has changed', async () => {
    const [before, theirs] = [inHours(50), inHours(80)]
    const { id, petId } = await place({ heldUntil: before, reference: 'Mrs Before' }, { name: 'Split' })
    const now = async () => {
      const { reference, heldUntil } = await call('GET', `/store/orders/${id}`)
      return { reference, heldUntil }
    }
    await using shop = await open({ search: `?pet=${petId}` })
    const name = shop.page.getByLabel('For whom')
    await shop.click(shop.sheetButton('Change'), name)
    await name.fill('Mrs Mine')
    await call('PATCH', `/store/orders/${id}`, { heldUntil: theirs })
    await shop.click('Save', 'It changed meanwhile')
    await shop.click('Save yours', 'Split is reserved for Mrs Mine')
    assert.deepEqual(await now(), { reference: 'Mrs Mine', heldUntil: theirs })
    await shop.click(shop.sheetButton('Change'), name)
    await shop.click(/^Until cancelled/)
    await call('PATCH', `/store/orders/${id}`, { reference: 'Mrs Theirs' })
    await shop.click('Save', 'It changed meanwhile')
    await shop.click('Save yours', 'Split is reserved for Mrs Theirs')
    assert.deepEqual(await now(), { reference: 'Mrs Theirs', heldUntil: undefined })
    await shop.click('Undo', `Order ${id} is as it was.`)
    assert.deepEqual(await now(), { reference: 'Mrs Theirs', heldUntil: theirs })
  })

  test('The form of an order asks for the customer, and the history of the animal says who did what [decision 29]', async () => {
    const { id, categoryId } = await addPet({ name: 'Wanted' })
    await using shop = await open({ search: `?category=${categoryId}&pet=${id}`, key: await staffKey() })
    await shop.reserve(shop.sheetButton('Reserve'), 'Mrs Novak', 'Wanted is reserved for Mrs Novak')
    await shop.click(shop.sheetButton('Change'))
    await shop.page.getByLabel('For whom').fill('Mr Novak')
    await shop.click('Save', 'Wanted is reserved for Mr Novak')
    await shop.click('Hand over', 'Wanted is sold to Mr Novak.')
    await shop.history.getByText('History').click()
    const texts = async () =>
      (await shop.history.locator('li span').allInnerTexts()).map((text) => text.replace(/ until.*/, ''))
    await becomes(texts, ['Sold for Mr Novak', 'Order changed for Mr Novak', 'Reserved for Mrs Novak', 'Added'])
    for (const text of await shop.history.locator('li').allInnerTexts()) assert.match(text, /, test$/)
  })

  test('A click or touch anywhere in a row opens it', async () => {
    const { id } = await place({ reference: 'Pressed' }, { name: 'Whole' })
    for (const viewport of [{ width: 1440, height: 900 }, phone]) {
      await using shop = await open({ search, viewport })
      for (const cell of ['.for', '.ends', '.id']) {
        await orderRow(shop, id).locator(cell).click()
        await shop.sheetOpened('Whole')
        await shop.page.goBack()
        await shop.sheetClosed()
      }
    }
  })

  test('A search, another list and another view begin at the top, however far somebody has scrolled', async () => {
    for (const id of await addPets(60, { name: 'Scrolled' })) await order(id)
    await using shop = await open({ search })
    await shop.item('Scrolled').nth(59).waitFor()
    const position = async () => {
      await shop.twoFrames()
      return shop.page.evaluate<number>('scrollY')
    }
    const scroll = async () => {
      await shop.page.evaluate('scrollTo(0, 900)')
      assert.equal(await position(), 900)
    }
    await scroll()
    await shop.page.getByRole('searchbox').fill('scrolled')
    await shop.says('60 orders found')
    assert.equal(await position(), 0)
    await scroll()
    await shop.filter('Open')
    await shop.says('what ends first on top')
    assert.equal(await position(), 0)
    await shop.page.getByRole('link', { name: 'Animals' }).click()
    await shop.loaded()
    await scroll()
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await shop.says('what ends first on top')
    assert.equal(await position(), 0)
    // The tabs are at the top of the page, but the shortcuts of the keyboard work anywhere.
    await shop.page.evaluate('document.activeElement.blur()')
    for (const [key, view] of [
      ['1', 'Animals'],
      ['2', 'Orders'],
    ] as const) {
      await scroll()
      await shop.key(key)
      await shop.page.getByRole('region', { name: view }).waitFor()
      assert.equal(await position(), 0, view)
    }
  })

  test('However many orders there are, the page for staff draws them page by page, open orders in one sequence', async () => {
    const pets = await addPets(130, { name: 'Many' })
    for (const petId of pets.slice(0, 120))
      await call('POST', '/store/orders', { petId, reference: 'Crowd', heldUntil: inHours(300 - (petId % 50)) })
    await using shop = await open({ search })
    await shop.page.locator('.item').nth(99).waitFor()
    await shop.reach(120)
    const shown = await shop.listed()
    assert.equal(new Set(shown).size, shown.length)
    const ends: string[] = []
    for (const id of shown) ends.push((await call('GET', `/store/orders/${id}`)).heldUntil ?? '~')
    assert.deepEqual(ends, ends.toSorted())
    const [id] = pets.slice(-1)
    for (let i = 0; i < 101; i++) await moveOrder((await order(id)).id, 'cancel')
    await shop.filter('Cancelled')
    await shop.reach(101)
    const all = await shop.listed()
    assert.deepEqual(
      all,
      all.toSorted((one, other) => other - one),
    )
  })

  test('If too many orders are open to be sorted, the page for staff lists the newest first and loads more while scrolling', async () => {
    for (const petId of await addPets(210, { name: 'Crowded' })) await order(petId)
    await using shop = await open()
    await shop.page.route('**/store/order-counts', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), placed: 3_300 } })
    })
    const asked = requestsOf(shop.page)
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await shop.says('100 of 3,300 orders, the newest on top')
    assert.equal(asked.length, 3, asked.join('\n'))
    await shop.reach(200)
    const all = await shop.listed()
    assert.deepEqual(
      all,
      all.toSorted((one, other) => other - one),
    )
    assert.equal(await shop.button('Sort again').count(), 0)
  })

  test('The page for staff says why orders could not be loaded, and hides them without the scope orders:read', async () => {
    await place({ heldUntil: inHours(0.2) }, { name: 'Somebody' })
    await using shop = await open({ search })
    await shop.item('Somebody').waitFor()
    await shop.page.route('**/store/orders?*', (route) => route.fulfill({ status: 502 }))
    await shop.page.reload()
    await shop.says('The orders could not be loaded')
    await shop.page.unroute('**/store/orders?*')
    await shop.click('Try again')
    await shop.text('The orders could not be loaded').waitFor({ state: 'detached' })
    await shop.click('Sign out')
    await shop.signIn(await makeKey('pets:read'))
    await shop.says('This key lacks the scope orders:read')
  })

  test('A second try of Undo, after the answer to the first got lost, finds the order that it has placed', async () => {
    await using shop = await openPet({ name: 'Twice' })
    await call('POST', '/store/orders', { petId: shop.id, reference: 'Mrs Twice' })
    await shop.lookAgain()
    await shop.click(shop.sheetButton('Hand over'), 'Twice is sold to Mrs Twice.')
    await shop.loseAnswer('**/v1/store/orders', triesMax)
    await shop.click('Undo', 'It was perhaps undone')
    await shop.click(shop.page.locator('.failed').getByRole('button', { name: 'Try again' }))
    await shop.says('Twice is reserved for Mrs Twice')
    const orders: { status: string }[] = await ordersOf(shop.id)
    assert.deepEqual(orders.map(({ status }) => status).sort(), ['placed', 'returned'])
  })

  test('What was typed for a reservation outlives a change of the order with which somebody else was faster', async () => {
    await using shop = await openPet({ name: 'Wanted' })
    const name = shop.page.getByLabel('For whom')
    await shop.click(shop.sheetButton('Reserve'), name)
    await name.fill('Mr Slow')
    await shop.click('Not now')
    const theirs = await call('POST', '/store/orders', { petId: shop.id, reference: 'Mrs Fast' })
    await shop.lookAgain()
    await shop.click(shop.sheetButton('Change'), name)
    await becomes(() => name.inputValue(), 'Mrs Fast')
    await shop.click('Not now')
    await shop.click(shop.sheetButton('Change'), name)
    await name.fill('Mrs Faster')
    await shop.click('Save', 'Wanted is reserved for Mrs Faster')
    await call('POST', `/store/orders/${theirs.id}/cancel`)
    await shop.lookAgain()
    await shop.click(shop.sheetButton('Reserve'), name)
    await becomes(() => name.inputValue(), 'Mr Slow')
  })
})
