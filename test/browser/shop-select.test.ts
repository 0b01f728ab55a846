/** Several animals on the page for staff in a real browser: one action on all of them, and a spreadsheet. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { freshCategory, type Pet } from '../../harness/expect.ts'
import { becomes } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopPage, triesMax } from '../../harness/shop-page.ts'
import { following } from '../../harness/shop-requests.ts'
import { defaultScopes } from '../../src/model/key.ts'

describeShop('Several animals of the shop in Chromium', (store) => {
  const { open, openList, call, addPets, addNamed, petsIn, patch, nameCategory, order, ordersOf } = store
  const statusesIn = async (category: number) => (await petsIn(category)).map(({ status }) => status)
  const pick = async (shop: ShopPage, ...names: string[]) => {
    for (const name of names) await shop.page.getByLabel(`Select ${name}`, { exact: true }).press('Space')
  }
  /** Moves the selected animals to a category, and resolves with the question that is asked first. */
  const move = async (shop: ShopPage, category: string, isYes = true) => {
    await shop.choose(shop.page.getByRole('combobox', { name: 'To which category' }), category)
    return shop.confirm('Move', isYes)
  }
  const isFocused = ({ page }: ShopPage, text: string) => page.locator(':focus', { hasText: text }).waitFor()

  test('The page for staff moves all selected animals after a confirmation, and Undo moves each of them back [decision 29]', async () => {
    const [from, other, to] = [freshCategory(), freshCategory(), freshCategory()]
    for (const [category, name] of [
      [from, 'Cats'],
      [other, 'Stray cats'],
      [to, 'Elsewhere'],
    ] as const)
      await nameCategory(category, `${name} ${to}`)
    const ids = [...(await addNamed(from, 'Moved', 'Moved too')), ...(await addNamed(other, 'Moved as well'))]
    await using shop = await open({ search: '?search=moved' })
    await shop.says('3 animals found')
    await shop.menu('Select')
    await shop.click('Select all 3', '3 selected')
    const question = `Move 3 animals from Stray cats ${to} and Cats ${to} to Elsewhere ${to}?`
    assert.equal(await move(shop, `Elsewhere ${to}`, false), question)
    assert.equal((await petsIn(to)).length, 0, 'nothing without a yes')
    await shop.confirm('Move')
    await shop.says(`Moved to Elsewhere ${to}: 3 animals.`)
    assert.equal((await petsIn(to)).length, 3)
    await shop.click('Undo', 'Undone: 3 animals.')
    const where = async () => [(await petsIn(from)).map(({ id }) => id), (await petsIn(other)).map(({ id }) => id)]
    assert.deepEqual(await where(), [ids.slice(0, 2), ids.slice(2)])
  })

  test('A bulk move and its Undo skip animals that somebody else has changed since, and name them [decision 29]', async () => {
    const [from, theirs, to] = [freshCategory(), freshCategory(), freshCategory()]
    await nameCategory(to, `Moved to ${to}`)
    const [shown = 0, late = 0, later = 0, last = 0] = await addNamed(from, 'Shown', 'Late', 'Later', 'Last')
    const where = async () => {
      const pets: Pet[] = await call('GET', `/pets?id=${[shown, late, later, last]}`)
      return pets.map(({ categoryId }) => categoryId)
    }
    await using shop = await open({ search: `?category=${from}` })
    await shop.menu('Select')
    await shop.click('Select all 4', '4 selected')
    // One change happens before the question, and one after the page has read the animals once more.
    await patch(shown, { categoryId: theirs })
    await shop.page.route(`**/v1/pets/${late}`, async (route) => {
      await patch(late, { categoryId: theirs })
      await route.continue()
    })
    assert.equal(await move(shop, `Moved to ${to}`), `Move 4 animals from Category ${from} to Moved to ${to}?`)
    await shop.says(`Moved to Moved to ${to}: 2 animals.`)
    assert.deepEqual(await where(), [theirs, theirs, to, to])
    const named = shop.sheet.locator('.refused li')
    await named.filter({ hasText: /^Late It changed meanwhile/ }).waitFor()
    await named.filter({ hasText: /^Shown It changed meanwhile/ }).waitFor()
    await shop.closeSheet()
    await shop.says('2 selected')

    await patch(later, { categoryId: theirs })
    await shop.loseAnswer(`**/v1/pets/${last}`)
    await shop.click('Undo', 'Undone: 0 animals. Not yet: 1.')
    await named.filter({ hasText: /^Later It changed meanwhile/ }).waitFor()
    await shop.expectAccessible('what was not undone')
    await shop.click(shop.sheet.locator('.failed').getByRole('button', { name: 'Try again' }), 'Undone: 1 animal.')
    assert.deepEqual(await where(), [theirs, theirs, theirs, from])
    await shop.closeSheet()
    await shop.says('2 selected')
    // A refused animal is shown in its current state, and can be moved then.
    await shop.page.unrouteAll()
    assert.equal(await shop.confirm('Move'), `Move 2 animals from Category ${theirs} to Moved to ${to}?`)
    await shop.says(`Moved to Moved to ${to}: 2 animals.`)
    assert.deepEqual(await where(), [to, to, theirs, from])
  })

  test('The page for staff moves the selected animals to a new category, which stays after Undo', async () => {
    await using shop = await openList(['First', 'Second'])
    const name = `New ${shop.category}`
    await shop.menu('Select')
    await shop.click('Select all 2', '2 selected')
    assert.equal(await move(shop, name), `Move 2 animals from Category ${shop.category} to the new category ${name}?`)
    await shop.says(`Moved to ${name}: 2 animals.`)
    const all: { id: number; name: string }[] = await call('GET', '/categories?limit=100')
    const { id = 0 } = all.find((each) => each.name === name) ?? {}
    assert.equal((await petsIn(id)).length, 2)
    await shop.click('Undo', `Undone: 2 animals. The category ${name} stays.`)
    assert.equal((await petsIn(shop.category)).length, 2)
  })

  test('A name that is typed without its accents, case or punctuation means the category that has it, and no new one', async () => {
    await using shop = await openList(['Frog'])
    const to = freshCategory()
    await nameCategory(to, `Žáby (${to})`)
    await shop.page.reload()
    await shop.item('Frog').waitFor()
    await shop.menu('Select')
    await shop.click('Select all 1', '1 selected')
    const question = await move(shop, `zaby ${to}`)
    assert.equal(question, `Move 1 animal from Category ${shop.category} to Žáby (${to})?`)
    await shop.says(`Moved to Žáby (${to}): 1 animal.`)
    assert.equal((await petsIn(to)).length, 1)
    await shop.openAdd()
    await shop.categoryField.fill(`Zaby, ${to}`)
    await shop.twoFrames()
    assert.equal(await shop.text('A new category.').count(), 0)
  })

  test('An Undo that was stopped offers to undo the rest, and is not called a new attempt', async () => {
    const to = freshCategory()
    await nameCategory(to, `Elsewhere ${to}`)
    await using shop = await openList(Array(6).fill('Back'))
    await shop.menu('Select')
    await shop.click('Select all 6', '6 selected')
    await move(shop, `Elsewhere ${to}`)
    await shop.says(`Moved to Elsewhere ${to}: 6 animals.`)
    const gate = Promise.withResolvers<void>()
    let held = 0
    await shop.page.route('**/v1/pets/*', (route) => {
      held++
      return gate.promise.then(() => route.continue())
    })
    await shop.click('Undo', /^Undo: 0 of 6/)
    await becomes(async () => held, 3)
    await shop.key('Enter')
    gate.resolve()
    await shop.says('Undone: 3 animals. Not yet: 3.')
    assert.equal(await shop.button('Try again').count(), 0)
    await shop.click('Undo', /^Undone: 3 animals\.$/)
    assert.equal((await petsIn(shop.category)).length, 6)
  })

  test('The page for staff keeps the unsaved name of a new category while another animal is looked at', async () => {
    await using shop = await openList(['Kept'])
    const field = shop.page.getByRole('combobox', { name: 'To which category' })
    await shop.menu('Select')
    await pick(shop, 'Kept')
    await field.fill('Typed')
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await shop.page.getByRole('link', { name: 'Animals' }).click()
    await becomes(() => field.inputValue(), 'Typed')
    await shop.click('Done')
    await shop.menu('Select')
    await becomes(() => field.inputValue(), '')
  })

  test('The page for staff reserves all selected animals for one customer; those that are refused stay selected [decision 29]', async () => {
    await using shop = await openList(['Ada', 'Ben', 'Cleo'])
    const [ada = 0, ben = 0, cleo = 0] = shop.ids
    await shop.menu('Select')
    await pick(shop, 'Ada', 'Cleo')
    await order(ada)
    await shop.click('Reserve…', shop.page.getByLabel('For whom'))
    await shop.expectAccessible('the form for several animals')
    await shop.page.keyboard.type('Mrs Novák')
    await shop.click(/^Until cancelled/)
    await shop.click('Reserve 2 animals', 'Reserved for Mrs Novák: 1 animal.')
    assert.match(await shop.sheet.locator('.refused li').innerText(), /^Ada Somebody else was faster/)
    await shop.expectAccessible('what was refused')
    await shop.click('Close', '1 selected')
    assert.equal(await shop.page.getByLabel('Select Ada').isChecked(), true)
    await shop.expectAccessible('rows selected')
    assert.equal((await ordersOf(cleo))[0].reference, 'Mrs Novák')
    assert.deepEqual(await ordersOf(ben), [])
    await shop.click('Undo', 'Undone: 1 animal.')
    assert.deepEqual(await statusesIn(shop.category), ['pending', 'available', 'available'])
    // A reload does not show the sheet of refused animals again, without any.
    await shop.page.goForward()
    await shop.page.reload()
    await shop.loaded()
    assert.equal(await shop.sheet.count(), 0)
  })

  test('A bulk action stops on request or without a connection, and the animals that are left stay selected [decision 29]', async () => {
    await using shop = await openList(Array(12).fill('Waiting'))
    await shop.menu('Select')
    await shop.click('Select all 12', '12 selected')
    const reserve = async () => {
      await shop.click('Reserve…', shop.page.getByLabel('For whom'))
      await shop.key('Enter')
    }
    const gate = Promise.withResolvers<void>()
    let held = 0
    await shop.page.route('**/store/orders', (route) => {
      held++
      return gate.promise.then(() => route.continue())
    })
    await reserve()
    await shop.says(/^Reserving: 0 of 12/)
    await isFocused(shop, 'Stop')
    await shop.expectAccessible('under way')
    await becomes(async () => held, 3)
    await shop.key('Enter')
    gate.resolve()
    await shop.says('Reserved: 3 animals. Not yet: 9.')
    await shop.says('9 selected')
    await shop.text(/^Reserving: /).waitFor({ state: 'detached' })
    await shop.goOffline()
    await reserve()
    await shop.says('Reserved: 0 animals. Not yet: 9. The service cannot be reached.')
    await shop.goOnline()
    await reserve()
    await shop.says('Reserved: 9 animals.')
    assert.deepEqual(await statusesIn(shop.category), Array(12).fill('pending'))
  })

  test('A second try finds the orders of several animals whose answers were lost, and Undo cancels them', async () => {
    await using shop = await openList(['Ada', 'Ben', 'Cleo'])
    await shop.menu('Select')
    await shop.click('Select all 3', '3 selected')
    await shop.click('Reserve…', shop.page.getByLabel('For whom'))
    await shop.page.keyboard.type('Mrs Lost')
    await shop.loseAnswer('**/store/orders', 3 * triesMax)
    await shop.key('Enter', 'Reserved for Mrs Lost: 0 animals. Not yet: 3.')
    assert.deepEqual(await statusesIn(shop.category), Array(3).fill('pending'))
    await shop.page.unrouteAll()
    const [first = 0] = shop.ids
    await store.moveOrder((await ordersOf(first))[0].id, 'cancel')
    await shop.click('Reserve…', shop.page.getByLabel('For whom'))
    await shop.key('Enter', 'Reserved for Mrs Lost: 3 animals.')
    assert.deepEqual(await statusesIn(shop.category), Array(3).fill('pending'))
    await shop.click('Undo', 'Undone: 3 animals.')
    assert.deepEqual(await statusesIn(shop.category), Array(3).fill('available'))
  })

  test('A second try finds a move whose answer was lost, and Undo moves the animal back', async () => {
    const to = freshCategory()
    await nameCategory(to, `Elsewhere ${to}`)
    await using shop = await openList(['Lost', 'Moved'])
    await shop.menu('Select')
    await shop.click('Select all 2', '2 selected')
    const url = `**/v1/pets/${shop.ids[0]}`
    await shop.page.route(url, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await move(shop, `Elsewhere ${to}`)
    await shop.says(`Moved to Elsewhere ${to}: 1 animal. Not yet: 1.`)
    assert.equal((await petsIn(to)).length, 2)
    await shop.page.unroute(url)
    await shop.confirm('Move')
    await shop.says('0 selected')
    await shop.click('Undo', 'Undone: 1 animal.')
    assert.deepEqual(
      (await petsIn(shop.category)).map(({ name }) => name),
      ['Lost'],
    )
  })

  test('The progress of a bulk action is shown beside the orders, and the action can be stopped there', async () => {
    await using shop = await openList(Array(4).fill('Slowly'))
    await shop.menu('Select')
    await shop.click('Select all 4', '4 selected')
    await shop.click('Reserve…', shop.page.getByLabel('For whom'))
    const answer = await shop.holdAnswer('**/store/orders')
    await shop.key('Enter')
    await answer.held
    await shop.page.getByRole('link', { name: 'Orders' }).click()
    await shop.says(/^Reserving: \d of 4/)
    await shop.expectAccessible('orders while a bulk action is under way')
    await shop.click('Stop')
    await answer.letGo()
    await shop.says(/^Reserved: \d animals?\./)
    await shop.text(/^Reserving: /).waitFor({ state: 'detached' })
  })

  test('The page for staff saves all matching animals as a spreadsheet in which no name is a formula [decision 29]', async () => {
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
    // A category that is called 2024 is not the one with this number.
    await nameCategory(category, '2024')
    await shop.lookAgain()
    await shop.item('Élodie').getByText('2024').waitFor()
    assert.match(await save(), new RegExp(`"Élodie","${category}","available"`))
    await shop.says('Saved: 130 animals.')
    await nameCategory(category, '=Dogs')
    await shop.lookAgain()
    await shop.item('Élodie').getByText('=Dogs').waitFor()
    await shop.menu('Select')
    await pick(shop, 'Élodie')
    await shop.page.getByRole('searchbox').fill('plain')
    await shop.says('100 animals, more to come')
    assert.match(await save(), /^[^\n]+\n"\d+","Élodie","'=Dogs","available"\r\n$/)
    await shop.says('Saved what is selected, shown here or not: 1 animal.')
  })

  test('A spreadsheet of animals is named after the day in the time zone of the device', async () => {
    await using shop = await openList(['Rex'])
    const session = await shop.page.context().newCDPSession(shop.page)
    // At any moment, it is another day than in UTC in one of these zones.
    for (const [timezoneId, hours] of [
      ['Pacific/Kiritimati', 14],
      ['Pacific/Niue', -11],
    ] as const) {
      await session.send('Emulation.setTimezoneOverride', { timezoneId })
      await shop.page.reload()
      await shop.item('Rex').waitFor()
      const day = () => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10)
      const before = day()
      const download = shop.page.waitForEvent('download')
      await shop.menu('Save as CSV')
      const name = (await download).suggestedFilename()
      // Midnight may have passed meanwhile.
      assert.ok([before, day()].includes(name.slice('animals-'.length, -'.csv'.length)), `${timezoneId}: ${name}`)
    }
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await session.detach()
  })

  test('A selection and a spreadsheet have a maximum size, and the page for staff says so [decision 29]', async () => {
    await using shop = await openList(Array(3).fill('Endless'))
    await shop.says('3 animals')
    let pages = 0
    // The list has no end, and each animal is a different one.
    await shop.page.route('**/v1/pets?*limit=100*', (route) => {
      const ids = Array.from({ length: 100 }, (_, i) => 1e6 + 100 * pages + i)
      pages++
      const json = ids.map((id) => ({ id, name: 'Endless', categoryId: 1, status: 'available' }))
      return route.fulfill({ json, headers: { link: `<${shop.url}/v1/pets?cursor=c${pages}>; rel="next"` } })
    })
    await shop.page.getByRole('searchbox').fill('endless')
    await shop.says('animals, more to come')
    await shop.menu('Select')
    // Nobody knows how many animals there are.
    await shop.click('Select all', '1,000 selected')
    await shop.click('Done')
    const download = shop.page.waitForEvent('download')
    await shop.menu('Save as CSV')
    await shop.says('Saved: 10,000 animals. A spreadsheet has no more than that')
    assert.equal(
      readFileSync(await (await download).path(), 'utf8')
        .trimEnd()
        .split('\r\n').length,
      10_001,
    )
  })

  test('Moving 300 animals takes six clicks, and the last click answers the question', async () => {
    const [from, to] = [freshCategory(), freshCategory()]
    await addPets(300, { name: 'One of many', categoryId: from })
    await nameCategory(to, `To ${to}`)
    await using shop = await open({ search: `?category=${from}` })
    await shop.says('100 of 300 animals')
    await shop.countClicks()
    await shop.menu('Select')
    await shop.click('Select all 300', '300 selected')
    await shop.page.getByRole('combobox', { name: 'To which category' }).click()
    await shop.page.keyboard.type(`To ${to}`)
    await shop.key('Enter')
    assert.equal(await shop.confirm('Move'), `Move 300 animals from Category ${from} to To ${to}?`)
    await shop.says(`Moved to To ${to}: 300 animals.`)
    // The button is not available now.
    await shop.expectFocus(shop.page.locator('main'))
    // Answering the question is the sixth click.
    assert.equal(await shop.clicks(), 5)
    // The list still shows the first of them, and none is left in the category.
    await shop.page.getByText('100 animals', { exact: true }).waitFor()
  })

  test('On a tablet, the head of the list stays below the tools while animals are selected', async () => {
    await using shop = await openList(Array(60).fill('Tall'), { viewport: { width: 820, height: 900 } })
    const height = () => shop.page.evaluate("document.querySelector('.toolbar').offsetHeight")
    const before = await height()
    await shop.menu('Select')
    await shop.says('0 selected')
    await shop.twoFrames()
    assert.equal(await height(), before)
    const gap = `document.querySelector('thead').getBoundingClientRect().top -
      document.querySelector('.toolbar').getBoundingClientRect().bottom`
    await shop.page.evaluate('scrollTo(0, 900)')
    await shop.until(`${gap} >= -1`)
  })

  test('The list of categories to move to opens above the bar and fits into the window', async () => {
    await using shop = await openList(Array(30).fill('Low'), { viewport: { width: 1440, height: 900 } })
    await shop.menu('Select')
    await shop.click('Select all 30', '30 selected')
    await shop.page.getByRole('combobox', { name: 'To which category' }).click()
    const list = shop.page.locator('.bulk [role=listbox]')
    await list.waitFor()
    const { y = 0, height = 0 } = (await list.boundingBox()) ?? {}
    assert.ok(y >= 0 && y + height <= 900, `${y} to ${y + height}`)
  })

  test('The page for staff selects all matching animals across pages, until it is stopped [decision 29]', async () => {
    await using shop = await openList(Array(201).fill('All'))
    await shop.menu('Select')
    await shop.intercept('**/v1/pets?*limit=100*cursor=*', () => {})
    await shop.click('Select all 201', 'Selecting: 100 of 201')
    await isFocused(shop, 'Stop')
    await shop.key('Enter', '100 selected')
    await shop.click('Select all 201', '201 selected')
    await shop.button('Reserve…').waitFor()
  })

  test('Far down in the list, an action on several animals leaves the page where it is, and shows its progress', async () => {
    await using shop = await openList(Array(201).fill('Far'))
    await shop.page.route('**/v1/pets?*limit=100*cursor=*', () => {})
    await shop.page.evaluate('scrollTo(0, 1500)')
    await shop.twoFrames()
    const place = async () => (await shop.page.locator('.item').nth(50).boundingBox())?.y
    const before = await place()
    await shop.menu('Select')
    await shop.button('Select all 201').waitFor()
    assert.equal(await place(), before, 'while they are being selected')
    await shop.page.getByRole('combobox', { name: 'To which category' }).focus()
    await shop.key('Shift+Tab', shop.button('Select all 201'))
    assert.equal(await place(), before, 'while the focus is in the bar')
    await shop.key('Enter', 'Selecting: 100 of 201')
    await isFocused(shop, 'Stop')
    assert.equal(await place(), before, 'while it runs')
    const { y = -1 } = (await shop.button('Stop').boundingBox()) ?? {}
    assert.ok(y > 0 && y < 900, `the button is visible at ${y}`)
    await shop.key('Enter', '100 selected')
    await isFocused(shop, 'Select all')
    assert.equal(await place(), before, 'after it was stopped')
  })

  test('Select all selects what its button counts, and no animal that somebody else has moved, sold or removed', async () => {
    const names = ['Here', 'Here too', 'Moved', 'Gone', 'Sold']
    const key = await store.makeKey(...defaultScopes, 'events:read')
    await using shop = await following(openList(names, { key, search: '&status=available' }))
    const [, , moved, gone, sold] = shop.ids
    await shop.menu('Select')
    await shop.button('Select all 5').waitFor()
    await patch(moved, { categoryId: freshCategory() })
    await call('DELETE', `/pets/${gone}`)
    await patch(sold, { status: 'sold' })
    await shop.expectStatus('Gone', 'removed')
    await shop.expectStatus('Sold', 'sold')
    await shop.click('Select all 2', '2 selected')
    await becomes(() => shop.page.locator('.item', { has: shop.page.locator(':checked') }).count(), 2)
    await addNamed(shop.category, 'New')
    await shop.button('Show 1 new').waitFor()
    await shop.click('Select all 3', '3 selected')
  })

  test('While it saves many pages, the page for staff shows its progress and can be stopped [decision 29]', async () => {
    await using shop = await openList(Array(101).fill('Many'))
    await shop.says('100 of 101 animals')
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

  test('What was typed for several animals is kept until all of it is carried out', async () => {
    await using shop = await openList(['Ada', 'Ben'])
    const name = shop.page.getByLabel('For whom')
    await shop.menu('Select')
    await shop.click('Select all 2', '2 selected')
    await shop.click('Reserve…', name)
    await shop.page.keyboard.type('Mrs Novák')
    await shop.click(/^Until cancelled/)
    await shop.page.route('**/v1/pets?*', (route) => route.abort())
    await shop.click('Reserve 2 animals')
    await shop.says('Not yet: 2. The service cannot be reached. Try again when the connection is back.')
    await shop.page.unrouteAll()
    await shop.click('Reserve…', name)
    assert.equal(await name.inputValue(), 'Mrs Novák')
    assert.equal(await shop.button(/^Until cancelled/).getAttribute('aria-pressed'), 'true')
    await shop.click('Reserve 2 animals', 'Reserved for Mrs Novák: 2 animals.')
    await shop.text('Not yet: 2.').waitFor({ state: 'detached' })
    await shop.page.getByLabel('Select Ada').press('Space')
    await shop.click('Reserve…', name)
    assert.equal(await name.inputValue(), '')
  })

  test('The list of what was refused waits until what somebody types meanwhile is done', async () => {
    await using shop = await openList(['Ada', 'Ben', 'Cleo'])
    const [ada = 0] = shop.ids
    const name = shop.page.getByLabel('For whom')
    await shop.menu('Select')
    await pick(shop, 'Ada', 'Ben')
    const answer = await shop.holdAnswer('**/v1/store/orders')
    await order(ada)
    await shop.click('Reserve…', name)
    await shop.key('Enter')
    await answer.held
    await shop.openItem('Cleo')
    await shop.click(shop.sheetButton('Reserve'), name)
    await shop.page.keyboard.type('Mr ')
    await answer.letGo()
    await shop.says('Reserved: 1 animal. Left as they are: 1.')
    await shop.page.keyboard.type('Svoboda')
    assert.equal(await name.inputValue(), 'Mr Svoboda')
    await shop.key('Escape')
    await shop.sheetOpened('Not all of them')
    assert.match(await shop.sheet.locator('.refused li').innerText(), /^Ada/)
    await shop.escape()

    // The same happens in a field of the page.
    const held = await shop.holdAnswer('**/v1/store/orders')
    await shop.click('Reserve…', name)
    await shop.key('Enter')
    await held.held
    await shop.page.getByRole('searchbox').focus()
    await held.letGo()
    await shop.says('Reserved: 0 animals. Left as they are: 1.')
    await shop.page.keyboard.type('cleo')
    assert.equal(await shop.page.getByRole('searchbox').inputValue(), 'cleo')
    await shop.page.locator('main').focus()
    await shop.sheetOpened('Not all of them')
  })

  test('A second click on Move does not ask a second time while what is selected is being read', async () => {
    const to = freshCategory()
    await nameCategory(to, `Once ${to}`)
    await using shop = await openList(['Ada', 'Ben'])
    await shop.menu('Select')
    await shop.click('Select all 2', '2 selected')
    await shop.choose(shop.page.getByRole('combobox', { name: 'To which category' }), `Once ${to}`)
    const asked: string[] = []
    shop.page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      return dialog.accept()
    })
    const answer = await shop.holdAnswer('**/v1/pets?*id=*')
    await shop.page.evaluate(`(() => {
      const button = document.querySelector('.bulk [type=submit]')
      button.click()
      button.click()
    })()`)
    await answer.held
    await shop.says('Reading: 0 of 2')
    await answer.letGo()
    await shop.says(`Moved to Once ${to}: 2 animals.`)
    assert.deepEqual(asked, [`Move 2 animals from Category ${shop.category} to Once ${to}?`])
  })

  test('Undo of reserving several animals leaves an order that somebody else has changed since', async () => {
    await using shop = await openList(['Ada', 'Ben'])
    const [ada = 0, ben = 0] = shop.ids
    await shop.menu('Select')
    await shop.click('Select all 2', '2 selected')
    await shop.click('Reserve…', shop.page.getByLabel('For whom'))
    await shop.page.keyboard.type('Mrs Novák')
    await shop.click('Reserve 2 animals', 'Reserved for Mrs Novák: 2 animals.')
    const [{ id }] = await ordersOf(ada)
    await call('PATCH', `/store/orders/${id}`, { reference: 'Mr Theirs' })
    await shop.click('Undo', 'Undone: 1 animal. Left as they are: 1.')
    const of = async (pet: number) => {
      const [{ status, reference }] = await ordersOf(pet)
      return [status, reference]
    }
    assert.deepEqual(
      [await of(ada), await of(ben)],
      [
        ['placed', 'Mr Theirs'],
        ['cancelled', 'Mrs Novák'],
      ],
    )
    assert.match(await shop.sheet.locator('.refused li').innerText(), /^Ada It changed meanwhile/)
  })

  test('On a phone, the bar of what is selected takes at most three lines, and its list of categories fits into the window', async () => {
    await using shop = await openList(['One', 'Two'], { viewport: phone })
    await shop.page.route('**/store/inventory?by=category*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(/"available":\d+/g, '"available":2000'),
      })
    })
    await shop.page.reload()
    await shop.menu('Select')
    await shop.button('Select all 1,000').waitFor()
    const lines = `new Set([...document.querySelector('.bulk').children].map((each) => {
      const { top, bottom } = each.getBoundingClientRect()
      return Math.round((top + bottom) / 2)
    })).size`
    const count = await shop.page.evaluate<number>(lines)
    assert.ok(count <= 3, `${count} lines`)
    for (const width of [360, 390, 820, 1440]) {
      await shop.page.setViewportSize({ width, height: 844 })
      assert.equal(await shop.probe('excess', '.bulk input'), 0, `the placeholder of the field fits at ${width} pixels`)
    }
    await shop.page.setViewportSize(phone)
    await shop.page.getByRole('combobox', { name: 'To which category' }).click()
    await shop.page.getByRole('listbox').getByRole('option').first().waitFor()
    assert.equal(await shop.probe('overhang'), 0)
  })

  test('On a phone, a row keeps its height and its lines when animals are being selected', async () => {
    await using shop = await openList(['One', 'Two'], { viewport: phone })
    const top = async (part: string) => {
      const row = shop.page.locator('.item').last()
      const [inner, outer] = [await row.locator(part).boundingBox(), await row.boundingBox()]
      return Math.round((inner?.y ?? 0) - (outer?.y ?? 0))
    }
    const height = async () => (await shop.page.locator('.item').last().boundingBox())?.height
    const [before, status] = [await height(), await top('.status')]
    await shop.menu('Select')
    await shop.page.locator('.pick').first().waitFor()
    assert.equal(await height(), before)
    assert.equal(await top('.status'), status)
    const left = async (part: string) => (await shop.page.locator('.item').last().locator(part).boundingBox())?.x
    assert.equal(await left('.status'), await left('.name'), 'both lines begin at the same place')
  })

  test('A message never covers the bar of what is selected, however narrow the page is', async () => {
    await using shop = await openList(Array(20).fill('Low'))
    await shop.menu('Select')
    await shop.page.locator('.pick').first().click()
    await shop.page.getByLabel('Select Low').nth(1).press('Space')
    await shop.click('Reserve…', shop.page.getByLabel('For whom'))
    await shop.key('Enter')
    await shop.says('Reserved: 2 animals.')
    await shop.page.locator('.pick').first().click()
    for (const width of [320, 390, 640, 1280]) {
      await shop.page.setViewportSize({ width, height: 800 })
      await shop.twoFrames()
      const [message, bar] = [shop.page.locator('.message').first(), shop.page.locator('.bulk')]
      const [above, below] = [await message.boundingBox(), await bar.boundingBox()]
      assert.ok((above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0), JSON.stringify([width, above, below]))
    }
  })
})
