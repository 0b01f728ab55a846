/** The API reference in a real browser: a person with a key, on a desk and on a phone, by day and by night. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { DocsPage } from '../support/docs-page.ts'
import { addPet } from '../support/expect.ts'
import { type Node, operationsOf } from '../support/openapi.ts'
import { projectFile } from '../support/project.ts'
import { testInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { strangeDocument } from '../support/strange-document.ts'

const chromium = findChromium('The tests of the docs page')
const phone = { width: 390, height: 844 }
const desk = { width: 1440, height: 900 }
const ours: Node = JSON.parse(projectFile('openapi.json'))
const operations = operationsOf(ours)
const only = (node: Node, names: RegExp) =>
  Object.fromEntries(Object.entries<Node>(node).filter(([name]) => names.test(name)))
/** A few operations with all kinds of parts: axe-core takes ten times as long for the whole document. */
const abridged = {
  ...ours,
  paths: only(ours.paths, /^\/(?:pets|store\/orders)(?:\/\{\w+\})?$/),
  components: { ...ours.components, schemas: only(ours.components.schemas, /Pet|Order|Error/) },
}

/** Without marks of Markdown and white space, so that a text compares with how it is shown. */
const bare = (text: string): string =>
  text.replaceAll(/\]\([^)\s]+\)/g, '').replaceAll(/[\s`*_|<>[\]\\#-]+|^\d\. /gm, '')

const named = ['properties', 'patternProperties', 'headers', 'schemas', 'responses']
const notForPeople =
  /^(?:x-(?:codeSamples|hideTryIt.*)|operationId|\$ref|in|style|explode|openapi|securitySchemes|tags|security|callbacks)$/

/** Everything that a document says to people: names, words, values; `name` is the member that holds the node. */
function* saidIn(node: Node, name = ''): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* saidIn(each, name)
  else if (typeof node === 'object' && node !== null)
    for (const [member, value] of Object.entries(node)) {
      if (named.includes(name)) yield member
      if (!notForPeople.test(member)) yield* saidIn(value, member)
    }
  else if (/^(?:description|summary|name|title|enum|const|value|code|message|x-.*)$/.test(name)) yield String(node)
}

function expectAllIn(text: string, document: Node): void {
  const shown = bare(text)
  const { responses, headers, ...components } = document.components
  for (const said of saidIn({ ...document, components }))
    for (const part of said.split(/\n+/)) assert.ok(shown.includes(bare(part)), `“${part}” is not on the page`)
}

if (chromium)
  describe('The docs page in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options = {}) => DocsPage.open(browser, service.url, options)

    describe('to a person with a key', () => {
      let docs: DocsPage
      before(async () => {
        docs = await open()
      })
      after(() => docs?.[Symbol.asyncDispose]())

      test('shows every operation, parameter, schema and error of the document, and the samples of each language', async () => {
        expectAllIn(await docs.text(), ours)
        const anywhere = (text = '') => text.trimEnd().replaceAll(/:\d+\/v1/g, '')
        const shown = await docs.page.locator('.beside > .card:nth-of-type(1), .try + .card').allTextContents()
        for (const { node } of operations) {
          const [curl] = node['x-codeSamples']
          assert.ok(
            shown.some((text) => anywhere(text).endsWith(anywhere(curl.source))),
            curl.source,
          )
        }
        for (const { label, source } of operations[1]?.node['x-codeSamples'] ?? []) {
          await docs.operation('createPet').getByRole('tab', { name: label, exact: true }).click()
          const shown = await docs.operation('createPet').locator('.card code').first().textContent()
          assert.equal(shown?.split('\n').at(-1), source.trimEnd().split('\n').at(-1), label)
          assert.equal(
            await docs.operation('listPets').getByRole('tab', { selected: true }).first().textContent(),
            label,
          )
        }
      })

      test('says at the field that a key has the wrong form or is refused, and how to get one', async () => {
        const field = docs.keyField
        const state = docs.page.locator('#key-state')
        assert.match(await docs.text('#key-help'), /petstore keys create/)
        for (const [key, words] of [
          ['pst_short', /form is wrong/],
          [`pst_${'0'.repeat(36)}`, /refuses this key/],
        ] as const) {
          await field.fill(key)
          await docs.page.keyboard.press('Enter')
          await state.getByText(words).waitFor()
          assert.equal(await field.getAttribute('aria-invalid'), 'true')
        }
        await docs.enterKey(service)
        await state.getByText('accepts this key').waitFor()
        assert.equal(await field.getAttribute('aria-invalid'), 'false')
      })

      test('marks and announces required inputs that are empty, and sends nothing', async () => {
        await docs.openPanel('getPet')
        const input = docs.input('getPet', 'petId')
        assert.equal(await input.inputValue(), '42')
        await input.fill('')
        await docs.operation('getPet').getByRole('button', { name: 'Execute' }).click()
        await docs.page.getByRole('status').getByText('Required and empty: petId').waitFor({ state: 'attached' })
        assert.equal(await input.getAttribute('aria-invalid'), 'true')
        assert.equal(await docs.operation('getPet').locator('.answer').count(), 0)
        assert.equal(await docs.page.evaluate('document.activeElement.name'), 'path petId')
      })

      test('brings the response into view, with every digit of an int64, and never shows the key', async () => {
        const { json } = await service.call('POST', '/pets', {
          body: '{"name":"Big","categoryId":9223372036854775807}',
        })
        await docs.input('getPet', 'petId').fill(String(json.id))
        const { status, body, curl } = await docs.execute('getPet')
        assert.match(status, /^200 OK \d+ ms · \d+ bytes$/)
        assert.match(body, /"categoryId": 9223372036854775807,/)
        assert.match(curl, /^curl '.*\/v1\/pets\/\d+' \\\n {2}-H "Authorization: Bearer \$PETSTORE_KEY"$/)
        assert.ok(await docs.probe('isInView', '#getPet .answer'))
        assert.ok(!(await docs.text()).includes(service.key))
        await docs.page
          .getByRole('status')
          .getByText(/Response 200 OK after/)
          .waitFor({ state: 'attached' })
      })

      testInFull('sends lists, choices and bodies as they are entered', async () => {
        await addPet(service, { name: 'Mr. Shown' })
        await docs.openPanel('listPets')
        await docs.input('listPets', 'status').selectOption('available')
        await docs.input('listPets', 'id', true).fill('1, 2')
        const { status, body, curl } = await docs.execute('listPets')
        assert.match(status, /^200/)
        assert.match(body, /"name": "Mr\. Shown"/)
        assert.match(curl, /pets\?status=available&id=1,2'/)
        await docs.openPanel('createPet')
        await docs.input('createPet', 'Example').selectOption('least')
        await docs.input('createPet', 'Body').fill('{"name":"It\'s","categoryId":1}')
        const created = await docs.execute('createPet')
        assert.match(created.status, /^201 Created/)
        assert.ok(created.curl.endsWith(`-d '{"name":"It'\\''s","categoryId":1}'`), created.curl)
        await docs.input('createPet', 'Body').fill('{')
        assert.match((await docs.execute('createPet')).body, /malformed_json/)
      })

      testInFull('says at the field when a response refuses the key, and asks for a key first', async () => {
        await docs.keyField.fill(`pst_${'0'.repeat(36)}`)
        await docs.execute('getPet')
        await docs.page.locator('#key-state').getByText('refuses this key').waitFor()
        await docs.keyField.fill('')
        await docs.operation('getPet').getByRole('button', { name: 'Execute' }).click()
        await docs.operation('getPet').getByText('It needs an API key').waitFor()
      })

      testInFull('copies a sample', async () => {
        await docs.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await docs.operation('deletePet').getByRole('button', { name: 'Copy Request' }).click()
        await docs.page.getByRole('status').getByText('Copied Request').waitFor({ state: 'attached' })
        assert.equal(
          await docs.page.evaluate('navigator.clipboard.readText()'),
          await docs.operation('deletePet').locator('.card code').first().textContent(),
        )
      })

      test('keeps the key in memory only', async () => {
        assert.deepEqual(await docs.probe('kept'), { local: {}, session: {}, databases: [], cookie: '' })
        await docs.page.reload()
        assert.equal(await docs.keyField.inputValue(), '')
      })
    })

    test('shows every feature of a document that it has never seen, and runs nothing that is in it', async () => {
      await using docs = await open({ document: strangeDocument })
      const text = await docs.text()
      expectAllIn(text, strangeDocument)
      for (const words of [
        ...[
          'string or null (date)',
          'array of Tree',
          'always always this',
          'at most 1 character',
          'at most 77 characters',
          'no item twice',
        ],
        ...[
          'Tree or object or string',
          'anything but string',
          'array of string then number',
          'a multiple of 2',
          'any value',
        ],
        ...[
          'Needs no key.',
          'x-unheard-of',
          'contentEncoding base64',
          '4XX',
          'default',
          '/v9',
          'Odd License',
          'As above: Tree',
        ],
        ...[
          '<script>alert(2)</script>',
          '[trap](javascript:alert(1))',
          'a|b',
          'HEAD /strange/{first}/{second}',
          'somebody@example.com',
        ],
      ])
        assert.ok(text.includes(words), words)
      assert.equal(await docs.page.locator('main li li').getByText('inside it').count(), 1)
      assert.equal(await docs.page.locator('main script, main a[href^="javascript"], main b').count(), 0)
      const sample = await docs.operation('search-2').locator('.card code').first().textContent()
      assert.match(
        sample ?? '',
        /^curl -X PUT \\\n {2}'[^']*\/strange\/a%20b\/x' \\\n {2}-H "X-Odd-Key: \$PETSTORE_KEY"/,
      )
      await docs.keyField.fill('odd')
      await docs.openPanel('search-2')
      await docs.input('search-2', 'many').fill('1,2')
      await docs.input('search-2', 'piped').fill('p,q')
      await docs.input('search-2', 'X-Must').fill('yes')
      await docs.input('search-2', 'second').selectOption('y')
      assert.match((await docs.execute('search-2')).curl, /\?many=1&many=2&piped=p\|q'/)
    })

    for (const viewport of [phone, desk])
      for (const colorScheme of ['dark', 'light'] as const) {
        const isQuick = viewport === phone && colorScheme === 'dark'
        const run = isQuick ? test : testInFull
        run(`is accessible at ${viewport.width} pixels in the ${colorScheme}, in every state`, async () => {
          await using docs = await open({ viewport, colorScheme, document: strangeDocument })
          const id = 'search-2'
          const execute = docs.operation(id).getByRole('button', { name: 'Execute' })
          assert.equal(await docs.probe('isLight'), colorScheme === 'light')
          await docs.openPanel(id)
          await docs.input(id, 'Body').fill('')
          await execute.click()
          await docs.unfoldAll()
          await docs.expectAccessible('all unfolded; a key and inputs are missing')
          await docs.keyField.fill(service.key)
          await docs.input(id, 'second').selectOption('x')
          await docs.input(id, 'X-Must').fill('yes')
          await docs.input(id, 'Body').fill(`"${'long'.repeat(200)}"`)
          await docs.execute(id)
          await docs.unfoldAll()
          await docs.expectAccessible('a response', `#${id} .answer`)
          await docs.page.locator('main').focus()
          await docs.page.keyboard.press('/')
          await docs.page.keyboard.type('e')
          await docs.expectAccessible('a search', '.side')
          await docs.keyField.fill('wrong form')
          await docs.page.keyboard.press('Enter')
          await docs.expectAccessible('a wrong key', 'header')
        })
      }

    testInFull('is accessible with our document as well, unfolded, and no part goes beyond a phone', async () => {
      await using docs = await open({ viewport: phone, document: abridged })
      await docs.unfoldAll()
      await docs.expectAccessible('all unfolded')
      await using whole = await open({ viewport: phone })
      await whole.unfoldAll()
      assert.deepEqual(await whole.probe('beyond'), [])
    })

    test('follows the scroll, leads to each part by its address, and back', async () => {
      await using docs = await open({ path: '/docs#placeOrder', document: abridged })
      const current = docs.page.locator('[aria-current]')
      await current.getByText('Order an animal').waitFor()
      assert.ok(await docs.probe('isInView', '#placeOrder'))
      await docs.page.reload()
      await current.getByText('Order an animal').waitFor()
      await docs.page.locator('#contents').getByRole('link', { name: 'List animals' }).click()
      await current.getByText('List animals').waitFor()
      assert.ok(await docs.probe('isInView', '#listPets'))
      await docs.page.goBack()
      await current.getByText('Order an animal').waitFor()
      assert.ok(await docs.probe('isInView', '#placeOrder'))
      await docs.page.evaluate(`document.getElementById('getOrder').scrollIntoView()`)
      await current.getByText('Get an order').waitFor()
      await docs.page.goto(`${service.url}/docs#/animals/updatePet`)
      await current.getByText('Change an animal').waitFor()
      await docs.operation('listPets').getByRole('link', { name: 'PetStatus' }).first().click()
      await current.getByText('PetStatus').waitFor()
    })

    test('finds operations, errors and schemas with /, and is used by keyboard alone', async () => {
      await using docs = await open({ document: abridged })
      await docs.page.keyboard.press('/')
      await docs.page.keyboard.type('pet_not_available')
      await docs.page
        .getByRole('status')
        .getByText(/\d found/)
        .waitFor({ state: 'attached' })
      await docs.page.keyboard.press('Enter')
      await docs.page.waitForURL(/#placeOrder$/)
      await docs.page.locator('#search').fill('order')
      const first = docs.page.locator('.list a').first()
      await docs.page.keyboard.press('ArrowDown')
      assert.equal(
        await docs.page.evaluate('document.activeElement.getAttribute("href")'),
        await first.getAttribute('href'),
      )
      await docs.page.keyboard.press('Escape')
      assert.equal(await docs.page.locator('#search').inputValue(), '')
      await docs.keyField.focus()
      for (let i = 0; i < 12; i++) {
        await docs.page.keyboard.press('Tab')
        assert.equal(await docs.probe('outline'), 'solid', `after ${i + 1} steps`)
      }
    })

    testInFull(
      'offers no panel on GET /store/orders and on the stream, and says why; one on every other operation',
      async () => {
        await using docs = await open()
        for (const { id, node } of operations) {
          const hasNone = ['listOrders', 'streamEvents'].includes(id)
          assert.equal(await docs.operation(id).getByRole('button', { name: 'Try it' }).count(), hasNone ? 0 : 1, id)
          if (hasNone)
            assert.equal(await docs.operation(id).locator('.reason').textContent(), node['x-hideTryItPanelReason'])
        }
      },
    )

    testInFull('marks operations and parameters by their stability, and a deprecated one with its end', async () => {
      await using docs = await open()
      for (const { id, node } of operations) {
        const marks = await docs.operation(id).locator('.marks').textContent()
        const sunset = node['x-deprecated-sunset']
        assert.equal(marks?.trim(), sunset ? `deprecated, ends ${sunset}` : (node['x-stability'] ?? ''), id)
        const shown = await docs.operation(id).locator('.words > .fields > .field > .name').allTextContents()
        for (const [i, parameter] of node.parameters.entries())
          assert.equal(shown[i]?.includes('beta'), parameter['x-stability'] === 'beta', `${id} ${parameter.name}`)
      }
    })

    testInFull('says errors that most operations have once, and those of one operation with it', async () => {
      await using docs = await open()
      const own = await docs.text('#placeOrder .words')
      assert.ok(own.includes('pet_not_available') && !own.includes('rate_limited'))
      assert.match(own, /Common errors: 400, 401, 403, 408/)
      assert.match(await docs.text('#common-errors'), /429rate_limited: Too many requests/)
      assert.match(await docs.text('#getPet .words'), /may have these headers as well.*Sunset/)
    })

    testInFull('calls the service by the name under which it was opened, and leads to the shop and back', async () => {
      await using docs = await DocsPage.open(browser, `http://localhost:${service.port}`, { viewport: phone })
      await docs.enterKey(service)
      await docs.openPanel('listCategories')
      assert.match((await docs.execute('listCategories')).curl, /localhost/)
      await docs.page.getByRole('link', { name: 'The shop, for staff' }).click()
      await docs.page.getByRole('button', { name: 'Sign in' }).waitFor()
      await docs.page.getByRole('link', { name: 'API reference' }).click()
      await docs.operation('listPets').waitFor()
    })

    testInFull('has no getPet once it is removed', async () => {
      await service.setClock(Date.UTC(2030, 11, 5))
      await using docs = await open()
      await service.setClock(null)
      assert.equal(await docs.operation('getPet').count(), 0)
      assert.equal(await docs.operation('updatePet').count(), 1)
    })

    testInFull('prints everything, folded or not, and nothing to press', async () => {
      await using docs = await open()
      await docs.page.emulateMedia({ media: 'print' })
      await docs.probe('layOutAll')
      assert.ok(await docs.operation('createPet').getByText('Makes the request safe').isVisible())
      assert.ok(await docs.page.evaluate(`document.querySelector('#listPets details li').checkVisibility()`))
      assert.equal(await docs.page.locator('.side, .key, .try').filter({ visible: true }).count(), 0)
    })
  })
