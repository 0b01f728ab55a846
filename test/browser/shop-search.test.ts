/**
 * Finding an animal on the page for staff in a real browser: filters, pages, the search, what is drawn for each of
 * them, and a phone.
 */
import assert from 'node:assert/strict'
import type { Route } from 'playwright-core'
import { freshCategory } from '../../harness/expect.ts'
import { becomes } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, phone, type ShopPage } from '../../harness/shop-page.ts'

describeShop('The list and the search of the shop in Chromium', (store) => {
  const { open, openList, call, addPet, addPets, addNamed, nameCategory, patch } = store
  const searchbox = ({ page }: ShopPage) => page.getByRole('searchbox')

  test('The page for staff keeps its filters in the address, and loads pages while scrolling', async () => {
    const category = freshCategory()
    const [first] = await addPets(120, { name: 'Many', categoryId: category })
    await addNamed(category, 'Last')
    await patch(first, { status: 'sold' })
    await using shop = await open({ search: `?category=${category}`, host: 'localhost' })
    await shop.says('100 of 121 animals')
    await shop.reach(121)
    await shop.says(/^121 animals$/)
    await shop.filter('Sold')
    await shop.says(/^1 animal$/)
    await becomes(async () => new URL(shop.page.url()).search, `?category=${category}&status=sold`)
    await shop.page.reload()
    await shop.page.getByRole('row', { name: /Many/ }).waitFor()
    await shop.says(/^1 animal$/)
    await shop.page.goBack()
    await shop.says('100 of 121 animals')
  })

  test('On a desktop, the page for staff shows 16 animals below a header that stays visible [decision 29]', async () => {
    await using shop = await openList(Array(60).fill('Row'), { viewport: { width: 1440, height: 900 } })
    await shop.loaded()
    const seen = () =>
      shop.page.evaluate<number>(
        `[...document.querySelectorAll('.item')].filter(
          (each) => each.getBoundingClientRect().bottom <= innerHeight).length`,
      )
    assert.ok((await seen()) >= 16, `${await seen()} rows`)
    await shop.page.locator('.item').last().scrollIntoViewIfNeeded()
    assert.equal(await shop.probe('isInView', 'thead'), true)
    assert.equal(await shop.probe('isInView', '#search'), true)
  })

  test('A click or touch anywhere in a row opens the animal, but marking text does not', async () => {
    await using shop = await openList(['Bella'])
    const row = shop.page.locator('.item')
    await row.locator('.category').click()
    await shop.sheetOpened('Bella')
    await shop.escape()
    await shop.page.setViewportSize(phone)
    const { x, y, width, height } = (await row.boundingBox()) ?? assert.fail('no row')
    const touch = await shop.page.context().newCDPSession(shop.page)
    const touchPoints = [{ x: x + width / 2, y: y + height - 6 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await shop.sheetOpened('Bella')
    await shop.escape()
    await shop.page.evaluate(`getSelection().selectAllChildren(document.querySelector('.item .id'))`)
    await row.locator('.category').evaluate((each) => each.click())
    await shop.twoFrames()
    assert.equal(await shop.sheet.count(), 0)
  })

  test('The search field keeps its width while the counts beside it change', async () => {
    await using shop = await openList(['Bella', 'Ben'])
    await shop.loaded()
    const width = async () => (await searchbox(shop).boundingBox())?.width
    const before = await width()
    for (const text of ['b', 'bella', '']) {
      await searchbox(shop).fill(text)
      await shop.says(/^\d animals?/)
      await shop.loaded()
      assert.equal(await width(), before, text)
    }
  })

  test('The page for staff counts each status in the chosen category, and in all categories after Clear [decision 29]', async () => {
    const name = `Axolotls ${freshCategory()}`
    const category = freshCategory()
    await nameCategory(category, name)
    await addPets(3, { categoryId: category })
    await addPets(2, { categoryId: category, status: 'sold' })
    await using shop = await open()
    await shop.loaded()
    await shop.choose(shop.categoryFilter, name.slice(2))
    await shop.expectCounts(3, 0, 2)
    await shop.filter('Sold')
    await shop.says(/^2 animals$/)
    await shop.click('Clear')
    const { available, pending, sold } = await call('GET', '/store/inventory')
    await shop.expectCounts(available, pending, sold)
    await becomes(async () => new URL(shop.page.url()).search, '')
  })

  test('An exact name is found first; one key moves to it, then r reserves the animal and s sells it [decision 29]', async () => {
    const category = freshCategory()
    const name = `Rex${category}`
    await addNamed(category, name, `${name} Copper`)
    await using shop = await open()
    await shop.loaded()
    await searchbox(shop).fill(name.toLowerCase())
    await shop.says('2 animals found')
    await becomes(() => shop.names(), [name, `${name} Copper`])
    await shop.key('ArrowDown', shop.item(name).getByRole('link'))
    await shop.key('s', shop.page.getByLabel('For whom'))
    await shop.escape()
    await shop.expectFocus(shop.item(name).getByRole('link'))
    await shop.key('r', shop.page.getByLabel('For whom'))
    await shop.key('Enter', `${name} is reserved.`)
    await shop.expectFocus(shop.item(name).getByRole('link'))
    await shop.key('2')
    await becomes(() => shop.page.title(), 'Orders · Open · Pet Store')
    await shop.key('1')
    await searchbox(shop).press('Enter')
    await shop.sheetOpened(name)
  })

  test('The page for staff finds number 19437 as 19,437, and sorts by number in both directions [decision 29]', async () => {
    const category = freshCategory()
    const ids = await addPets(1000, { name: 'Thousandth', categoryId: category })
    const wanted = ids.findLast((id) => id >= 1000) as number
    await using shop = await open({ search: `?category=${category}` })
    await shop.loaded()
    await searchbox(shop).fill(wanted.toLocaleString('en'))
    await shop.says('1 animal found')
    await becomes(() => shop.listed(), [wanted])
    await searchbox(shop).fill('')
    await shop.says('100 of 1,000 animals')
    await becomes(async () => (await shop.listed())[0], ids.at(-1))
    await shop.click(/^Number/)
    await becomes(async () => (await shop.listed())[0], ids[0])
  })

  test('On a phone and a tablet, a number of six digits and the number of selected animals stay on one line', async () => {
    await using shop = await openList(['Long', 'Longer'], { viewport: phone })
    // The counts are those of a store with 200,000 animals.
    const enlarge = async (route: Route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/"id":(\d+)/g, (_, id) => `"id":${200_000 + Number(id)}`)
      await route.fulfill({ response, body })
    }
    await shop.page.route('**/v1/pets?*', enlarge)
    await shop.page.reload()
    const lines = (selector: string) =>
      shop.page.evaluate<number[]>(`[...document.querySelectorAll('${selector}')].map((each) => {
        const range = document.createRange()
        range.selectNodeContents(each)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })`)
    const isWhole = () =>
      shop.page.evaluate(
        `[...document.querySelectorAll('.item .id')].every((each) => each.scrollWidth <= each.clientWidth)`,
      )
    await shop.says(/^20\d,?\d{3}$/)
    // The widths are narrower than a phone and a tablet by the extra width of "Select all 1,000" over "Select all 2".
    for (const width of [360, 390, 780, 820]) {
      await shop.page.setViewportSize({ width, height: 844 })
      assert.deepEqual([await lines('.item .id'), await isWhole()], [[1, 1], true], `${width} pixels`)
      // The name of the animal is hidden in each button, and occupies its own line.
      const heights = `[...document.querySelectorAll('.animals .do button')].map((each) => {
        const range = document.createRange()
        range.selectNodeContents(each.firstChild)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })`
      assert.deepEqual(await shop.page.evaluate(heights), [1, 1, 1, 1], `${width} pixels`)
      await shop.menu('Select')
      assert.deepEqual([await lines('.item .id'), await isWhole()], [[1, 1], true], `${width} pixels, to select`)
      assert.deepEqual(await lines('.bulk > p'), [1], `${width} pixels`)
      if (width !== 360) assert.equal(await shop.probe('overhang'), 0, `${width} pixels`)
      await shop.click('Done')
    }
  })

  test('The page for staff shows an animal only once after other animals have left the filter', async () => {
    await using shop = await openList(Array(120).fill('Leaving'), { search: '&status=available&sort=oldest' })
    await shop.reach(120)
    await patch(shop.ids[0], { status: 'sold' })
    await shop.lookAgain()
    await shop.says(/^119 animals$/)
    await becomes(() => shop.listed(), shop.ids.slice(1))
  })

  test('The page for staff shows an animal that is on no loaded page, after a reload and by its address', async () => {
    await using shop = await openList(['Élodie of the sea', ...Array(120).fill('Common')])
    await shop.says('100 of 121 animals')
    const entries = await shop.page.evaluate('history.length')
    await shop.key('/')
    await shop.page.keyboard.type('sea elo')
    await shop.page.waitForURL(`**/shop?category=${shop.category}&search=sea+elo`)
    await shop.says('1 animal found')
    await becomes(() => shop.names(), ['Élodie of the sea'])
    assert.equal(await shop.page.evaluate('history.length'), entries, 'what is typed is not to be gone back through')
    await shop.page.reload()
    await shop.says('1 animal found')
    await becomes(() => searchbox(shop).inputValue(), 'sea elo')
    await searchbox(shop).press('Escape')
    await shop.says('100 of 121 animals')
    await shop.page.goto(`${shop.url}/shop?category=${shop.category}&search=common`)
    await shop.says('100 animals, more to come')
  })

  test('The animal whose number is searched for is listed first and only once, whatever its name', async () => {
    const category = freshCategory()
    const [id] = await addPets(2, { name: 'Numbered', categoryId: category })
    const { id: other } = await addPet({ name: `Room ${id}`, categoryId: category })
    await using shop = await open()
    for (const text of [String(id), `#${id}`]) {
      await searchbox(shop).fill(text)
      await shop.says('2 animals found')
      await becomes(() => shop.names(), ['Numbered', `Room ${id}`])
      await searchbox(shop).fill('room')
      await shop.says('1 animal found')
    }
    await patch(other, { status: 'sold' })
    await shop.page.goto(`${shop.url}/shop?status=sold&search=${id}`)
    await shop.says('1 animal found')
    await becomes(() => shop.names(), [`Room ${id}`])
    await searchbox(shop).fill(`numbered ${id}`)
    await shop.says('Nothing matches')
    await searchbox(shop).fill('numbered')
    await shop.page.waitForURL(/numbered$/)
    await shop.click('Search all animals', '2 animals found')
  })

  test('The page for staff ignores the answer to an earlier search that arrives after a later one', async () => {
    await using shop = await openList(['Early', 'Later'])
    await shop.says('2 animals')
    const early = await shop.holdAnswer('**/v1/pets?*search=e*')
    await searchbox(shop).fill('e')
    await early.held
    await searchbox(shop).fill('later')
    await shop.says('1 animal found')
    await early.letGo()
    assert.deepEqual(await shop.names(), ['Later'])

    const asked: string[] = []
    shop.page.on('request', (request) => request.url().includes('/pets?') && asked.push(request.url()))
    await searchbox(shop).fill('🐢 !')
    await shop.says('Nothing matches')
    assert.deepEqual(asked, [])

    await shop.goOffline()
    await searchbox(shop).fill('ear')
    await shop.page.getByRole('status').getByText('Offline').waitFor()
    assert.equal(await shop.text('0 animals').count(), 0)
    await shop.goOnline()
    await shop.says('1 animal found')
    await searchbox(shop).fill('🐢 !')
    await shop.click('Show all animals')
    await shop.item('Later').waitFor()
    await becomes(() => searchbox(shop).inputValue(), '')
  })

  test('The page for staff keeps text that was typed just before an animal was opened, and searches for it afterwards', async () => {
    await using shop = await openList(['Early', 'Later'])
    await shop.says('2 animals')
    await searchbox(shop).fill('later')
    await shop.page.evaluate(`document.querySelector('.item .name').click()`)
    await shop.sheet.waitFor()
    await shop.probe('soon', 300)
    await shop.escape()
    await shop.says('1 animal found')
    await becomes(() => searchbox(shop).inputValue(), 'later')
    await becomes(() => shop.names(), ['Later'])
  })

  test('The page for staff loads the next page by itself if a page of a search is empty but has a next page', async () => {
    await using shop = await openList(['Behind'])
    await shop.item('Behind').waitFor()
    const empty = { json: [], headers: { link: `<${shop.url}/v1/pets?cursor=abc>; rel="next"` } }
    await shop.page.route('**/v1/pets?*search=behind*', (route) =>
      route.request().url().includes('cursor=')
        ? route.continue({ url: route.request().url().replace('&cursor=abc', '') })
        : route.fulfill(empty),
    )
    await searchbox(shop).fill('behind')
    await shop.says('1 animal found')
  })
})
