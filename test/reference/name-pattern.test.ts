/** The documented pattern of a name: any client's validator can use it, and none refuses a name that the service takes. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Node } from '../support/openapi.ts'
import { testWith } from '../support/process.ts'
import { projectFile } from '../support/project.ts'
import { testInFull } from '../support/scope.ts'
import { onOneTarget } from '../support/service.ts'

const { schemas }: Node = JSON.parse(projectFile('openapi.json')).components
const pattern: string = schemas.NewPet.properties.name.pattern
const ecmaScript = ['', 'u', 'v'].map((flags) => new RegExp(pattern, flags))

const names = [
  ...['Rex', ' Rex ', '🐕', '👩‍👩‍👧', 'שלום', 'مرحبا', '犬', '\u00a0Rex\u3000', 'a\u2028b', '\ufeffx'],
  ...['고양이', 'é', '"\\'],
  ...['x'.repeat(1024), '🐕'.repeat(1024)],
]
/** What every dialect refuses. */
const noNames = ['', ' ', '   ', ...'\t|a\tb|\x01|a\x1f|\x7f|Rex\x7f|\x7fRex|\x01Rex|\x1b[0m|🐕\x02'.split('|')]
/** What cannot be given to grep in one line, or is white space only in ECMAScript. */
const onlyInEcmaScript = ['\n', 'a\nb', '\r', '\0', 'a\0', '\u00a0', '\u3000\u2003']

describe('The documented pattern of a name', () => {
  test('means the same in ECMAScript with and without Unicode', () => {
    for (const expression of ecmaScript) {
      for (const name of names) assert.match(name, expression)
      for (const name of [...noNames, ...onlyInEcmaScript]) assert.doesNotMatch(name, expression, JSON.stringify(name))
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5 }), (text) => {
        const [first, ...others] = ecmaScript.map((expression) => expression.test(text))
        for (const other of others) assert.equal(other, first)
      }),
      { numRuns: 5_000 },
    )
  })

  // Go's RE2 and Rust's regex know neither looking around nor going back, and each dialect writes Unicode otherwise.
  test('uses nothing that another dialect lacks', () => {
    assert.match(pattern, /^\^.*\$$/)
    const parts = pattern.slice(1, -1).match(/\[\^(?:\\x[0-7][0-9A-F]|\\s|-)+\]\*?/g) ?? []
    assert.equal(parts.join(''), pattern.slice(1, -1), 'classes of ASCII, and repetition')
  })

  testWith(['grep'], 'means the same in PCRE', async () => {
    const isMatch = (text: string) => {
      const env = { ...process.env, LC_ALL: 'C.UTF-8' }
      const { status, stderr } = spawnSync('grep', ['-qP', '--', pattern], { input: `${text}\n`, env })
      assert.equal(String(stderr), '')
      return status === 0
    }
    for (const name of names) assert.ok(isMatch(name), JSON.stringify(name.slice(0, 20)))
    for (const name of noNames) assert.ok(!isMatch(name), JSON.stringify(name))
  })

  test('stands where a name is sent, and not where one is returned', () => {
    assert.equal(schemas.PetPatch.properties.name.pattern, pattern)
    assert.ok(!('pattern' in schemas.Pet.properties.name), 'a stricter rule later must not make old names invalid')
  })
})

onOneTarget('The documented pattern, beside the service', (service) => {
  const hostile = fc.constantFrom(' ', '\t', '\0', '\u001f', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff', '\ud800')
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
    fc.string({ unit: fc.oneof(hostile, fc.constantFrom('a', '🐕', 'ש')), maxLength: 4 }),
  )

  testInFull('takes every name that the service takes, in POST and in PATCH', async () => {
    const { json: pet } = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
    let taken = 0
    await fc.assert(
      fc.asyncProperty(texts, async (name) => {
        const created = await service().call('POST', '/pets', { body: { name, categoryId: 1 } })
        const patched = await service().call('PATCH', `/pets/${pet.id}`, { body: { name } })
        assert.deepEqual([created.status, patched.status], created.status === 201 ? [201, 200] : [400, 400])
        if (created.status !== 201) return
        taken++
        for (const expression of ecmaScript) assert.match(name, expression)
      }),
      { numRuns: 200, examples: names.map((name) => [name]) },
    )
    assert.ok(taken > names.length)
  })

  test('leaves to the service what not every dialect can say', async () => {
    const { json: pet } = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
    for (const name of ['a\u0085', 'a\u009f', 'a\ud800', '\udc00a']) {
      assert.match(name, new RegExp(pattern))
      assert.equal((await service().call('POST', '/pets', { body: { name, categoryId: 1 } })).status, 400)
      assert.equal((await service().call('PATCH', `/pets/${pet.id}`, { body: { name } })).status, 400)
    }
  })

  test('an id of any value and type is passed over, in POST and in PATCH [D35]', async () => {
    const { json: pet } = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
    let last = pet.id
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 2 }), async (id) => {
        const created = await service().call('POST', '/pets', { body: `{"id":${id},"name":"Ada","categoryId":1}` })
        assert.equal(created.status, 201, created.text)
        assert.ok(created.json.id > last)
        last = created.json.id
        const patched = await service().call('PATCH', `/pets/${pet.id}`, { body: `{"id":${id}}` })
        assert.deepEqual([patched.status, patched.json], [200, pet])
      }),
      { numRuns: 40, examples: ['null', '"abc"', '1.5', '9223372036854775808', '-1', '[]', '{}'].map((id) => [id]) },
    )
  })
})
