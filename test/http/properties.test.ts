/** What must hold for every input, tried on many: exact integers, verbatim names, cursors, and pages under concurrent inserts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addPet, addPets, cursorOf, expectError, freshCategory, idsOf, nextPage } from '../support/expect.ts'
import { times } from '../support/scope.ts'
import { onOneTarget, type TestService } from '../support/service.ts'

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const int64 = fc.oneof(
  fc.bigInt({ min: int64Min, max: int64Max }),
  fc.bigInt({ min: int64Max - 3n, max: int64Max }),
  fc.bigInt({ min: int64Min, max: int64Min + 3n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -1000n, max: 1000n }).map((value) => value * 10n ** 15n),
)
const outside = fc.oneof(
  fc.bigInt({ min: int64Max + 1n, max: int64Max + 5n }),
  fc.bigInt({ min: int64Min - 5n, max: int64Min - 1n }),
  fc.bigInt({ min: 2n ** 64n - 5n, max: 2n ** 64n + 5n }),
  fc.bigInt({ min: int64Max + 1n, max: 10n ** 60n }).chain((value) => fc.constantFrom(value, -value - 1n)),
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
  fc.string({ unit: 'binary', maxLength: 30 }),
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

  test('every integer outside int64 is refused, however it was written', async () => {
    await fc.assert(
      fc.asyncProperty(outside, fc.constantFrom(...spellings), async (value, spell) => {
        expectError(await post(`{"name":"Rex","categoryId":${spell(value)}}`), 400, 'invalid_field')
        expectError(await service().call('GET', `/pets?categoryId=${value}`), 400, 'invalid_parameter')
        expectError(await service().call('GET', `/pets/${value}`), 404, 'pet_not_found')
      }),
      { numRuns: times(40, 15) },
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

  test('any string as a cursor is valid or refused with 400', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const real = cursorOf(await service().call('GET', `/pets?categoryId=${categoryId}&limit=1`))
    const mutated = fc
      .tuple(fc.nat(real.length), fc.nat(2), fc.base64String({ maxLength: 3 }))
      .map(([at, drop, insert]) => real.slice(0, at) + insert + real.slice(at + drop))
    const numbered = fc.bigInt({ min: 0n, max: 2n ** 80n }).map((id) => real.slice(0, 8) + id.toString(36))
    const cursors = fc.oneof(unicode, mutated, numbered, fc.base64String({ maxLength: 30 }))
    await fc.assert(
      fc.asyncProperty(cursors, async (cursor) => {
        const query = new URLSearchParams({ categoryId: `${categoryId}`, cursor: cursor.slice(0, 500).toWellFormed() })
        const answer = await service().call('GET', `/pets?${query}`)
        if (answer.status === 200) for (const id of idsOf(answer)) assert.ok(Number.isSafeInteger(id))
        else expectError(answer, 400, 'invalid_cursor')
      }),
      { numRuns: times(150, 20) },
    )
  })

  test('following the pages while animals are added misses none that existed at the start and returns none twice [D20]', async () => {
    const pageSizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        pageSizes,
        fc.boolean(),
        async (count, limits, isNewestFirst) => {
          const categoryId = freshCategory()
          const standing = await Promise.all(Array.from({ length: count }, () => addPet(service(), { categoryId })))
          let walking = true
          const adding = Promise.all(Array.from({ length: 3 }, () => addWhile(service(), categoryId, () => walking)))
          const seen = await walk(service(), `categoryId=${categoryId}${isNewestFirst ? '&order=desc' : ''}`, limits)
          walking = false
          await adding
          assert.deepEqual(
            seen,
            seen.toSorted((a, b) => (isNewestFirst ? b - a : a - b)),
          )
          assert.equal(new Set(seen).size, seen.length, 'none twice')
          for (const { id } of standing) assert.ok(seen.includes(id), `${id} stood at the start and was not seen`)
        },
      ),
      { numRuns: times(10, 5) },
    )
  })
})

/** Adds up to 60 animals, one after another, for as long as asked to. */
async function addWhile(service: TestService, categoryId: number, wanted: () => boolean): Promise<void> {
  for (let added = 0; added < 60 && wanted(); added++) await addPet(service, { categoryId })
}

/** Every id on the pages of a list, with page sizes taken in turn. */
async function walk(service: TestService, filters: string, limits: readonly number[]): Promise<number[]> {
  const seen: number[] = []
  let page: string | undefined = `/pets?${filters}&limit=1`
  for (let turn = 0; page !== undefined; turn++) {
    const answer = await service.call('GET', page.replace(/limit=\d+/, `limit=${limits[turn % limits.length]}`))
    assert.equal(answer.status, 200, answer.text)
    seen.push(...idsOf(answer))
    page = nextPage(answer)
  }
  return seen
}
