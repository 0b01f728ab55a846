/**
 * The pages of the reference as HTML, as readers without JavaScript receive them: all of the document, every link, and
 * nothing that a browser would have to create.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Node, operationsOf } from '../../harness/openapi.ts'
import { projectFile } from '../../harness/project.ts'
import { testInFull } from '../../harness/scope.ts'
import { operations } from '../../src/app.ts'
import { groups } from '../../src/reference/groups.ts'
import { html } from '../../src/reference/html/html.ts'
import { referencePages } from '../../src/reference/html/reference.ts'
import { openApiJson } from '../../src/reference/openapi.ts'

const sunset = Date.UTC(2030, 11, 5)
const documentAt = (now: number): Node =>
  JSON.parse(openApiJson(operations, { servers: [{ url: 'http://shop.example/v1', description: 'Local' }], now }))
const ours = documentAt(0)

/** Returns the content of each page, by its address. */
function contents(document: Node, guides = ''): Map<string, string> {
  const pages = referencePages({ document, operations, groups, guides, root: '/docs' })
  return new Map(pages.map(({ href, content }) => [href, html`${content()}`.text]))
}

const pages = contents(ours, projectFile('docs/guides.md'))
const all = [...pages.values()].join('\n')

/** Returns the text that is read: without tags, and without what only a script shows. */
const readable = (html: string): string =>
  html
    .replaceAll(/<template>.*?<\/template>/gs, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** Removes Markdown marks and white space, so that a text can be compared with its displayed form. */
const bare = (text: string): string => text.replaceAll(/\]\([^)\s]+\)/g, '').replaceAll(/[\s`*_|[\]\\#-]+|^\d\. /gm, '')

describe('The pages of the reference', () => {
  test('Every description, name, value and error of the document is in the text of the reference [decision 30]', () => {
    const shown = bare(readable(all))
    const named = ['properties', 'headers', 'schemas', 'paths']
    const faults = new Set<string>()
    const expect = (text: string) => {
      for (const part of text.split(/\n+/)) if (!shown.includes(bare(part.replace(/^`\w+`: /, '')))) faults.add(part)
    }
    const walk = (node: Node, name = ''): void => {
      if (Array.isArray(node)) for (const each of node) walk(each, name)
      else if (typeof node === 'object' && node !== null)
        for (const [member, value] of Object.entries<Node>(node)) {
          if (/^x-(?!code|hide.*Reason|stab)|^(?:tags|security|securitySchemes)$/.test(member)) continue
          // Arrays and values without members are shown where they are used.
          if (named.includes(name) && member !== '$ref' && (name !== 'schemas' || value.properties)) expect(member)
          walk(value, member)
        }
      else if (/^(?:description|summary|title|enum|code|message|source|x-hide.*Reason)$/.test(name))
        expect(String(node))
    }
    walk(ours)
    // The member that contains such items describes them.
    faults.delete(ours.components.schemas.KeyScope.description)
    // A request body is shown with its operation, without a name.
    for (const sent of ['NewPet', 'PetPatch', 'NewOrder', 'OrderPatch', 'NewCategory', 'NewWebhook', 'WebhookPatch'])
      faults.delete(sent)
    assert.deepEqual([...faults], [])
  })

  /** What the pages do not show, and why. */
  const unshown: Readonly<Record<string, string>> = {
    openapi: 'the version of the format',
    tags: 'the pages are smaller groups',
    security: 'the descriptions name the scope',
    securitySchemes: 'in the dialog of the key, which is around the content',
    'x-scope': 'the description names it',
    'x-badges': 'for other tools',
    'x-mcp': 'for other tools',
    'x-explorer-enabled': 'for other tools',
    'x-fern-explorer': 'for other tools',
    style: 'that of OpenAPI unless said otherwise',
    explode: 'the panel says that commas separate',
    lang: 'the label says it',
    operationId: 'the address',
    identifier: 'of the licence, whose name is shown',
    'x-hideTryItPanel': 'the page of a panel that is not there: another test',
    links: 'their names lead to the operations',
  }

  testInFull(
    'Every keyword of the document that changes its value also changes a page of the reference [decision 30]',
    () => {
      const kinds = new Set<string>()
      const changed = (value: Node): Node => {
        if (typeof value === 'string') return value === '' || value.startsWith('#/') ? value : `${value}zq`
        if (typeof value === 'number') return value + 1
        if (typeof value === 'boolean') return !value
        return value
      }
      const isMap =
        /^(?:properties|schemas|headers|responses|parameters|paths|webhooks|content|examples|mapping|links)$/
      /** Returns the document with each scalar of a keyword changed, or the items of its list. */
      const withChange = (node: Node, keyword: string, parent = ''): Node => {
        if (Array.isArray(node)) return node.map((each) => withChange(each, keyword))
        if (typeof node !== 'object' || node === null) return node
        return Object.fromEntries(
          Object.entries<Node>(node).map(([name, value]) => {
            if (['example', 'value', 'default'].includes(parent)) return [name, value]
            const isKeyword = !isMap.test(parent) && name === keyword
            if (!isKeyword) return [name, withChange(value, keyword, isMap.test(parent) ? '' : name)]
            return [name, Array.isArray(value) ? value.map(changed) : changed(value)]
          }),
        )
      }
      const collect = (node: Node, parent = ''): void => {
        if (Array.isArray(node)) for (const each of node) collect(each)
        else if (typeof node === 'object' && node !== null && !['example', 'value', 'default'].includes(parent))
          for (const [name, value] of Object.entries<Node>(node)) {
            if (name in unshown) continue
            const isScalar = typeof value !== 'object' || (Array.isArray(value) && typeof value[0] !== 'object')
            if (!isMap.test(parent) && isScalar && !isMap.test(name) && name !== '$ref') kinds.add(name)
            collect(value, isMap.test(parent) ? '' : name)
          }
      }
      collect(ours)
      assert.ok(kinds.size > 25, [...kinds].join())
      const before = [...contents(ours).values()].join()
      const silent = [...kinds].filter((keyword) => [...contents(withChange(ours, keyword)).values()].join() === before)
      assert.deepEqual(silent, [], 'no page shows these')
      const planted = { ...ours, info: { ...ours.info, heard: 'of never' } }
      assert.equal(
        [...contents(withChange(planted, 'heard')).values()].join(),
        before,
        'a keyword that is not shown is seen',
      )
    },
  )

  test('The text of the reference contains no Markdown marks', () => {
    const prose = readable(all.replaceAll(/<(pre|code)>.*?<\/\1>|<li class="field".*?<\/p>/gs, ''))
    assert.deepEqual(prose.match(/.*(?:\*\*|`|\]\(|^\||^#+ ).*/gm) ?? [], [])
  })

  test('Every link of the reference leads to an existing part of a page, and ids are unique', () => {
    const ids = new Map(
      [...pages].map(([href, text]) => [href, [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
    )
    const faults: string[] = []
    for (const [href, text] of pages) {
      const own = ids.get(href) ?? []
      if (new Set(own).size < own.length) faults.push(`${href} has an id twice`)
      for (const [, target = ''] of text.matchAll(/href="([^"]*)"/g)) {
        if (/^https?:/.test(target)) continue
        const [page = '', id] = target.split('#')
        const found = ids.get(page || href)
        if (!found || (id && !found.includes(id))) faults.push(`${href}: ${target}`)
      }
    }
    assert.deepEqual(faults, [])
  })

  test('The reference shows each operation once with its stability, strikes it through when deprecated, and drops it after its sunset', () => {
    for (const { id, node } of operationsOf(ours)) {
      const found = [...all.matchAll(new RegExp(`<article class="operation" id="${id}".*?</h2>`, 'gs'))]
      assert.equal(found.length, 1, id)
      const heading = readable(found[0]?.[0] ?? '')
      const end = node['x-deprecated-sunset']
      assert.ok(heading.includes(end ? `deprecated, ends ${end}` : (node['x-stability'] ?? 'stable')), heading)
      assert.equal(found[0]?.[0].includes(`<span class="ended">${node.summary}</span>`), end !== undefined)
    }
    const later = [...contents(documentAt(sunset)).values()].join()
    assert.ok(!later.includes('id="getPet"') && later.includes('id="updatePet"'))
  })

  test('In the reference, only GET /store/orders and the stream have no panel, and the page says why', () => {
    for (const { id, node } of operationsOf(ours)) {
      const [article = ''] = new RegExp(`<article class="operation" id="${id}".*?</article>`, 's').exec(all) ?? []
      const hasNone = ['listOrders', 'streamEvents'].includes(id)
      assert.equal(article.includes('<form class="panel"'), !hasNone, id)
      assert.equal(article.includes('class="reason"'), hasNone, id)
      if (hasNone) assert.ok(bare(readable(article)).includes(bare(node['x-hideTryItPanelReason'])))
    }
  })

  test('The panels of the reference begin with the parameters that the sample sends, in its order', () => {
    for (const { id, path, node } of operationsOf(ours)) {
      const inputs = [...all.matchAll(new RegExp(`id="${id}-try-(?!body)\\w+" name="(?:path|query) (\\w+)"`, 'g'))]
      if (inputs.length === 0) continue
      const [, target = ''] = /http[^'\s]+/.exec(node['x-codeSamples'][0].source)?.[0].split('/v1') ?? []
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const sent = [...inPath, ...new URL(target, 'http://shop.example').searchParams.keys()]
      assert.deepEqual(
        inputs.slice(0, sent.length).map(([, name]) => name),
        sent,
        id,
      )
    }
  })

  test('Samples of the reference with an id say that it is a placeholder or an example', () => {
    for (const { id, method, path, node } of operationsOf(ours)) {
      const [article = ''] = new RegExp(`<article class="operation" id="${id}".*?</article>`, 's').exec(all) ?? []
      const isChanged = node['x-codeSamples'][0].source.includes('999999999999')
      assert.equal(article.includes('999999999999 is a placeholder'), isChanged, id)
      assert.equal(/\d is an example: replace/.test(article), method === 'GET' && path.includes('{'), id)
    }
  })

  test('A response of the reference is named by its status, and by its example if there are several', () => {
    const namesOf = (id: string) => {
      const [article = ''] = new RegExp(`<article class="operation" id="${id}".*?</article>`, 's').exec(all) ?? []
      const [, names = ''] = /<strong>Response<\/strong>(.*?)<button/s.exec(article) ?? []
      return [...names.matchAll(/<(?:span|label)[^>]*>(?:<input[^>]*>)?([^<]+)/g)].map(([, name]) => name)
    }
    assert.deepEqual(namesOf('getOrder'), ['200'])
    assert.deepEqual(namesOf('getInventory'), ['200 all', '200 byCategory'])
  })

  test('The reference describes an error once, and operations link to it', () => {
    // The errors of a deprecated operation have additional headers.
    const others = all.replace(/<article class="operation" id="getPet".*?<\/article>/s, '')
    for (const words of ['The service is temporarily unavailable', 'The request did not arrive in time'])
      assert.equal(others.split(words).length, 2, words)
    assert.ok(pages.get('/docs/animals')?.includes('href="/docs/errors#pet_not_found"'))
    assert.ok(pages.get('/docs/errors')?.includes('<tr id="pet_not_found">'))
  })

  test('The reference describes a schema in words: its type, values, limits, and whether other members are accepted', () => {
    const part = (id: string) =>
      new RegExp(`<(article|section) class="[\\w ]+" id="${id}".*?</\\1>`, 's').exec(all)?.[0] ?? ''
    const [sent, object] = [readable(part('createPet')), readable(part('Pet'))].map((text) =>
      text.replaceAll(/\s+/g, ' '),
    )
    assert.match(sent ?? '', /status string Availability of the animal\. ?one of available, pending, sold/)
    assert.match(sent ?? '', /name string required The animal.*?1 to 1024 characters · pattern /)
    assert.match(sent ?? '', /No other members are accepted/)
    assert.doesNotMatch(sent ?? '', /Body, optional/)
    assert.match(sent ?? '', /Headers: Location, Idempotency-Replayed, ETag, and those of every response\./)
    assert.match(object ?? '', /id integer \(int64\) required Unique/)
    assert.match(readable(pages.get('/docs/errors') ?? ''), /code, use the status\.at most 64 characters/)
    assert.match(readable(pages.get('/docs/inventory') ?? ''), /at least 0 · below 2⁵³/)
    assert.doesNotMatch(object ?? '', /No other members/)
  })

  test('The first tab of every card is the one that is checked, so that its code is shown without a script', () => {
    const tabs = [...all.matchAll(/<fieldset>.*?<\/fieldset>/gs)].map(([text]) => text.match(/<input[^>]*>/g) ?? [])
    assert.ok(tabs.length > operations.length)
    for (const inputs of tabs)
      assert.deepEqual(
        inputs.map((input) => input.endsWith(' checked>')),
        inputs.map((_, i) => i === 0),
      )
  })

  test('The reference names the operations that return an error, or their number', () => {
    const rowOf = (code: string) => readable(new RegExp(`<tr id="${code}">.*?</tr>`, 's').exec(all)?.[0] ?? '')
    assert.match(rowOf('bad_request'), /Returned by every operation\.$/)
    assert.match(rowOf('malformed_json'), /Returned by 8 operations\.$/)
    assert.match(rowOf('unknown_pet'), /Returned by placeOrder\.$/)
    assert.match(rowOf('rate_limited'), /Returned by every operation\. Sent with Retry-After\.$/)
  })
})
