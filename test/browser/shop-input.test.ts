/**
 * The page for staff in a real browser with hasty input, unusual names and addresses, and a browser that stores
 * nothing.
 */
import assert from 'node:assert/strict'
import type { Route } from 'playwright-core'
import { freshCategory } from '../../harness/expect.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, triesMax } from '../../harness/shop-page.ts'
import { quiet, requestsOf } from '../../harness/shop-requests.ts'

describeShop('What is typed in the shop in Chromium', (store) => {
  const { open, openList, openPet, call, addPet, petsIn, patch, statusOf, nameCategory, order } = store

  test('The page for staff names a category, and Undo leaves the name alone if somebody else has changed it since', async () => {
    const [one, two] = [freshCategory(), freshCategory()]
    for (const categoryId of [one, two]) await addPet({ name: `In ${categoryId}`, categoryId })
    await using shop = await open({ search: `?category=${one}` })
    await shop.menu('Categories')
    const field = (label: string) => shop.sheet.getByRole('textbox', { name: `Name of ${label}`, exact: true })
    await field(`Category ${two}`).fill('Typed')
    await field(`Category ${one}`).fill('Newts')
    await shop.key('Enter', `Category ${one} is called Newts now.`)
    assert.equal(await field(`Category ${two}`).inputValue(), 'Typed')
    await becomes(() => field('Newts').inputValue(), 'Newts')
    await shop.item(`In ${one}`).getByText('Newts').waitFor()
    await shop.click('Undo', `Newts is called Category ${one} again.`)
    await becomes(() => field(`Category ${one}`).inputValue(), '')
    await shop.item(`In ${one}`).getByText(`Category ${one}`).waitFor()

    assert.equal(await field(`Category ${two}`).inputValue(), 'Typed')
    await field(`Category ${two}`).press('Enter')
    await shop.says('is called Typed now.')
    await nameCategory(two, 'Theirs')
    await shop.click('Undo', 'It changed meanwhile')
    await shop.closeSheet()
    await shop.categoryFilter.click()
    await shop.page.getByRole('option', { name: 'Theirs' }).waitFor()
  })

  test('The page for staff asks before two categories get the same name [decision 29]', async () => {
    const [cats, dogs] = [freshCategory(), freshCategory()]
    await nameCategory(cats, `Cats ${cats}`)
    await nameCategory(dogs, `Dogs ${cats}`)
    await using shop = await open()
    await shop.menu('Categories')
    const field = shop.sheet.getByRole('textbox', { name: `Name of Cats ${cats}` })
    await field.fill(`DOGS  ${cats}`)
    const question = await shop.confirm(`Rename Cats ${cats}`, false)
    assert.match(question, new RegExp(`^There is a category Dogs ${cats} already, number ${dogs}\\. Call Cats`))
    const nameOf = async () => {
      const all: { id: number; name: string }[] = await call('GET', `/categories?limit=100`)
      return all.find(({ id }) => id === cats)?.name
    }
    assert.equal(await nameOf(), `Cats ${cats}`)
    await field.fill(`Kittens ${cats}`)
    await shop.enter(field, `is called Kittens ${cats} now.`)
  })

  test('The page for staff asks before it overwrites the name of a category that somebody else has just changed', async () => {
    const id = freshCategory()
    const nameOf = async () => {
      const all: { id: number; name: string }[] = await call('GET', `/categories?limit=100`)
      return all.find((each) => each.id === id)?.name
    }
    await nameCategory(id, `Stale ${id}`)
    await using shop = await open()
    await shop.menu('Categories')
    await shop.sheet.getByRole('textbox', { name: `Name of Stale ${id}` }).fill(`Mine ${id}`)
    await nameCategory(id, `Theirs ${id}`)
    const question = await shop.confirm(`Rename Stale ${id}`, false)
    assert.equal(question, `Somebody else calls it Theirs ${id} now. Call it Mine ${id} all the same?`)
    assert.equal(await nameOf(), `Theirs ${id}`)
    const field = shop.sheet.getByRole('textbox', { name: `Name of Theirs ${id}` })
    await field.fill(`Mine ${id}`)
    await shop.enter(field, `is called Mine ${id} now.`)
    await shop.click('Undo', `is called Theirs ${id} again.`)
    assert.equal(await nameOf(), `Theirs ${id}`)
  })

  test('The page for staff keeps an unsaved name of a category after Esc and after a reload [decision 29]', async () => {
    const id = freshCategory()
    await nameCategory(id, `Kept ${id}`)
    await using shop = await open()
    const fields = () => [shop.page.getByLabel('New category'), shop.page.getByLabel(`Name of Kept ${id}`)] as const
    await shop.menu('Categories')
    for (const field of fields()) await field.fill(`Typed ${id}`)
    await shop.escape()
    await shop.menu('Categories')
    for (const field of fields()) await becomes(() => field.inputValue(), `Typed ${id}`)
    await shop.page.reload()
    for (const field of fields()) await becomes(() => field.inputValue(), `Typed ${id}`)
    await shop.escape()
    await shop.click('Sign out')
    await shop.signIn(store.service.key)
    await shop.menu('Categories')
    await becomes(() => fields()[0].inputValue(), '')
    await becomes(() => fields()[1].inputValue(), `Kept ${id}`)
  })

  test('Undo and Remove do not change a category that somebody else has named or filled since [decision 29]', async () => {
    const meanwhile = 'It changed meanwhile, and stays as it is now.'
    // Without events, the page shows what others have done only after it has read everything again.
    await using shop = await open({
      key: await store.makeKey('pets:read', 'pets:write', 'orders:read', 'orders:write'),
    })
    const id = freshCategory()
    const all = async (): Promise<{ id: number; name: string }[]> => call('GET', '/categories?limit=100')
    const idOf = async (name: string) => (await all()).find((each) => each.name === name)?.id ?? 0
    const nameOf = async (id: number) => (await all()).find((each) => each.id === id)?.name
    await shop.menu('Categories')
    await shop.page.getByLabel('New category').fill(`Mine ${id}`)
    await shop.key('Enter', `The category Mine ${id} was added.`)
    const added = await idOf(`Mine ${id}`)
    await addPet({ name: 'Theirs', categoryId: added })
    await shop.click('Undo', meanwhile)
    assert.equal(await nameOf(added), `Mine ${id}`)

    const other = freshCategory()
    await nameCategory(other, `Empty ${other}`)
    await shop.page.getByLabel('New category').fill(`Empty ${other}`)
    await shop.key('Enter', `There is a category Empty ${other} already.`)
    // The page must not read the new name between here and the click.
    await quiet(shop, requestsOf(shop.page))
    await nameCategory(other, `Theirs ${other}`)
    await shop.click(`Remove Empty ${other}`)
    await shop.button(`Remove Theirs ${other}`).waitFor()
    assert.equal(await nameOf(other), `Theirs ${other}`)
    await shop.click(`Remove Theirs ${other}`, `The category Theirs ${other} was removed.`)
    await nameCategory(other, `Again ${other}`)
    await shop.click('Undo')
    await shop.button('Undo').waitFor({ state: 'detached' })
    await shop.probe('answered')
    assert.equal(await nameOf(other), `Again ${other}`)
  })

  test('Undo of a new category decides according to its own read, even if the page reads all categories meanwhile', async () => {
    await using shop = await open()
    const id = freshCategory()
    await shop.menu('Categories')
    await shop.page.getByLabel('New category').fill(`Mine ${id}`)
    await shop.key('Enter', `The category Mine ${id} was added.`)
    const reads: Route[] = []
    const everyRead = '**/inventory?*by=category*'
    await shop.page.route(everyRead, (route) => void reads.push(route))
    const all: { id: number; name: string }[] = await call('GET', '/categories?limit=100')
    await addPet({ name: 'Theirs', categoryId: all.find(({ name }) => name === `Mine ${id}`)?.id })
    await shop.click('Undo')
    // The read that began last is never answered before the others. One of these reads belongs to Undo.
    await eventually(
      async () => {
        await shop.lookAgain()
        while (reads.length > 1) await reads.shift()?.continue()
        return shop.text('It changed meanwhile, and stays as it is now.').isVisible()
      },
      (isSaid) => isSaid,
    )
    await shop.page.unroute(everyRead)
  })

  test('The page for staff adds a category by its name, only once, and can rename and remove it', async () => {
    await using shop = await openList(['Moved'])
    const { category, ids } = shop
    const all = async (): Promise<{ id: number; name: string }[]> => call('GET', '/categories?limit=100')
    const newField = shop.sheet.getByLabel('New category', { exact: true })
    const add = async (name: string, said?: string) => {
      await newField.fill(name)
      await shop.enter(newField, said)
    }
    await shop.menu('Categories')
    await shop.expectFocus(newField)
    await add('Guinea pigs', 'The category Guinea pigs was added.')
    await shop.until(`document.activeElement.value === ''`)
    await add(' guinea  ＰＩＧＳ ', 'There is a category Guinea pigs already.')
    await shop.sheet.getByRole('textbox', { name: 'Name of Guinea pigs' }).fill('Cavies')
    await shop.key('Enter', 'Guinea pigs is called Cavies now.')
    assert.equal(await shop.button(`Remove Category ${category}`).count(), 0, 'it has an animal')
    assert.doesNotMatch(await shop.sheet.locator('li', { hasText: 'Cavies' }).innerText(), /[1-9]/)
    await shop.click('Remove Cavies', 'The category Cavies was removed.')
    assert.ok((await all()).every(({ name }) => name !== 'Cavies'))
    await shop.click('Undo', 'The category Cavies is back.')
    await shop.closeSheet()

    await shop.openItem('Moved')
    for (const name of ['cavies', 'Gerbils']) {
      await shop.click('Edit')
      await shop.choose(shop.categoryField, name)
      await shop.click('Save')
      await shop.button('Edit').waitFor()
    }
    await shop.sheet.getByText('Gerbils').waitFor()
    for (const name of ['Cavies', 'Gerbils']) assert.equal((await all()).filter((each) => each.name === name).length, 1)
    const [{ categoryId }] = await call('GET', `/pets?id=${ids[0]}`)
    assert.ok((await all()).some(({ id }) => id === categoryId))
  })

  test('Undo removes an animal that was added in a new category, and the category stays', async () => {
    await using shop = await openList([])
    const name = `Stays ${shop.category}`
    await shop.openAdd()
    await shop.categoryField.fill(name)
    await shop.add('Goes')
    await shop.click(shop.sheetButton('Undo'), `Goes was removed again; the category ${name} stays.`)
    const all: { id: number; name: string }[] = await call('GET', '/categories?limit=100')
    const { id = 0 } = all.find((each) => each.name === name) ?? {}
    assert.ok(id > 0)
    assert.deepEqual(await petsIn(id), [])
  })

  test('Text typed while an earlier change is being sent stays in its field, and each animal keeps its unsaved text', async () => {
    await using shop = await openList([])
    const { name } = shop
    const inFlight = async (url: string, type: () => Promise<void>) => {
      const gate = Promise.withResolvers<void>()
      await shop.intercept(url, (route) => gate.promise.then(() => route.continue()))
      await name.press('Enter')
      await type()
      gate.resolve()
    }
    await shop.openAdd()
    await name.fill('One')
    await inFlight('**/v1/pets', () => name.fill('Two'))
    await shop.says('One was added.')
    assert.equal(await name.inputValue(), 'Two')
    await shop.enter(name, 'Two was added.')
    await shop.closeSheet()

    await shop.openItem('One')
    await shop.click('Edit')
    await name.fill('Three')
    await inFlight('**/v1/pets/*', () => name.fill('Three and four'))
    await shop.says('Three was saved.')
    await shop.enter(name, 'Three and four was saved.')
    const saved = (await petsIn(shop.category)).map((pet) => pet.name)
    assert.deepEqual(saved, ['Three and four', 'Two'])

    await shop.edit('Left alone')
    await shop.closeSheet()
    await shop.openItem('Two')
    await shop.edit('Also left')
    await shop.closeSheet()
    for (const [pet, typed] of [
      ['Three and four', 'Left alone'],
      ['Two', 'Also left'],
    ] as const) {
      await shop.openItem(pet)
      await shop.click('Edit')
      await becomes(() => name.inputValue(), typed)
      await shop.closeSheet()
    }
  })

  test('An animal is added once however often Add is pressed while it is sent, and the focus stays on a button that was refused', async () => {
    await using shop = await openList([])
    const gate = Promise.withResolvers<void>()
    await shop.intercept('**/v1/pets', (route) => gate.promise.then(() => route.continue()))
    await shop.openAdd()
    await shop.name.fill('Once')
    for (let i = 0; i < 3; i++) await shop.name.press('Enter')
    gate.resolve()
    await shop.says('Once was added.')
    await becomes(() => shop.name.inputValue(), '')
    await shop.intercept('**/v1/pets', (route) => route.fulfill({ status: 503 }), triesMax)
    await shop.name.fill('Refused')
    await shop.click(shop.sheetButton('Add'), 'The service cannot do that just now.')
    await shop.expectFocus(shop.sheetButton('Add'))
    await shop.click(shop.sheetButton('Add'), 'Refused was added.')
    assert.deepEqual((await petsIn(shop.category)).map((pet) => pet.name).sort(), ['Once', 'Refused'])
  })

  test('The list of categories fits into its sheet, however low the window is, and writes each count on one line', async () => {
    const name = 'Stick insects, spiders and other small arthropods'
    for (const category of Array.from({ length: 12 }, freshCategory)) {
      await addPet({ categoryId: category })
      await nameCategory(category, `${name} ${category}`)
    }
    await using shop = await open({ viewport: { width: 390, height: 500 } })
    for (const height of [500, 400]) {
      await shop.page.setViewportSize({ width: 390, height })
      await shop.openAdd()
      await shop.categoryField.click()
      const list = shop.sheet.getByRole('listbox')
      await list.getByRole('option').first().waitFor()
      const [inner, outer] = [await list.boundingBox(), await shop.sheet.locator('.sheet').boundingBox()]
      const end = (box: typeof inner) => (box?.y ?? 0) + (box?.height ?? 0)
      assert.ok((inner?.y ?? 0) >= (outer?.y ?? 0) && end(inner) <= end(outer), JSON.stringify([inner, outer]))
      const lines = await list
        .locator('small')
        .evaluateAll((all) => all.map((each) => new Set([...each.getClientRects()].map(({ top }) => top)).size))
      assert.deepEqual([...new Set(lines)], [1])
      await shop.key('Escape')
      await shop.escape()
    }
  })

  test('The page for staff drops a chosen status after somebody has ordered the animal, and offers none [decision 29]', async () => {
    await using shop = await openPet({ name: 'Chosen' })
    await shop.click('Edit')
    assert.deepEqual(await shop.sheet.getByLabel('Status').locator('option').allTextContents(), [
      'available',
      'reserved',
    ])
    await shop.sheet.getByLabel('Status').selectOption('reserved')
    await shop.name.fill('Chosen anew')
    await order(shop.id)
    await shop.click('Save')
    await shop.click('Save yours', 'Chosen anew was saved.')
    assert.equal(await statusOf(shop.id), 'pending')
    await shop.says('It stays in the books with its orders')
    await shop.button('Remove').waitFor({ state: 'detached' })
    await shop.click('Edit', 'follows from its order')
    assert.equal(await shop.sheet.getByLabel('Status').count(), 0)
  })

  test('The page for staff asks for a new key after it has expired, and keeps unsaved text for the same person [decision 29]', async () => {
    await using shop = await openPet({ name: 'Typed' }, { key: await store.makeEndingKey() })
    // The key must not expire during a request that the page sends when it is opened.
    await shop.loaded()
    const type = async (text: string) => {
      await shop.edit(text)
      await store.expire()
      // The button is not clicked: a request for counts after a change may be the first to find the key expired, and
      // then the form is gone.
      await shop.page.evaluate(`document.querySelector('dialog form')?.requestSubmit()`)
      await shop.says('This key is no longer valid.')
      // This must happen before the key is valid again.
      await shop.probe('answered')
      await store.service.setClock(null)
    }
    await type('Typed on')
    await shop.signIn(await store.makeEndingKey())
    await shop.loaded()
    await becomes(() => shop.name.inputValue(), 'Typed on')
    await shop.click('Save', 'Typed on was saved.')

    await shop.loaded()
    await type('Half typed')
    await shop.signIn(await store.makeKey('pets:read'))
    await shop.sheetOpened('Typed on')
    assert.equal(await shop.name.count(), 0)
    await shop.closeSheet()
    await shop.click('Sign out')
    await becomes(async () => (await shop.probe<{ session: object }>('kept')).session, {})
  })

  test('After a key has expired, nobody is offered Undo until the same person has signed in again', async () => {
    const key = (name: string) => store.service.makeKey({ name, expiresAt: Date.now() + 3_600_000 })
    await using shop = await openPet({ name: 'Hers' }, { key: await key('Anna') })
    const end = async () => {
      await store.expire()
      await shop.lookAgain()
      await shop.says('This key is no longer valid.')
      await shop.probe('answered')
      await store.service.setClock(null)
      assert.equal(await shop.button('Undo').count(), 0)
      assert.equal(await shop.text('Hers').count(), 0, 'the form shows nothing of what was done')
    }
    await shop.reserve(shop.sheetButton('Reserve'), '', 'Hers is reserved.')
    await end()
    await shop.signIn(await key('Anna'))
    await shop.button('Undo').waitFor()
    await end()
    await shop.signIn(await key('Boris'))
    await shop.sheetOpened('Hers')
    assert.equal(await shop.text('Hers is reserved.').count(), 0)
    assert.equal(await statusOf(shop.id), 'pending')
  })

  test('Text that one person left unsaved is deleted when a key of another name signs in, even after a reload', async () => {
    const key = (name: string) => store.service.makeKey({ name, expiresAt: Date.now() + 3_600_000 })
    await using shop = await openPet({ name: 'Shared' }, { key: await key('Anna') })
    await shop.loaded()
    await shop.click(shop.sheetButton('Reserve'), shop.page.getByLabel('For whom'))
    await shop.page.getByLabel('For whom').fill('Mrs Novák')
    await store.expire()
    await shop.lookAgain()
    await shop.says('This key is no longer valid.')
    await shop.probe('answered')
    await store.service.setClock(null)
    await shop.page.reload()
    await shop.signIn(await key('Boris'))
    await shop.loaded()
    await shop.button('Reserve').waitFor()
    assert.equal(await shop.page.getByLabel('For whom').count(), 0)
    await shop.click(shop.sheetButton('Reserve'), shop.page.getByLabel('For whom'))
    assert.equal(await shop.page.getByLabel('For whom').inputValue(), '')
    await becomes(async () => JSON.stringify(await shop.probe('kept')).includes('Novák'), false)
  })

  test('The selected animals outlive a reload, and are forgotten when a key of another name signs in', async () => {
    const key = (name: string) => store.service.makeKey({ name, expiresAt: Date.now() + 3_600_000 })
    await using shop = await openList(['Ada', 'Ben'], { key: await key('Anna') })
    await shop.menu('Select')
    await shop.page.getByLabel('Select Ben').press('Space')
    await shop.page.reload()
    await shop.says('1 selected')
    assert.ok(await shop.page.getByLabel('Select Ben').isChecked())
    assert.ok(!(await shop.page.getByLabel('Select Ada').isChecked()))
    await store.expire()
    await shop.lookAgain()
    await shop.says('This key is no longer valid.')
    await shop.probe('answered')
    await store.service.setClock(null)
    await shop.page.reload()
    await shop.signIn(await key('Boris'))
    await shop.item('Ben').waitFor()
    assert.equal(await shop.page.locator('.bulk').count(), 0)
  })

  test('An action that is answered after its person has signed out leaves nothing on the page for the next person', async () => {
    await using shop = await openPet({ name: 'Late' }, { key: await store.service.makeKey({ name: 'Anna' }) })
    await shop.click(shop.sheetButton('Reserve'))
    await shop.page.getByLabel('For whom').fill('Mrs Novák')
    const placed = await shop.holdAnswer('**/store/orders')
    await shop.click(shop.sendOrder)
    await placed.held
    // A sheet covers the button to sign out, but not that of another tab.
    const tab = await shop.openTab()
    await tab.click('Sign out', tab.page.getByLabel('API key'))
    await shop.page.getByLabel('API key').waitFor()
    await placed.letGo()
    await shop.probe('answered')
    await shop.twoFrames()
    assert.doesNotMatch(await shop.page.locator('body').innerText(), /Novák/)
    await shop.signIn(await store.service.makeKey({ name: 'Boris' }))
    await shop.sheet.getByText('Order').first().waitFor()
    assert.equal(await shop.button('Undo').count(), 0)
    assert.equal(await shop.text('is reserved for').count(), 0)

    const read = await shop.holdAnswer('**/store/orders/*')
    await shop.click('Change')
    await read.held
    await tab.page.reload()
    await tab.click('Sign out', tab.page.getByLabel('API key'))
    await shop.page.getByLabel('API key').waitFor()
    await read.letGo()
    await shop.twoFrames()
    assert.deepEqual((await shop.probe<{ session: object }>('kept')).session, {})
  })

  test('The page for staff ignores unknown parts of an address, and its title names the filter and the open animal', async () => {
    const category = freshCategory()
    const { id } = await addPet({ name: 'Addressed', categoryId: category })
    await using shop = await open({
      search: '?__proto__=x&constructor=x&status=x&category=007&pet=-0&view=x&key=pst_x',
    })
    await shop.item('Addressed').waitFor()
    await becomes(() => shop.page.title(), 'Pet Store')
    assert.equal(await shop.item('Addressed').getByRole('link').getAttribute('href'), `/shop?pet=${id}`)
    await shop.openItem('Addressed')
    await becomes(() => shop.page.title(), 'Addressed · Pet Store')
    await shop.closeSheet()
    await shop.choose(shop.categoryFilter, `Category ${category}`)
    await shop.filter('Available')
    await becomes(() => shop.page.title(), `Category ${category} · available · Pet Store`)
  })

  test('The back button closes what is open on the page for staff, even if the visit began with that address [decision 29]', async () => {
    await using shop = await openList(['Backed'])
    const { page } = shop
    const url = page.url()
    const openers = [
      () => shop.openAdd(),
      () => shop.menu('Categories'),
      () => page.keyboard.press('?'),
      () => shop.item('Backed').getByRole('link').click(),
    ]
    for (const press of openers) {
      await press()
      await shop.sheet.waitFor()
      await page.goBack()
      await shop.sheetClosed()
      await press()
      await shop.sheet.waitFor()
      // Pressing Escape twice goes back only one step.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await shop.sheetClosed()
      await becomes(async () => page.url(), url)
    }
    await page.goForward()
    await shop.sheetOpened('Backed')
    await page.reload()
    await shop.closeSheet()
    await becomes(async () => page.url(), url)
    // Nothing was left behind in the history, so one step further back is the page before the shop.
    await page.goBack()
    assert.doesNotMatch(page.url(), /shop/)
    await page.goto(`${url}&pet=${shop.ids[0]}`)
    await shop.sheetOpened('Backed')
    await page.goBack()
    await shop.sheetClosed()
    await becomes(async () => page.url(), url)
    await page.goForward()
    await shop.closeSheet()
    await shop.item('Backed').waitFor()
    await becomes(async () => page.url(), url)
  })

  test('The page for staff works in a browser that denies storage [decision 29]', async () => {
    await using shop = await open({ key: null })
    const tab = await shop.openTab('/shop', (page) =>
      page.addInitScript(
        `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError') } })`,
      ),
    )
    await tab.signIn(store.service.key)
    await tab.openAdd()
    await tab.categoryField.fill('Unstored ones')
    await tab.add('Unstored')
  })

  test('The page for staff sets names apart from the text around them, and distinguishes categories with the same name', async () => {
    const [one, two] = [freshCategory(), freshCategory()]
    for (const category of [one, two]) await nameCategory(category, '__proto__')
    const { id } = await addPet({ name: '\u202e🐢'.repeat(512), categoryId: one })
    await using shop = await open({ search: `?category=${one}&pet=${id}` })
    await shop.sheet.getByText(`__proto__ (${one})`).waitFor()
    await shop.click('Edit')
    await shop.name.press('End')
    await shop.key('Backspace')
    await shop.click('Save', 'was saved.')
    assert.equal(await shop.page.locator('.message bdi').textContent(), `${'\u202e🐢'.repeat(19)}\u202e…`)
    assert.equal([...((await petsIn(one))[0]?.name ?? '')].length, 1023)
    await shop.closeSheet()
    await shop.categoryFilter.fill('__proto__')
    const options = shop.page.getByRole('option')
    const alike = async () =>
      (await options.allTextContents()).map((text) => text.replace(/\s*\d*\s*$/, '').trim()).sort()
    await becomes(alike, [`__proto__ (${one})`, `__proto__ (${two})`].sort())

    await patch(id, { name: '\u202eRex' })
    await shop.page.goto(`${shop.url}/shop?category=${one}`)
    await shop.menu('Select')
    const item = shop.page.locator('.item')
    assert.deepEqual(await item.locator('bdi').allTextContents(), ['\u202eRex', '\u202eRex', '\u202eRex'])
    await item.locator('.name').click()
    assert.equal(await shop.sheet.locator('.initial').textContent(), 'R')
    await shop.closeSheet()
    const isolation = await shop.page.evaluate(`getComputedStyle(document.querySelector('.item .name')).unicodeBidi`)
    assert.equal(isolation, 'isolate')
  })
})
