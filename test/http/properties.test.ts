/** What must hold for every input, tried on many: exact integers and verbatim names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expectError } from '../support/expect.ts'
import { anyCharacter } from '../support/random.ts'
import { times } from '../support/scope.ts'
import { onOneTarget } from '../support/service.ts'

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const int64 = fc.oneof(
  fc.bigInt({ min: int64Min, max: int64Max }),
  fc.bigInt({ min: int64Max - 3n, max: int64Max }),
  fc.bigInt({ min: int64Min, max: int64Min + 3n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -1000n, max: 1000n }).map((value) => value * 10n ** 15n),
)
/** Ways to spell an integer in JSON. */
const spellings: ((value: bigint) => string)[] = [
  (value) => `${value}`,
  (value) => `${value}.000`,
  (value) => `${value}e0`,
  (value) => `${value * 100n}E-2`,
  (value) => `${value}`.replace(/(0+)$/, (zeros) => `e${zeros.length}`).replace(/^(-?)e/, '$10e'),
  (value) => `${value}`.replace(/(\d)$/, '.$1e1').replace(/^(-?)\./, '$10.'),
]

/** Any text, of characters that make trouble more often than chance would have it. */
const unicode = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0', '\ufeff', '\u2029', '\u3000', 'a'), maxLength: 4 }),
  fc.string({
    unit: fc.constantFrom('\0', '\u001f', '\u007f', '\u009f', '\u00a1', '\ud800', '\udfff', '\\', '"', 'b'),
  }),
  fc.tuple(fc.constantFrom('x', '🐕', 'é'), fc.integer({ min: 1020, max: 1028 })).map(([unit, n]) => unit.repeat(n)),
)
function isName(text: string): boolean {
  const points = [...text].length
  const hasControl = /\p{Cc}/u.test(text)
  return points >= 1 && points <= 1024 && text.trim() !== '' && !hasControl && text.isWellFormed()
}

onOneTarget('Properties', (service) => {
  const post = (body: string) => service().call('POST', '/pets', { body })

  test('every int64 is returned digit for digit, however it was written [D38]', async () => {
    await fc.assert(
      fc.asyncProperty(int64, fc.constantFrom(...spellings), async (value, spell) => {
        const added = await post(`{"name":"Rex","categoryId":${spell(value)}}`)
        assert.equal(added.status, 201, added.text)
        assert.equal(/"categoryId":([^,}]*)/.exec(added.text)?.[1], `${value}`)
        assert.equal((await service().call('GET', `/pets/${added.json.id}`)).text, added.text)
        const listed = await service().call('GET', `/pets?id=${added.json.id}&categoryId=${value}`)
        assert.equal(listed.text, `[${added.text}]`)
      }),
      { numRuns: times(80, 15) },
    )
  })

  test('every name is returned as it was sent, or refused [D40]', async () => {
    await fc.assert(
      fc.asyncProperty(unicode, async (name) => {
        const added = await service().call('POST', '/pets', { body: { name, categoryId: 1 } })
        if (!isName(name)) {
          assert.match(expectError(added, 400, 'invalid_field'), /^name: /)
          return
        }
        assert.equal(added.status, 201, added.text)
        assert.equal(added.json.name, name)
        assert.equal((await service().call('GET', `/pets?id=${added.json.id}`)).json[0].name, name)
      }),
      { numRuns: times(150, 20) },
    )
  })
})
