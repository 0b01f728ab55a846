/** The API reference in a real browser: finding one's way, and trying operations with a key. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { abridged, DocsPage, describeDocs } from '../support/docs-page.ts'
import { addPet } from '../support/expect.ts'
import { becomes, eventually } from '../support/patience.ts'
import { describeInFull, test } from '../support/scope.ts'
import { phone } from '../support/watched-page.ts'

describeDocs(
  'The docs page in Chromium',
  (shown) => {
    const { open } = shown
    const wrongKey = `pst_${'0'.repeat(36)}`

    describe('to a person with a key', () => {
      /** With the panel of getPet open, and the key entered unless told otherwise. */
      const openPanel = async (key: string | null = shown.service.key): Promise<DocsPage> => {
        const docs = await open({ document: abridged })
        await docs.openPanel('getPet')
        if (key !== null) await docs.enterKey(key)
        return docs
      }

      test('says at the field that a key has the wrong form or is refused, and how to get one [D314]', async () => {
        await using docs = await openPanel(null)
        const field = docs.keyField
        assert.match(await docs.text('#key-help'), /petstore keys create/)
        for (const [key, words] of [
          ['pst_short', /form is wrong/],
          [wrongKey, /refuses this key/],
        ] as const) {
          await docs.enterKey(key, words)
          assert.equal(await field.getAttribute('aria-invalid'), 'true')
        }
        await docs.enterKey(shown.service.key, 'accepts this key')
        assert.equal(await field.getAttribute('aria-invalid'), 'false')
        await docs.page.setViewportSize({ width: 1024, height: 900 })
        await docs.enterKey(wrongKey, 'refuses this key')
        const bottom = async (selector: string) =>
          docs.page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom)
        assert.ok((await bottom('#key-state')) < (await bottom('.masthead')), 'above the line')
        await docs.page.setViewportSize({ width: 1440, height: 900 })
        await docs.enterKey(shown.service.key)
        await docs.page.getByRole('button', { name: 'Show the key' }).click()
        await docs.page.getByRole('button', { name: 'Hide the key', pressed: false }).click()
      })

      test('marks and announces required inputs that are empty, and sends nothing', async () => {
        await using docs = await openPanel()
        const input = docs.input('getPet', 'petId')
        assert.equal(await input.inputValue(), '', 'no id that may exist is filled in')
        await docs.sender('getPet').click()
        await docs.announces('Required and empty: petId')
        assert.equal(await input.getAttribute('aria-invalid'), 'true')
        assert.equal(await docs.operation('getPet').locator('.answer').count(), 0)
        await docs.until(`document.activeElement.name === 'path petId'`)
      })

      test('asks before it changes anything, and sends nothing without a yes', async () => {
        await using docs = await openPanel()
        const panel = await docs.openPanel('updatePet')
        const sample = docs.operation('updatePet').locator('.try + .card code')
        assert.match((await panel.textContent()) ?? '', /It changes what is stored there; you are asked/)
        await sample.getByText('/v1/pets/{petId}').waitFor()
        await docs.input('updatePet', 'petId').fill('999999')
        await docs.input('updatePet', 'Example').selectOption('withdraw')
        await sample.getByText('"status":"pending"').waitFor()
        for (const language of ['JavaScript', 'Python', 'Go', 'curl']) {
          await docs.operation('updatePet').getByRole('tab', { name: language, exact: true }).click()
          const text = (await sample.textContent()) ?? ''
          assert.ok(text.includes('/v1/pets/999999') && text.includes('{"status":"pending"}'), text)
        }
        assert.equal(await docs.operation('updatePet').getByRole('tab', { name: 'Client' }).count(), 1)
        await panel.getByRole('button', { name: 'Execute' }).click()
        const question = panel.getByRole('alertdialog')
        const asked = await question.innerText()
        assert.match(asked, /Send it\?\s+PATCH http:\S+\/v1\/pets\/999999\n\{\n {2}"status": "pending"\n\}/)
        await question.getByRole('button', { name: 'Cancel' }).click()
        assert.equal(await question.count(), 0)
        assert.equal(await panel.getByRole('button', { name: 'Execute' }).count(), 1, 'nothing is under way')
        assert.match((await docs.execute('updatePet')).status, /^404/)
        await docs.input('getPet', 'petId').fill('999999')
        await docs.execute('getPet')
        assert.equal(await docs.page.getByRole('alertdialog').count(), 0, 'reading needs no yes')
      })

      test('fills in no id that may exist, also not in a body', async () => {
        await using docs = await openPanel()
        const panel = await docs.openPanel('placeOrder')
        assert.equal(await docs.input('placeOrder', 'Body').inputValue(), '')
        await panel.getByRole('button', { name: 'Execute' }).click()
        await panel.getByText('Enter a body.').waitFor()
        await docs.input('placeOrder', 'Body').fill('{"petId": 999999}')
        assert.match((await docs.execute('placeOrder')).body, /unknown_pet/)
      })

      test('sends lists, choices and bodies as they are entered', async () => {
        await using docs = await openPanel()
        await addPet(shown.service, { name: 'Mr. Shown' })
        await docs.openPanel('listPets')
        await docs.input('listPets', 'status').selectOption('Not set')
        await docs.input('listPets', 'status').selectOption('available')
        await docs.input('listPets', 'id', true).fill('1, 2')
        const { status, body, curl } = await docs.execute('listPets')
        assert.match(status, /^200/)
        assert.match(body, /"name": "Mr\. Shown"/)
        assert.match(curl, /pets\?status=available&id=1,2'/)
        await docs.openPanel('createPet')
        await docs.input('createPet', 'Example').selectOption('required-only')
        await docs.input('createPet', 'Body').fill('{"name":"It\'s","categoryId":1}')
        const created = await docs.execute('createPet')
        assert.match(created.status, /^201 Created/)
        assert.ok(created.curl.endsWith(`-d '{"name":"It'\\''s","categoryId":1}'`), created.curl)
        await docs.input('createPet', 'Body').fill('@file')
        assert.ok((await docs.execute('createPet')).curl.endsWith(`--data-raw '@file'`))
        await docs.input('createPet', 'Body').fill('{')
        assert.match((await docs.execute('createPet')).body, /malformed_json/)
      })

      test('says at the field when a response refuses the key, and asks for a key first', async () => {
        await using docs = await openPanel(null)
        await docs.input('getPet', 'petId').fill('999999')
        await docs.keyField.fill(wrongKey)
        await docs.execute('getPet')
        await docs.saysOfKey('refuses this key')
        await docs.keyField.fill(shown.service.key)
        await docs.page.route('**/pets/*', (route) => route.fulfill({ status: 401, body: '{"message":"of a proxy' }))
        await docs.sender('getPet').click()
        await docs.saysOfKey('refuses this key')
        await docs.keyField.fill('')
        await docs.sender('getPet').click()
        await docs.operation('getPet').getByText('It needs an API key').waitFor()
        await docs.input('getPet', 'API key').fill(shown.service.key)
        assert.equal(await docs.keyField.inputValue(), shown.service.key, 'at hand, on a phone too')
        await docs.keyField.fill('')
        assert.ok(await docs.page.locator('#key-help').isVisible())
      })

      test('copies a sample', async () => {
        await using docs = await openPanel(null)
        await docs.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await docs.operation('deletePet').getByRole('button', { name: 'Copy Request' }).click()
        await docs.announces('Copied Request')
        const sample = await docs.operation('deletePet').locator('.card code').first().textContent()
        assert.equal(await docs.page.evaluate('navigator.clipboard.readText()'), sample)
      })

      test('keeps a key that the service has accepted until the tab is closed, and no other [D314]', async () => {
        await using docs = await openPanel()
        await docs.operation('getPet').getByRole('tab', { name: 'Python', exact: true }).first().click()
        await docs.until(`sessionStorage['petstore.key'] === '${shown.service.key}'`)
        await docs.keyField.fill('pst_typed')
        const session = { 'petstore.key': shown.service.key }
        assert.deepEqual(await docs.probe('kept'), {
          local: { 'petstore.language': 'Python' },
          session,
          databases: [],
          cookie: '',
        })
        await docs.page.reload()
        await docs.until(`document.querySelector('#key')?.value === '${shown.service.key}'`)
      })
    })

    test('follows the scroll, leads to each part by its address, and back [D314]', async () => {
      await using docs = await open({ path: '/docs#placeOrder', document: abridged })
      const current = docs.page.locator('[aria-current]')
      await current.getByText('Order an animal').waitFor()
      await docs.untilInView('#placeOrder')
      await docs.page.reload()
      await current.getByText('Order an animal').waitFor()
      await docs.page.locator('#contents').getByRole('link', { name: 'List animals' }).click()
      await current.getByText('List animals').waitFor()
      await docs.untilInView('#listPets')
      await docs.page.goBack()
      await current.getByText('Order an animal').waitFor()
      await docs.untilInView('#placeOrder')
      await docs.page.evaluate(`document.getElementById('getOrder').scrollIntoView()`)
      await current.getByText('Get an order').waitFor()
      await docs.page.goto(`${shown.service.url}/docs#/animals/updatePet`)
      await current.getByText('Change an animal').waitFor()
      await docs.operation('listPets').getByText('limit', { exact: true }).first().hover()
      await docs.operation('listPets').getByRole('link', { name: 'Link to limit' }).click()
      await docs.page.waitForURL(/#listPets-query-limit$/)
      await current.getByText('List animals').waitFor()
      await docs.untilInView('#listPets-query-limit')
      await docs.operation('listPets').getByRole('link', { name: 'PetStatus' }).first().click()
      await current.getByText('PetStatus').waitFor()
      await docs.page.goto(`${shown.service.url}/docs#tag-store`)
      await becomes(() => current.count(), 1)
      await docs.page.goto(`${shown.service.url}/docs#%E0%A4%A`)
      await docs.page.reload()
      // The page is drawn after it has loaded, when the document is there.
      await docs.operation('getOrder').waitFor()
      await docs.page.evaluate(`document.getElementById('getOrder').scrollIntoView()`)
      await current.getByText('Get an order').waitFor()
    })

    test('has guides, found by their words or address, with code in the language of all samples [D337]', async () => {
      await using docs = await open()
      await docs.search('pagination')
      await docs.page.keyboard.press('Enter')
      await docs.page.waitForURL(/#pages$/)
      // The list is whole again.
      await docs.page.locator('#search').fill('')
      const current = docs.page.locator('[aria-current]')
      await current.getByText('Pages', { exact: true }).waitFor()
      await docs.untilInView('#pages')
      await docs.page.locator('#pages').getByRole('tab', { name: 'Python' }).click()
      const code = (guide: string) => docs.page.locator(`#${guide} .card code`).last().textContent()
      const url = `url = "${shown.service.url}/v1/pets?limit=100"`
      await eventually(
        () => code('pages'),
        (text) => text?.includes(url) === true,
      )
      assert.match((await code('webhooks')) ?? '', /^# WEBHOOK_SECRET=whsec_… python3 receiver\.py\n/)
      await docs.page.locator('#events').getByRole('link', { name: 'page', exact: true }).click()
      await docs.page.waitForURL(/#pages$/)
      // Read on, elsewhere and back: to the same place, also after a reload, whatever comes later.
      await docs.page.evaluate(`document.querySelector('#pages .card:last-child').scrollIntoView()`)
      const place = () => docs.page.locator('#pages').evaluate((part) => Math.round(part.getBoundingClientRect().top))
      const kept = await place()
      await docs.until(`history.state?.id === 'pages' && Math.round(history.state.top) === ${kept}`)
      await docs.page.locator('#contents').getByRole('link', { name: 'Order an animal' }).click()
      await current.getByText('Order an animal').waitFor()
      await docs.page.goBack()
      await current.getByText('Pages', { exact: true }).waitFor()
      await eventually(place, (top) => Math.abs(top - kept) < 2)
      await docs.page.reload()
      await current.getByText('Pages', { exact: true }).waitFor()
      await eventually(place, (top) => Math.abs(top - kept) < 2)
      const ids = await docs.page.evaluate<string[]>(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`)
      assert.equal(new Set(ids).size, ids.length, 'no id twice')
    })

    test('finds operations, errors and schemas with /, and is used by keyboard alone', async () => {
      await using docs = await open({ document: abridged })
      await docs.search('order_not_found')
      await docs.announces(/\d found/)
      await docs.page.keyboard.press('Enter')
      await docs.page.waitForURL(/#getOrder$/)
      await docs.search('nowhere')
      await docs.page.locator('.list').getByText('0 found').waitFor()
      assert.equal(await docs.page.locator('#search').inputValue(), 'nowhere')
      await docs.page.locator('#search').fill('order')
      const first = docs.page.locator('.list a').first()
      await first.waitFor()
      await docs.page.keyboard.press('ArrowDown')
      await first.and(docs.page.locator(':focus')).waitFor()
      await docs.page.keyboard.press('Escape')
      await becomes(() => docs.page.locator('#search').inputValue(), '')
      await docs.keyField.focus()
      for (let i = 0; i < 12; i++) {
        await docs.page.keyboard.press('Tab')
        assert.equal(await docs.probe('outline'), 'solid', `after ${i + 1} steps`)
      }
    })

    test('calls the service by the name under which it was opened, and leads to the shop and back', async () => {
      await using docs = await DocsPage.open(shown.pages, `http://localhost:${shown.service.port}`, { viewport: phone })
      await docs.enterKey(shown.service.key)
      await docs.openPanel('listCategories')
      assert.match((await docs.execute('listCategories')).curl, /localhost/)
      await docs.page.getByRole('link', { name: 'The shop, for staff' }).click()
      // With the same key.
      await docs.page.getByRole('button', { name: 'Sign out' }).click()
      await docs.page.getByRole('link', { name: 'API reference' }).click()
      await docs.operation('listPets').waitFor()
    })

    test('keeps the language, follows with its title, and says what it does not have [D412]', async () => {
      await using docs = await open({ path: '/docs#nothing-here', viewport: { width: 820, height: 1000 } })
      await docs.page.getByRole('alert').getByText('Nothing here is called “nothing-here”.').waitFor()
      assert.equal(await docs.page.title(), 'Pet Store API')
      assert.ok(await docs.page.locator('#contents').isVisible(), 'the list, on a tablet')
      await docs.operation('createPet').getByRole('tab', { name: 'Python' }).click()
      const webhooks = docs.page.locator('#contents details', { hasText: 'webhook events' })
      assert.equal(await webhooks.getByRole('link', { name: 'An order was placed' }).count(), 1)
      await webhooks.locator('summary').click()
      assert.ok(!(await webhooks.getByRole('link').first().isVisible()), 'folded')
      const fold = () => docs.page.locator('main summary', { hasText: /^store/ }).click()
      await fold()
      assert.ok(!(await docs.operation('placeOrder').isVisible()), 'folded until a link leads into it')
      await docs.page.locator('#contents').getByRole('link', { name: 'Order an animal' }).click()
      await docs.until(`document.title === 'Order an animal · Pet Store API'`)
      await docs.page.locator('#contents').getByRole('link', { name: 'Add an animal' }).click()
      await fold()
      await docs.page.goBack()
      await docs.operation('placeOrder').getByRole('heading', { name: 'Order an animal' }).waitFor()
      assert.equal(await docs.page.getByRole('alert').count(), 0)
      await docs.page.reload()
      await docs.page.locator('article').first().waitFor()
      const tab = docs.operation('listPets').getByRole('tab', { name: 'Python' })
      assert.equal(await tab.getAttribute('aria-selected'), 'true')
    })

    test('says what a browser cannot send, that the service is gone, and that there is no document', async () => {
      await using docs = await open({ document: abridged })
      await docs.enterKey(shown.service.key)
      await docs.openPanel('createPet')
      await docs.operation('createPet').getByText('Optional headers').click()
      await docs.input('createPet', 'Idempotency-Key').fill('🐕')
      await docs.send('createPet')
      await docs.operation('createPet').getByText('A browser cannot send this').waitFor()
      await docs.input('createPet', 'Idempotency-Key').fill('')
      await docs.page.route('**/v1/pets', (route) => route.abort())
      await docs.send('createPet')
      await docs.operation('createPet').getByText('The service cannot be reached.').waitFor()
      await docs.page.route('**/openapi.json', (route) => route.fulfill({ status: 503 }))
      await docs.page.reload()
      await docs.page.getByRole('alert').getByText('could not be loaded (openapi.json: 503)').waitFor()
    })
  },
  describeInFull,
)
