/**
 * The number of requests that the page for staff sends, in a real browser. It must be the least that keeps the page up
 * to date.
 */
import assert from 'node:assert/strict'
import { freshCategory } from '../../harness/expect.ts'
import { becomes } from '../../harness/patience.ts'
import { test } from '../../harness/scope.ts'
import { describeShop, type ShopPage } from '../../harness/shop-page.ts'
import { scopesFor } from '../../src/model/key.ts'

describeShop('The requests of the shop in Chromium', (store) => {
  const { open, openPet, addNamed, addPet, patch, order, makeKey } = store

  /** Signs in with a key that follows events, and records requests after everything that is shown was read. */
  async function quiet(search: string): Promise<{ shop: ShopPage; asked: string[] } & AsyncDisposable> {
    const shop = await open({ search, key: null })
    const isFollowing = shop.page.waitForResponse((each) => each.url().includes('/events/stream'))
    await shop.signIn(await makeKey(...scopesFor.staff))
    await isFollowing
    await settled(shop)
    const asked: string[] = []
    shop.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/v1/')) asked.push(`${request.method()} ${pathname}${search}`)
    })
    return { shop, asked, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() }
  }

  /** Resolves once no request is in progress, and the page has planned nothing within the time of a refresh. */
  async function settled(shop: ShopPage): Promise<void> {
    for (let i = 0; i < 2; i++) {
      await shop.probe('soon', 1_100)
      await shop.probe('answered')
    }
  }

  test('An idle page for staff sends no requests [decision 29]', async () => {
    const category = freshCategory()
    await addNamed(category, 'Idle')
    for (const search of [`?category=${category}`, '?show=orders', '?show=report']) {
      await using page = await quiet(search)
      // This is longer than anything that the page does repeatedly.
      await page.shop.pass(20)
      await settled(page.shop)
      assert.deepEqual(page.asked, [], search)
    }
  })

  test('Opening the page for staff reads each thing that it shows once [decision 29]', async () => {
    for (const search of ['', '?show=orders', '?show=report']) {
      await using shop = await open({ search, key: null })
      const asked: string[] = []
      shop.page.on('request', (request) => {
        const [, path] = request.url().split('/v1')
        if (path) asked.push(path)
      })
      await shop.signIn(await makeKey(...scopesFor.staff))
      await shop.says('Live')
      await settled(shop)
      assert.deepEqual(asked, [...new Set(asked)], search)
    }
  })

  test('One change by somebody else costs the page for staff at most three requests in any view [decision 29]', async () => {
    const category = freshCategory()
    const [one = 0, two = 0, three = 0] = await addNamed(category, 'Ada', 'Ben', 'Cleo')
    await order(three)
    const views = {
      [`?category=${category}`]: () => order(one),
      [`?category=${category}&pet=${two}`]: () => patch(two, { name: 'Benjamin' }),
      '?search=cle': () => addPet({ name: 'Cleopatra', categoryId: category }),
      '?show=orders': () => order(two),
      // The page reads the animal of the sale, and its change.
      '?show=report': async () => {
        const { id } = await addPet({ name: 'Sold' })
        await store.moveOrder((await order(id)).id, 'complete')
      },
    }
    for (const [search, run] of Object.entries(views)) {
      await using page = await quiet(search)
      await run()
      await becomes(async () => page.asked.length > 0, true)
      await settled(page.shop)
      assert.ok(page.asked.length <= 3, `${search}: ${page.asked.join(', ')}`)
    }
  })

  test('The page for staff reads many simultaneous changes in one refresh, and never runs two refreshes concurrently [decision 29]', async () => {
    const category = freshCategory()
    const ids = await addNamed(category, ...Array(10).fill('Busy'))
    await using page = await quiet(`?category=${category}`)
    const { shop, asked } = page
    const underWay = new Set<string>()
    let most = 0
    shop.page.on('request', (request) => {
      if (!request.url().includes('by=category')) return
      underWay.add(request.url())
      most = Math.max(most, underWay.size)
    })
    shop.page.on('requestfinished', (request) => underWay.delete(request.url()))
    await shop.page.evaluate(
      `for (let i = 0; i < 20; i++) {
        dispatchEvent(new Event('online'))
        document.dispatchEvent(new Event('visibilitychange'))
      }`,
    )
    await settled(shop)
    const counts = () => asked.filter((each) => each.includes('by=category')).length
    assert.equal(counts(), 1, asked.join(', '))
    for (const id of ids) await patch(id, { name: 'Busier' })
    await becomes(() => shop.names(), Array(10).fill('Busier'))
    await settled(shop)
    assert.ok(counts() <= 11 && most === 1, `${counts()} refreshes, ${most} at once`)
    asked.length = 0
    await settled(shop)
    assert.deepEqual(asked, [], 'it ends when the changes do')
  })

  test('A refresh waits until the refresh before it is answered, however long that takes [decision 29]', async () => {
    const category = freshCategory()
    const [id = 0] = await addNamed(category, 'Slow')
    await using page = await quiet(`?category=${category}`)
    const { shop, asked } = page
    const counts = () => asked.filter((each) => each.includes('by=category')).length
    const late = await shop.holdAnswer('**/store/inventory?by=category*')
    await patch(id, { name: 'Slower' })
    await late.held
    for (const name of ['Slower still', 'Slowest']) {
      await patch(id, { name })
      await shop.probe('soon', 1_100)
    }
    assert.equal(counts(), 1)
    await late.letGo()
    await shop.item('Slowest').waitFor()
    assert.equal(counts(), 2)
  })

  test('Typing five letters sends at most two searches, for animals as well as for orders [decision 29]', async () => {
    await order((await addPet({ name: 'Bella' })).id)
    for (const search of ['', '?show=orders']) {
      await using page = await quiet(search)
      // Types a letter every tenth of a second by the clock of the page, because on a busy machine its pauses are late
      // as well.
      await page.shop.page.evaluate(`new Promise((done) => {
        const field = document.querySelector('#search')
        const letters = [...'bella']
        const type = () => {
          field.value += letters.shift()
          field.dispatchEvent(new InputEvent('input', { bubbles: true }))
          setTimeout(letters.length > 0 ? type : done, 100)
        }
        type()
      })`)
      await page.shop.says(/found$/)
      await settled(page.shop)
      const searches = page.asked.filter((each) => each.includes('search='))
      assert.ok(searches.length <= 2, searches.join(', '))
    }
  })

  test('Opening an animal sends two requests, and its history is only requested when somebody opens it', async () => {
    const { id, categoryId } = await addPet({ name: 'Opened', categoryId: freshCategory() })
    await using page = await quiet(`?category=${categoryId}`)
    await page.shop.openItem('Opened')
    await page.shop.says('Nobody has ordered it yet.')
    await settled(page.shop)
    assert.equal(page.asked.length, 2, page.asked.join(', '))
    assert.ok(page.asked.every((each) => each.includes(String(id))))
  })

  test('The history of an animal immediately shows where it came from and what was changed [decision 29]', async () => {
    const [from, to] = [freshCategory(), freshCategory()]
    await store.nameCategory(from, `Cats ${from}`)
    await store.nameCategory(to, `Dogs ${to}`)
    await using shop = await openPet({ name: 'Moved', categoryId: from }, { key: await makeKey(...scopesFor.staff) })
    await shop.click(shop.history.locator('summary'))
    await shop.history.getByText('Added').waitFor()
    await patch(shop.id, { categoryId: to })
    await shop.history.getByText(`Moved from Cats ${from} to Dogs ${to}`).waitFor()
    await shop.expectAccessible('a history')
  })
})
