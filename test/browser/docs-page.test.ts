/** The pages of the reference in a real browser: navigation, and trying operations with a key. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { DocsPage, describeDocs } from '../../harness/docs-page.ts'
import { addPet } from '../../harness/expect.ts'
import { becomes, eventually } from '../../harness/patience.ts'
import { describeInFull, test } from '../../harness/scope.ts'
import { phone } from '../../harness/watched-page.ts'
import { operations } from '../../src/app.ts'

describeDocs(
  'A page of the reference in Chromium',
  (shown) => {
    const { open } = shown
    const wrongKey = `pst_${'0'.repeat(36)}`

    describe('for a person with a key', () => {
      /** Opens the page with the panel of getPet, and enters the key. */
      const openPanel = async (): Promise<DocsPage> => {
        const docs = await open('/docs/animals')
        await docs.openPanel('getPet')
        await docs.enterKey(shown.service.key)
        return docs
      }

      test('The reference says at the field of the key that a key cannot be sent or is refused, and how to get one [decision 30]', async () => {
        await using docs = await open('/docs')
        await docs.openKey()
        assert.match(await docs.text('#key-help'), /petstore keys create/)
        for (const [key, words] of [
          ['pst short', /no spaces/],
          ['pst_short', /refuses this key/],
          [wrongKey, /refuses this key/],
        ] as const) {
          await docs.keyField.fill(key)
          await docs.page.keyboard.press('Enter')
          await docs.saysOfKey(words)
          assert.equal(await docs.keyField.getAttribute('aria-invalid'), 'true')
        }
        await docs.expectAccessible('a wrong key', '#key-dialog')
        await docs.enterKey(shown.service.key)
        await docs.page.getByRole('button', { name: 'API key entered' }).click()
        await docs.saysOfKey('until the last tab is closed')
        await docs.expectAccessible('an accepted key', '#key-dialog')
        await docs.page.getByRole('button', { name: 'Sign out' }).click()
        await docs.page.getByRole('button', { name: 'Close' }).click()
        await docs.page.getByRole('button', { name: 'Enter API key' }).waitFor()
      })

      test('The reference shows the key only while “Show” is pressed, never in a sample or a panel [decision 30]', async () => {
        await using docs = await openPanel()
        await docs.input('getPet', 'petId').fill('999999')
        await docs.execute('getPet')
        assert.ok(!(await docs.text()).includes(shown.service.key))
        await docs.openKey()
        assert.equal(await docs.keyField.getAttribute('type'), 'password')
        await docs.page.getByRole('button', { name: 'Show' }).click()
        assert.equal(await docs.keyField.getAttribute('type'), 'text')
        await docs.page.keyboard.press('Escape')
        await docs.openKey()
        assert.equal(await docs.keyField.getAttribute('type'), 'password', 'concealed again')
        const inputs = await docs.page.evaluate<string[]>(
          `[...document.querySelectorAll('input:not(#key), textarea')].map(({ value }) => value)`,
        )
        assert.ok(!JSON.stringify(inputs).includes(shown.service.key))
      })

      test('The reference keeps only a key that the service has accepted, until the tab is closed [decision 30]', async () => {
        await using docs = await openPanel()
        await docs.operation('getPet').locator('.sample').getByText('Python', { exact: true }).click()
        await docs.openKey()
        await docs.keyField.fill('pst_typed')
        const kept = { local: { 'petstore.language': 'Python' }, session: { 'petstore.key': shown.service.key } }
        assert.deepEqual(await docs.probe('kept'), { ...kept, databases: [], cookie: '' })
        await docs.page.goto(`${docs.url}/docs/orders`)
        await docs.page.getByRole('button', { name: 'API key entered' }).waitFor()
        // The chosen language is also kept.
        assert.match(await docs.sample('placeOrder'), /^import os/)
      })

      test('The reference marks and announces required inputs that are empty, and sends nothing', async () => {
        await using docs = await openPanel()
        const input = docs.input('getPet', 'petId')
        await input.fill('')
        await docs.sender('getPet').click()
        await docs.announces('Required and empty: petId')
        assert.equal(await input.getAttribute('aria-invalid'), 'true')
        assert.ok(!(await docs.operation('getPet').locator('.answer').isVisible()))
        await docs.until(`document.activeElement.name === 'path petId'`)
      })

      test('The reference sends a request that changes something only after it was confirmed', async () => {
        await using docs = await openPanel()
        const panel = await docs.openPanel('updatePet')
        assert.match((await panel.textContent()) ?? '', /It changes what is stored there; you are asked/)
        await docs.input('updatePet', 'petId').fill('999999')
        await docs.input('updatePet', 'Example').selectOption('withdraw')
        for (const language of ['JavaScript', 'Python', 'Go', 'curl']) {
          await docs.operation('updatePet').locator('.sample').getByText(language, { exact: true }).click()
          const text = await docs.sample('updatePet')
          assert.ok(text.includes('/v1/pets/999999') && text.includes('{"status":"pending"}'), text)
        }
        await docs.sender('updatePet').click()
        const question = docs.page.locator('#question')
        assert.match(
          await question.innerText(),
          /Send it\?[\s\S]+PATCH http:\S+\/v1\/pets\/999999\n\{\n {2}"status": "pending"\n\}/,
        )
        await docs.expectAccessible('the question', '#question')
        await question.getByRole('button', { name: 'Cancel' }).click()
        assert.ok(!(await question.isVisible()))
        assert.ok(!(await docs.operation('updatePet').locator('.answer').isVisible()))
        assert.match((await docs.execute('updatePet')).status, /^404/)
        assert.match((await docs.execute('getPet')).status, /^(?:200|404)/, 'reading needs no yes')
      })

      test('The reference scrolls to the response, which shows every digit of an int64', async () => {
        await using docs = await openPanel()
        const { json } = await shown.service.call('POST', '/pets', {
          body: '{"name":"Big \u202eturned","categoryId":9223372036854775807}',
        })
        await docs.input('getPet', 'petId').fill(String(json.id))
        const { status, body } = await docs.execute('getPet')
        assert.match(status, /^200 OK \d+ ms · \d+ bytes$/)
        assert.match(body, /"categoryId": 9223372036854775807,/)
        await docs.untilInView('#getPet .outcome')
        assert.ok(
          await docs.probe('isBeforeNext', '#getPet .answer .string:has(+ .member)'),
          'a name turns what follows',
        )
        await docs.announces(/Response 200 OK after/)
        await docs.sender('getPet').and(docs.page.locator(':focus')).waitFor()
        await docs.expectAccessible('a response', '#getPet')
      })

      test('The reference sends lists, choices and bodies as they are entered', async () => {
        await using docs = await openPanel()
        await addPet(shown.service, { name: 'Mr. Shown' })
        await docs.openPanel('listPets')
        await docs.input('listPets', 'limit', true).fill('')
        await docs.input('listPets', 'id', true).fill('1, 2')
        const { status, body } = await docs.execute('listPets')
        assert.match(status, /^200/)
        assert.match(body, /^\[/)
        assert.match(await docs.sample('listPets'), /pets\?status=available&id=1,2'/)
        await docs.openPanel('createPet')
        await docs.input('createPet', 'Body').fill('{"name":"It\'s","categoryId":1}')
        assert.match((await docs.execute('createPet')).status, /^201 Created/)
        const sample = await docs.sample('createPet')
        assert.ok(sample.endsWith(`-d '{"name":"It'\\''s","categoryId":1}'`), sample)
        await docs.input('createPet', 'Body').fill('@file')
        assert.match((await docs.execute('createPet')).body, /malformed_json/)
        assert.ok((await docs.sample('createPet')).endsWith(`--data-raw '@file'`))
      })

      test('The reference explains why a request could not be sent, why a key is refused, and that the service is away', async () => {
        await using docs = await openPanel()
        await docs.openPanel('createPet')
        await docs.operation('createPet').getByText('Optional headers').click()
        await docs.input('createPet', 'Idempotency-Key').fill('🐕')
        assert.match((await docs.execute('createPet')).status, /A browser cannot send this/)
        await docs.input('createPet', 'Idempotency-Key').fill('')
        await docs.page.route('**/v1/pets', (route) => route.abort())
        assert.match((await docs.execute('createPet')).status, /The service cannot be reached\./)
        await docs.page.route('**/pets/*', (route) => route.fulfill({ status: 401, body: '{"message":"of a proxy' }))
        await docs.sender('getPet').click()
        await docs.saysOfKey('refuses this key')
      })
    })

    test('The reference asks for a key when a request needs one, and then sends the request', async () => {
      await using docs = await open('/docs/keys', { viewport: phone })
      await docs.openPanel('getMe')
      await docs.sender('getMe').click()
      await docs.saysOfKey('This request needs an API key')
      await docs.enterKey(shown.service.key)
      assert.match((await docs.execute('getMe')).body, /"scopes"/)
    })

    test('The panels of the reference initially contain what the samples send, in every language', async () => {
      const pages = new Map<string, string[]>()
      await using docs = await open('/docs')
      for (const { id, hideTryItPanel } of operations) {
        const href = await docs.page.locator(`#contents a[href$="#${id}"]`).getAttribute('href')
        const [path = ''] = href?.split('#') ?? []
        if (!hideTryItPanel) pages.set(path, [...(pages.get(path) ?? []), id])
      }
      for (const [path, ids] of pages) {
        await docs.page.goto(docs.url + path)
        for (const id of ids) {
          const samples = () => docs.operation(id).locator('.sample pre').allTextContents()
          const before = await samples()
          await docs.openPanel(id)
          assert.deepEqual(await samples(), before, id)
        }
        await docs.expectAccessible(`${path} with its panels`)
      }
    })

    test('The reference marks the part in view in its contents, and links and the back button lead to each part [decision 30]', async () => {
      await using docs = await open('/docs/orders#placeOrder')
      const current = docs.page.locator('[aria-current=true]')
      await docs.untilInView('#placeOrder')
      await current.getByText('Order an animal').waitFor()
      await docs.page.locator('#contents').getByRole('link', { name: 'Get an order' }).click()
      await docs.untilInView('#getOrder')
      await current.getByText('Get an order').waitFor()
      await docs.page.goBack()
      await docs.untilInView('#placeOrder')
      await docs.operation('placeOrder').getByRole('link', { name: 'pet_not_available', exact: true }).first().click()
      await docs.page.waitForURL(/\/docs\/errors#pet_not_available$/)
      assert.equal(await docs.page.title(), 'Errors · Pet Store API')
      await docs.untilInView('#pet_not_available')
    })

    for (const [former, now] of [
      ['/docs#listPets', '/docs/animals#listPets'],
      ['/docs#/animals/updatePet', '/docs/animals#updatePet'],
      ['/docs#filters-and-search', '/docs/guides/filters-and-search'],
      ['/docs#errors', '/docs/errors'],
      ['/docs#schema-Pet', '/docs/animals#Pet'],
    ])
      test(`The reference redirects from the former address ${former} to ${now} [decision 30]`, async () => {
        await using docs = await open(former as string)
        await docs.page.waitForURL(docs.url + now)
      })

    test('The reference finds operations, guides and errors after a slash is typed, with the keyboard alone', async () => {
      await using docs = await open('/docs')
      await docs.search('order_not_found')
      await docs.announces(/^\d found/)
      await docs.expectAccessible('a search', '.search')
      await docs.page.keyboard.press('Enter')
      await docs.page.waitForURL(/errors#order_not_found$/)
      await docs.search('OrderEvent')
      await docs.page.locator('#found li').filter({ hasText: 'OrderEvent' }).first().waitFor()
      // The search ignores words that every question contains, and punctuation.
      for (const question of ['how do I search orders?', 'orders, search']) {
        await docs.page.locator('#search').fill('nothing yet')
        await docs.page.locator('#found').getByText('Nothing found').waitFor()
        await docs.page.locator('#search').fill(question)
        await docs.page.locator('#found a').first().getByText('Filters and search').waitFor()
      }
      await docs.page.locator('#search').fill('nowhere')
      await docs.page.locator('#found').getByText('Nothing found').waitFor()
      await docs.page.locator('#search').fill('pagination')
      const first = docs.page.locator('#found a').first()
      await first.getByText('Pages').waitFor()
      await docs.page.keyboard.press('ArrowDown')
      await first.and(docs.page.locator(':focus')).waitFor()
      await docs.page.keyboard.press('Escape')
      await becomes(() => docs.page.locator('#search').inputValue(), '')
      for (let i = 0; i < 12; i++) {
        await docs.page.keyboard.press('Tab')
        const isSeen = await docs.page.evaluate(`document.activeElement.matches('.bar input')`)
        if (!isSeen) assert.equal(await docs.probe('outline'), 'solid', `after ${i + 1} steps`)
      }
    })

    test('The reference copies the sample that is shown', async () => {
      await using docs = await open('/docs/animals')
      await docs.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await docs.operation('deletePet').locator('.sample').getByText('Go', { exact: true }).click()
      await docs.operation('deletePet').getByRole('button', { name: 'Copy Request' }).click()
      await docs.announces('Copied Request')
      assert.equal(await docs.page.evaluate('navigator.clipboard.readText()'), await docs.sample('deletePet'))
    })

    test('The guides of the reference show code in the chosen language, and link to each other [decision 30]', async () => {
      await using docs = await open('/docs/guides/pages')
      await docs.page.locator('.sample').getByText('Python', { exact: true }).click()
      const code = docs.page.locator('.sample pre').filter({ visible: true })
      await eventually(
        () => code.allTextContents(),
        (texts) => texts.some((text) => text.includes(`url = "${shown.service.url}/v1/pets?limit=100"`)),
      )
      await docs.page.goto(`${docs.url}/docs/guides/events`)
      await docs.page.getByRole('link', { name: 'page', exact: true }).click()
      await docs.page.waitForURL(/\/docs\/guides\/pages$/)
      await docs.page.goto(`${docs.url}/docs/animals`)
      assert.match(await docs.sample('createPet'), /^import os/)
    })

    test('The reference calls the service under the name in the address bar, and links to the shop and back', async () => {
      const url = `http://localhost:${shown.service.port}`
      await using docs = await DocsPage.open(shown.pages, url, { path: '/docs/categories', viewport: phone })
      await docs.enterKey(shown.service.key)
      await docs.openPanel('listCategories')
      assert.match((await docs.execute('listCategories')).status, /^200/)
      assert.match(await docs.sample('listCategories'), /localhost/)
      await docs.page.getByRole('link', { name: 'Shop' }).click()
      // The shop is signed in with the same key.
      await docs.page.getByRole('button', { name: 'Sign out' }).click()
      await docs.page.getByRole('link', { name: 'API reference' }).click()
      await docs.page.getByRole('heading', { name: 'Pet Store API' }).waitFor()
    })
  },
  describeInFull,
)
