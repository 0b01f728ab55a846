/** The page for staff in a real browser with hasty hands, odd names and addresses, and a browser that keeps nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { addPet, addPets, freshCategory } from '../support/expect.ts'
import { describeInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')

if (chromium)
  describeInFull('The shop in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const named = (category: string) => ({ name: `Name of ${category}`, exact: true })
    const petsIn = async (category: number) => (await service.call('GET', `/pets?categoryId=${category}`)).json

    test('does not complete an order with the second click of a double click [D282]', async () => {
      const { id } = await addPet(service, { name: 'Hasty' })
      await using shop = await open({ search: `?pet=${id}` })
      const { mouse } = shop.page
      await shop.sheet.getByRole('button', { name: 'Order', exact: true }).click()
      await shop.button('Complete the order').hover()
      await mouse.down({ clickCount: 2 })
      await mouse.up({ clickCount: 2 })
      await shop.button('Cancel the order').click()
      await shop.text('Hasty is available again').waitFor()
    })

    test('keeps the keyboard in the sheet when the button that was pressed is gone', async () => {
      const { id } = await addPet(service, { name: 'Focused' })
      await using shop = await open({ search: `?pet=${id}` })
      const { keyboard } = shop.page
      const heading = shop.sheet.getByRole('heading', { name: 'Focused' }).and(shop.page.locator(':focus'))
      await shop.sheet.getByRole('button', { name: 'Order', exact: true }).press('Enter')
      await shop.button('Complete the order').waitFor()
      await heading.waitFor()
      await shop.button('Edit').press('Enter')
      await shop.page.locator('input:focus').waitFor()
      await keyboard.press('End')
      await keyboard.type(' on')
      await keyboard.press('Enter')
      await shop.text('Focused on was saved.').waitFor()
      await heading.waitFor()
    })

    test('stays open when a press that began in the sheet ends beside it, and closes on one beside it', async () => {
      await using shop = await open()
      await shop.openAdd()
      const { mouse } = shop.page
      await shop.page.getByLabel('Name').hover()
      await mouse.down()
      await mouse.move(20, 20)
      await mouse.up()
      assert.ok(await shop.sheet.isVisible())
      await mouse.click(20, 20)
      await shop.sheet.waitFor({ state: 'detached' })
    })

    test('keeps the names typed for other categories while one is saved', async () => {
      const [one, two] = [freshCategory(), freshCategory()]
      for (const categoryId of [one, two]) await addPet(service, { categoryId })
      await using shop = await open()
      await shop.button('Categories').click()
      const field = (label: string) => shop.sheet.getByRole('textbox', named(label))
      await field(`Category ${two}`).fill('Typed')
      await field(`Category ${one}`).fill('Newts')
      await shop.page.keyboard.press('Enter')
      await shop.text(`Category ${one} is called Newts now.`).waitFor()
      assert.equal(await field(`Category ${two}`).inputValue(), 'Typed')
      assert.equal(await field('Newts').inputValue(), 'Newts')
      await shop.button('Undo').click()
      await shop.text(`Newts is called Category ${one} again.`).waitFor()
      assert.equal(await field(`Category ${one}`).inputValue(), '')
      assert.equal(await field(`Category ${two}`).inputValue(), 'Typed')
    })

    test('takes a name back only if nobody else has changed it since', async () => {
      const category = freshCategory()
      await addPet(service, { categoryId: category })
      await using shop = await open()
      await shop.button('Categories').click()
      await shop.sheet.getByRole('textbox', named(`Category ${category}`)).fill('Mine')
      await shop.page.keyboard.press('Enter')
      await shop.text('is called Mine now.').waitFor()
      await service.call('PUT', `/categories/${category}`, { body: { name: 'Theirs' } })
      await shop.button('Undo').click()
      await shop.text('It changed meanwhile').waitFor()
      await shop.button('Close').click()
      await shop.page.getByRole('option', { name: 'Theirs' }).waitFor({ state: 'attached' })
    })

    test('keeps what is typed while the former is still being sent', async () => {
      const category = freshCategory()
      await using shop = await open({ search: `?category=${category}` })
      const name = shop.page.getByLabel('Name')
      const inFlight = async (url: string, type: () => Promise<void>) => {
        const gate = Promise.withResolvers<void>()
        await shop.page.route(url, (route) => gate.promise.then(() => route.continue()), { times: 1 })
        await name.press('Enter')
        await type()
        gate.resolve()
      }
      await shop.openAdd()
      await name.fill('One')
      await inFlight('**/v1/pets', () => name.fill('Two'))
      await shop.text('One was added.').waitFor()
      assert.equal(await name.inputValue(), 'Two')
      await name.press('Enter')
      await shop.text('Two was added.').waitFor()
      await shop.button('Close').click()

      await shop.item('One').getByRole('link').click()
      await shop.button('Edit').click()
      await name.fill('Three')
      await inFlight('**/v1/pets/*', () => name.fill('Three and four'))
      await shop.text('Three was saved.').waitFor()
      await name.press('Enter')
      await shop.text('Three and four was saved.').waitFor()
      const names = (await petsIn(category)).map((pet: { name: string }) => pet.name)
      assert.deepEqual(names, ['Three and four', 'Two'])
    })

    test('brings back what was typed for one animal when another is edited instead', async () => {
      const category = freshCategory()
      const [id] = await addPets(service, 1, { name: 'Left', categoryId: category })
      await addPet(service, { name: 'Other', categoryId: category })
      await using shop = await open({ search: `?category=${category}&pet=${id}` })
      await shop.button('Edit').click()
      await shop.page.getByLabel('Name').fill('Left alone')
      await shop.page.keyboard.press('Escape')
      await shop.item('Other').getByRole('link').click()
      await shop.button('Edit').click()
      await shop.text('What you typed for Left was dropped.').waitFor()
      await shop.button('Undo').click()
      await shop.sheet.getByRole('heading', { name: 'Left' }).waitFor()
      assert.equal(await shop.page.getByLabel('Name').inputValue(), 'Left alone')
    })

    test('drops a status that was chosen before somebody ordered the animal, and keeps what else was typed [D297]', async () => {
      const { id } = await addPet(service, { name: 'Chosen' })
      await using shop = await open({ search: `?pet=${id}` })
      await shop.button('Edit').click()
      await shop.page.getByLabel('Status').selectOption('sold')
      await shop.page.getByLabel('Name').fill('Chosen anew')
      await service.call('POST', '/store/orders', { body: { petId: id } })
      await shop.button('Save').click()
      await shop.button('Save yours').click()
      await shop.text('Chosen anew was saved.').waitFor()
      assert.equal((await service.call('GET', `/pets?id=${id}`)).json[0].status, 'pending')
    })

    test('adds a category by its name alone, once, and renames and removes it', async () => {
      const category = freshCategory()
      const { id } = await addPet(service, { name: 'Moved', categoryId: category })
      await using shop = await open()
      const named = async () =>
        (await service.call('GET', '/categories?limit=100')).json.map(({ name }: { name: string }) => name)
      const add = async (name: string) => {
        await shop.sheet.getByLabel('New category', { exact: true }).fill(name)
        await shop.page.keyboard.press('Enter')
      }
      await shop.button('Categories').click()
      await shop.sheet.waitFor()
      await shop.page.keyboard.type('Guinea pigs')
      await shop.page.keyboard.press('Enter')
      await shop.text('The category Guinea pigs was added.').waitFor()
      assert.equal(await shop.sheet.getByLabel('New category', { exact: true }).inputValue(), '')
      await add(' guinea  PIGS ')
      await shop.text('There is a category Guinea pigs already.').waitFor()
      await shop.sheet.getByRole('textbox', { name: 'Name of Guinea pigs' }).fill('Cavies')
      await shop.page.keyboard.press('Enter')
      await shop.text('Guinea pigs is called Cavies now.').waitFor()
      assert.equal(await shop.button(`Remove Category ${category}`).count(), 0, 'it has an animal')
      assert.doesNotMatch(await shop.sheet.locator('li', { hasText: 'Cavies' }).innerText(), /[1-9]/)
      await shop.button('Remove Cavies').click()
      await shop.text('The category Cavies was removed.').waitFor()
      assert.ok(!(await named()).includes('Cavies'))
      await shop.button('Undo').click()
      await shop.text('The category Cavies is back.').waitFor()
      await shop.button('Close').click()

      await shop.item('Moved').getByRole('link').click()
      await shop.button('Edit').click()
      await shop.sheet.getByLabel('Category').selectOption('New category…')
      await add('cavies')
      await shop.text('Moved was saved.').waitFor()
      await shop.button('Edit').click()
      await shop.sheet.getByLabel('Category').selectOption('New category…')
      await add('Gerbils')
      await shop.text('Moved was saved.').waitFor()
      await shop.sheet.getByText('Gerbils').waitFor()
      const names = await named()
      for (const name of ['Cavies', 'Gerbils']) assert.equal(names.filter((each: string) => each === name).length, 1)
      const [{ categoryId }] = (await service.call('GET', `/pets?id=${id}`)).json
      assert.equal((await service.call('GET', '/categories?limit=100')).json.at(-1).id, categoryId)
    })

    test('leaves nothing to the next person, and offers them only what their key allows [D292]', async () => {
      const category = freshCategory()
      const key = await service.makeKey({ expiresAt: Date.now() + 60_000 })
      await using shop = await open({ key, search: `?category=${category}` })
      await shop.openAdd()
      await shop.page.getByLabel('Name').fill('Half typed')
      await service.setClock(Date.now() + 120_000)
      await shop.page.keyboard.press('Enter')
      await shop.text('This key is no longer valid.').waitFor()
      await service.setClock(null)
      await shop.signIn(await service.makeKey({ scopes: ['pets:read'] }))
      await shop.text('No animal fits').waitFor()
      assert.equal(await shop.sheet.count(), 0)
      await shop.button('Sign out').click()
      const { session } = await shop.probe<{ session: object }>('kept')
      assert.deepEqual(session, {})
    })

    test('ignores what it does not know in an address, and names a filter and the open animal in its title', async () => {
      const { id } = await addPet(service, { name: 'Addressed', categoryId: 3 })
      await using shop = await open({
        search: '?__proto__=x&constructor=x&status=x&category=007&pet=-0&view=x&key=pst_x',
      })
      await shop.item('Addressed').waitFor()
      assert.equal(await shop.page.title(), 'Pet Store')
      assert.equal(await shop.item('Addressed').getByRole('link').getAttribute('href'), `/shop?pet=${id}`)
      await shop.item('Addressed').getByRole('link').click()
      await shop.sheet.getByRole('heading', { name: 'Addressed' }).waitFor()
      assert.equal(await shop.page.title(), 'Addressed · Pet Store')
      await shop.button('Close').click()
      await shop.sheet.waitFor({ state: 'detached' })
      await shop.page.getByLabel('Category').selectOption('3')
      await shop.page.locator('.count').first().click()
      assert.equal(await shop.page.title(), 'Category 3 · available · Pet Store')
    })

    test('closes what is open on going back, and stays in the shop [D279]', async () => {
      const categoryId = freshCategory()
      await addPet(service, { name: 'Backed', categoryId })
      await using shop = await open({ search: `?category=${categoryId}` })
      const { page } = shop
      const url = page.url()
      const openers = [
        () => shop.openAdd(),
        () => shop.button('Categories').click(),
        () => page.keyboard.press('?'),
        () => shop.item('Backed').getByRole('link').click(),
      ]
      for (const press of openers) {
        await press()
        await shop.sheet.waitFor()
        await page.goBack()
        await shop.sheet.waitFor({ state: 'detached' })
        await press()
        await shop.sheet.waitFor()
        // Both are one.
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await shop.sheet.waitFor({ state: 'detached' })
        assert.equal(page.url(), url)
      }
      await page.goForward()
      await shop.sheet.getByRole('heading', { name: 'Backed' }).waitFor()
      await page.reload()
      await shop.button('Close').click()
      await shop.sheet.waitFor({ state: 'detached' })
      assert.equal(page.url(), url)
      // Nothing was left behind in the history: one step further is the page before the shop.
      await page.goBack()
      assert.equal(page.url(), 'about:blank')
    })

    test('closes an animal with which it began, and does not leave the shop for it [D279]', async () => {
      const { id } = await addPet(service, { name: 'Linked' })
      await using shop = await open({ search: `?pet=${id}` })
      await shop.button('Close').click()
      await shop.sheet.waitFor({ state: 'detached' })
      await shop.item('Linked').waitFor()
      assert.equal(shop.page.url(), `${service.url}/shop`)
    })

    test('has room for its counts on 320 pixels', async () => {
      await using shop = await open({ viewport: { width: 320, height: 568 } })
      await shop.page.locator('.count', { hasText: /\d/ }).first().waitFor()
      const room = await shop.page.evaluate<number[]>(
        `[...document.querySelectorAll('.count')].map((each) => each.getBoundingClientRect().right - each.querySelector('.status').getBoundingClientRect().right)`,
      )
      assert.ok(Math.min(...room) > 0, String(room))
    })

    test('works where the browser denies storage [D292]', async () => {
      await using shop = await open({ key: null })
      await shop.page.addInitScript(
        `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError') } })`,
      )
      await shop.page.reload()
      await shop.signIn(service.key)
      await shop.openAdd()
      await shop.page.getByLabel('Name').fill('Unstored')
      await shop.page.keyboard.press('Enter')
      await shop.text('Unstored was added.').waitFor()
    })

    test('keeps names apart from the words around them, and categories of one name from each other', async () => {
      const [one, two] = [freshCategory(), freshCategory()]
      for (const category of [one, two])
        await service.call('PUT', `/categories/${category}`, { body: { name: '__proto__' } })
      const { id } = await addPet(service, { name: '\u202e🐢'.repeat(512), categoryId: one })
      await using shop = await open({ search: `?category=${one}&pet=${id}` })
      await shop.sheet.getByText(`__proto__ (${one})`).waitFor()
      await shop.button('Edit').click()
      await shop.page.getByLabel('Name').press('End')
      await shop.page.keyboard.press('Backspace')
      await shop.button('Save').click()
      await shop.text('was saved.').waitFor()
      assert.equal(await shop.page.locator('.message bdi').textContent(), `${'\u202e🐢'.repeat(19)}\u202e…`)
      assert.equal([...(await petsIn(one))[0].name].length, 1023)
      const options = await shop.page.locator('.toolbar option').allTextContents()
      assert.deepEqual(
        options.filter((text) => text.startsWith('__proto__')).sort(),
        [`__proto__ (${one})`, `__proto__ (${two})`].sort(),
      )
    })
  })
