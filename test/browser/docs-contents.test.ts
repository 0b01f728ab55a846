/**
 * What the API reference says in a real browser: all of any document, to everybody, on a desk and on a phone, by day
 * and by night.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { abridged, type DocsPage, describeDocs, only, ours } from '../support/docs-page.ts'
import { type Node, operationsOf } from '../support/openapi.ts'
import { becomes } from '../support/patience.ts'
import { after, before, test, testInFull } from '../support/scope.ts'
import { strangeDocument } from '../support/strange-document.ts'
import { phone } from '../support/watched-page.ts'

const desk = { width: 1440, height: 900 }
const operations = operationsOf(ours)

/** Without marks of Markdown and white space, so that a text compares with how it is shown. */
const bare = (text: string): string =>
  text.replaceAll(/\]\([^)\s]+\)/g, '').replaceAll(/[\s`*_|<>[\]\\#-]+|^\d\. /gm, '')

const named = ['properties', 'patternProperties', 'headers', 'schemas']
const notForPeople = new RegExp(
  '^(?:x-(?:codeSamples|hideTryIt.*|badges|mcp|explorer-enabled|fern-explorer)|operationId|\\$ref|in|style|explode|' +
    'openapi|securitySchemes|tags|security|callbacks)$',
)

/** Everything that a document says to people: names, words, values; `name` is the member that holds the node. */
function* saidIn(node: Node, name = ''): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* saidIn(each, name)
  else if (typeof node === 'object' && node !== null)
    for (const [member, value] of Object.entries(node)) {
      if (named.includes(name) || /^\d|^default$/.test(member)) yield member
      if (!notForPeople.test(member)) yield* saidIn(value, member)
    }
  else if (/^(?:description|summary|name|title|enum|const|value|code|message|x-.*)$/.test(name)) yield String(node)
}

/** What the page makes of the strange document. */
const shownWords = `string or null (date); array of Tree; always always this; at most 1 character; at most 77 characters
no item twice; Tree or object or string; anything but string; array of string then number; a multiple of 2; any value
Needs no key.; x-unheard-of; contentEncoding base64; 4XX; default; /v9; Odd License; As above: Tree
<script>alert(2)</script>; [trap](javascript:alert(1)); a|b; HEAD /strange/{first}/{second}
somebody@example.com`.split(/; |\n/)

function expectAllIn(text: string, document: Node): void {
  const shown = bare(text)
  for (const said of saidIn(document))
    for (const part of said.split(/\n+/)) assert.ok(shown.includes(bare(part)), `“${part}” is not on the page`)
}

describeDocs('What the docs page says in Chromium', (shown) => {
  const { open } = shown

  describe('to a reader', () => {
    let docs: DocsPage
    before(async () => {
      docs = await open()
    })
    after(() => docs?.[Symbol.asyncDispose]())

    test('shows every operation, parameter, schema, error and sample of the document [D11 D311]', async () => {
      expectAllIn(await docs.text(), ours)
      const anywhere = (text = '') => text.trimEnd().replaceAll(/:\d+\/v1/g, '')
      const shown = await docs.page.locator('.beside > .card:nth-of-type(1), .try + .card').allTextContents()
      for (const { node } of operations) {
        const [curl] = node['x-codeSamples']
        const isShown = shown.some((text) => anywhere(text).endsWith(anywhere(curl.source)))
        assert.ok(isShown, curl.source)
      }
      for (const { label, source } of operations[1]?.node['x-codeSamples'] ?? []) {
        await docs.operation('createPet').getByRole('tab', { name: label, exact: true }).click()
        const code = docs.operation('createPet').locator('.card code').first()
        const lastLine = async () => (await code.textContent())?.split('\n').at(-1)
        await becomes(lastLine, source.trimEnd().split('\n').at(-1))
        const chosen = docs.operation('listPets').getByRole('tab', { selected: true }).first()
        await becomes(() => chosen.textContent(), label)
      }
    })

    test('shows a webhook as the message that its receiver gets, and each once', async () => {
      const sample = (await docs.operation('onPetCreated').locator('.card code').first().textContent()) ?? ''
      assert.match(sample, /^POST \(your URL\)\nwebhook-id: msg_.+\nwebhook-signature: v1,.+"type": "pet.created"/s)
      assert.equal(await docs.page.locator('article[id^=on]').count(), Object.keys(ours.webhooks).length)
    })

    testInFull(
      'offers no panel on GET /store/orders and on the stream, and says why; marks what may change',
      async () => {
        type Shown = { panels: number; reason: string; marks: string; names: string[] }
        const shown = await docs.page.evaluate<Record<string, Shown>>(
          `Object.fromEntries([...document.querySelectorAll('article[id]')].map((each) => {
            const texts = (selector) =>
              [...each.querySelectorAll(selector)].map(({ textContent }) => textContent.trim())
            const panels = texts('button').filter((text) => text.startsWith('Try it')).length
            const [reason, marks] = [texts('.reason').join(), texts('.marks').join()]
            return [each.id, { panels, reason, marks, names: texts('.words > .fields > .field > .name') }]
          }))`,
        )
        for (const { id, node } of operations) {
          const { panels, reason, marks, names } = shown[id] as Shown
          const hasNone = ['listOrders', 'streamEvents'].includes(id)
          assert.equal(panels, hasNone ? 0 : 1, id)
          assert.equal(reason, hasNone ? node['x-hideTryItPanelReason'] : '', id)
          const sunset = node['x-deprecated-sunset']
          assert.equal(marks, sunset ? `deprecated, ends ${sunset}` : (node['x-stability'] ?? 'stable'), id)
          for (const [i, parameter] of node.parameters.entries())
            assert.equal(names[i]?.includes('beta'), parameter['x-stability'] === 'beta', `${id} ${parameter.name}`)
        }
      },
    )

    test('brings the response into view, with every digit of an int64, and never shows the key [D314]', async () => {
      await using docs = await open({ document: abridged })
      await docs.enterKey(shown.service.key)
      await docs.operation('getPet').getByRole('tab', { name: 'curl', exact: true }).first().click()
      await docs.openPanel('getPet')
      const { json } = await shown.service.call('POST', '/pets', {
        body: '{"name":"Big \u202eturned","categoryId":9223372036854775807}',
      })
      await docs.input('getPet', 'petId').fill(String(json.id))
      const { status, body, curl } = await docs.execute('getPet')
      assert.match(status, /^200 OK \d+ ms · \d+ bytes$/)
      assert.match(body, /"categoryId": 9223372036854775807,/)
      assert.match(curl, /^curl -i '.*\/v1\/pets\/\d+' \\\n {2}-H "Authorization: Bearer \$PETSTORE_KEY"$/)
      await docs.untilInView('#getPet .answer')
      const isApart = await docs.probe('isBeforeNext', '#getPet .answer .string:has(+ .member)')
      assert.ok(isApart, 'a name turns what follows it around')
      assert.ok(!(await docs.text()).includes(shown.service.key))
      await docs.announces(/Response 200 OK after/)
    })

    testInFull('prints everything, folded or not, and nothing to press [D311]', async (t) => {
      await docs.page.emulateMedia({ media: 'print' })
      t.after(() => docs.page.emulateMedia({ media: null }))
      assert.ok(await docs.operation('createPet').getByText('Makes the request safe').isVisible())
      assert.ok(await docs.page.evaluate(`document.querySelector('#listPets details li').checkVisibility()`))
      assert.equal(await docs.page.locator('.side, .key, .try').filter({ visible: true }).count(), 0)
      assert.ok(
        await docs.page.evaluate(
          `[...document.querySelectorAll('.guide pre')].every(
            (each) => each.scrollHeight <= each.clientHeight && each.scrollWidth <= each.clientWidth)`,
        ),
        'the code of the guides is whole',
      )
    })
  })

  testInFull(
    'shows every feature of a document that it has never seen, and runs nothing that is in it [D311]',
    async () => {
      await using docs = await open({ document: strangeDocument })
      const text = await docs.text()
      expectAllIn(text, strangeDocument)
      for (const words of shownWords) assert.ok(text.includes(words), words)
      assert.doesNotMatch(text, /at (?:least|most) 1 (?:characters|members)/)
      assert.equal(await docs.page.locator('main summary', { hasNotText: /\S/ }).count(), 0)
      assert.equal(await docs.page.locator('main li li').getByText('inside it').count(), 1)
      assert.equal(await docs.page.locator('main script, main a[href^="javascript"], main b').count(), 0)
      const sample = await docs.operation('search-2').locator('.card code').first().textContent()
      assert.match(sample ?? '', /^curl -i -X PUT '[^']*\/strange\/a%20b\/x' \\\n {2}-H "X-Odd-Key: \$PETSTORE_KEY"/)
      await docs.keyField.fill('odd')
      await docs.openPanel('search-2')
      await docs.input('search-2', 'many').fill('1,2')
      await docs.input('search-2', 'piped').fill('p,q')
      await docs.input('search-2', 'first').fill('a b')
      await docs.input('search-2', 'X-Must').fill('yes')
      await docs.input('search-2', 'second').selectOption('y')
      assert.match((await docs.execute('search-2')).curl, /\?many=1&many=2&piped=p\|q'/)
    },
  )

  // Each width and each set of colours is there once.
  for (const [viewport, colorScheme] of [
    [phone, 'dark'],
    [desk, 'light'],
  ] as const)
    testInFull(`is accessible at ${viewport.width} pixels in the ${colorScheme}, in every state`, async () => {
      await using docs = await open({ viewport, colorScheme, document: strangeDocument })
      const id = 'search-2'
      assert.equal(await docs.probe('isLight'), colorScheme === 'light')
      await docs.openPanel(id)
      await docs.input(id, 'Body').fill('')
      await docs.sender(id).click()
      await docs.unfoldAll()
      await docs.expectAccessible('all unfolded; a key and inputs are missing')
      await docs.keyField.fill(shown.service.key)
      await docs.input(id, 'second').selectOption('x')
      await docs.input(id, 'first').fill('a b')
      await docs.input(id, 'X-Must').fill('yes')
      await docs.input(id, 'Body').fill(`"${'long'.repeat(200)}"`)
      await docs.execute(id)
      await docs.unfoldAll()
      await docs.expectAccessible('a response', `#${id} .answer`)
      await docs.page.locator('main').focus()
      await docs.search('e')
      await docs.expectAccessible('a search', '.side')
      await docs.keyField.fill('wrong form')
      await docs.page.keyboard.press('Enter')
      await docs.expectAccessible('a wrong key', 'header')
    })

  testInFull('is accessible with our document as well, unfolded, and no part goes beyond a phone', async () => {
    await using docs = await open({ viewport: phone, document: { ...abridged, paths: only(ours.paths, /^\/pets$/) } })
    await docs.unfoldAll()
    await docs.expectAccessible('all unfolded')
    await using whole = await open({ viewport: phone })
    await whole.unfoldAll()
    assert.deepEqual(await whole.probe('beyond'), [])
    const top = async (selector: string) =>
      (await whole.operation('getPet').locator(selector).first().boundingBox())?.y ?? 0
    assert.ok((await top('.try')) < (await top('.card')) && (await top('.card')) < (await top('.details')))
    const code = whole.page.locator('#errors').getByText('bad_request', { exact: true })
    assert.ok(((await code.boundingBox())?.height ?? 99) < 30, 'a code is on one line')
    const isWhole = `[...document.querySelectorAll('.table')].every((each) => each.scrollWidth === each.clientWidth)`
    assert.ok(await whole.page.evaluate(isWhole), 'no table scrolls')
  })
})
