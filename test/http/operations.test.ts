/**
 * The operations over HTTP, beyond the rules in conform/: any integer and any name, the removal of getPet, and what
 * depends on a setting.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { addPet, addPets, cursorOf, expectError, freshCategory, idsOf, nextPage } from '../../harness/expect.ts'
import { projectFile } from '../../harness/project.ts'
import { anyCharacter } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { type Answer, onBothDatabases, onOneTarget } from '../../harness/service.ts'
import { defaultScopes, scopes } from '../../src/model/key.ts'

const day = 24 * 60 * 60 * 1000

onBothDatabases('Operations', (service) => {
  const get = (path: string) => service().call('GET', path)
  const put = (id: number | string, name: string, headers: Record<string, string> = {}) =>
    service().call('PUT', `/categories/${id}`, { body: { name }, headers })

  /** Returns the text of every page, beginning with the first. */
  async function pages(path: string): Promise<string[]> {
    const texts: string[] = []
    for (let next: string | undefined = path; next; ) {
      const answer: Answer = await get(next)
      assert.equal(answer.status, 200, answer.text)
      texts.push(answer.text)
      next = nextPage(answer)
    }
    return texts
  }

  test('Categories and counts are listed by id over the whole range of int64, and other cursors are refused [decision 13, 14]', async () => {
    const ids = ['-9223372036854775808', '-7', '0', '7', '9223372036854775807']
    for (const id of ids) await put(id, 'Dogs')
    for (const [path, member, other] of [
      ['/categories?', 'id', '/store/inventory?by=category&'],
      ['/store/inventory?by=category&', 'categoryId', '/categories?'],
    ] as const) {
      const text = (await pages(`${path}limit=1`)).join()
      const found = [...text.matchAll(RegExp(`"${member}":(-?\\d+)`, 'g'))].map(([, id = '']) => id)
      assert.deepEqual(
        found,
        found.toSorted((a, b) => Number(BigInt(a) - BigInt(b))),
      )
      // Other tests add animals to other categories.
      assert.deepEqual(
        found.filter((id) => ids.includes(id)),
        ids,
      )
      const cursor = cursorOf(await get(`${path}limit=1`))
      const seal = cursor.slice(0, 8)
      for (const wrong of [`${cursor}0`, `${seal}+1`, `${seal}9223372036854775807`, seal, `x${cursor.slice(1)}`])
        expectError(await get(`${path}cursor=${encodeURIComponent(wrong)}`), 400, 'invalid_cursor')
      expectError(await get(`${other}cursor=${cursor}`), 400, 'invalid_cursor')
    }
    for (const id of ids) await service().call('DELETE', `/categories/${id}`)
  })

  test('A forged cursor with a valid seal and an id that no animal can have is refused', async () => {
    const categoryId = freshCategory()
    await addPets(service(), 2, { categoryId })
    const seal = cursorOf(await get(`/pets?categoryId=${categoryId}&limit=1`)).slice(0, 8)
    const after = (id: bigint) => get(`/pets?categoryId=${categoryId}&cursor=${seal}${id.toString(36)}`)
    for (const id of [-1n, 0n, 2n ** 53n, 2n ** 64n]) expectError(await after(id), 400, 'invalid_cursor')
    for (const id of [1n, 2n ** 53n - 1n]) assert.equal((await after(id)).status, 200)
  })

  test('If-Match: * does not name a category again whose name is removed at the same moment [decision 13]', async () => {
    const id = freshCategory()
    for (let round = 0; round < 20; round++) {
      await put(id, 'Dogs')
      const [changed] = await Promise.all([
        put(id, 'Cats', { 'If-Match': '*' }),
        service().call('DELETE', `/categories/${id}`),
      ])
      assert.ok(changed.status === 200 || changed.status === 412, changed.text)
    }
  })

  test('Pages that are read while animals are added contain every earlier animal exactly once [decision 6]', async () => {
    const categoryId = freshCategory()
    const standing = await addPets(service(), 10, { categoryId })
    for (const order of ['asc', 'desc']) {
      const seen: number[] = []
      // The loop ends, because a page shows three animals while two are added.
      for (let next: string | undefined = `/pets?categoryId=${categoryId}&order=${order}&limit=3`; next; ) {
        const adding = [addPet(service(), { categoryId }), addPet(service(), { categoryId })]
        const answer: Answer = await get(next)
        await Promise.all(adding)
        seen.push(...idsOf(answer))
        next = nextPage(answer)
      }
      assert.deepEqual(
        seen,
        [...new Set(seen)].sort((a, b) => (order === 'asc' ? a - b : b - a)),
      )
      for (const id of standing) assert.ok(seen.includes(id), `${id} stood at the start and was not seen`)
    }
  })
})

onOneTarget('Words and the end of getPet', (service) => {
  test('Error messages are well-formed and bounded, whatever the names of fields or parameters', async () => {
    const post = (body: unknown) => service().call('POST', '/pets', { body })
    const unpaired = expectError(await post('{"name":"Rex","categoryId":1,"\\ud800":1}'), 400, 'unknown_field')
    assert.equal(unpaired, '\ufffd: is not a known field')
    for (const start of ['', 'x']) {
      const name = start + '🐕'.repeat(2000)
      const message = expectError(await post({ name: 'Rex', categoryId: 1, [name]: 1 }), 400, 'unknown_field')
      assert.match(message, /^x?(?:🐕)+\ufffd?…$/u)
      assert.equal(message.length, 2001)
    }
    for (const query of [`id[${'x'.repeat(8000)}]=1`, 'id[1]=1&'.repeat(1000)])
      assert.ok(expectError(await service().call('GET', `/pets?${query}`), 400, 'invalid_parameter').length < 100)
  })
})

onOneTarget(
  'Behind another address, with a rate limit',
  (service) => {
    const base = 'https://shop.example/api/v1'

    test('Location, links and the sunset of getPet use PUBLIC_URL, and ids rise [decision 5] [rule create.location]', async () => {
      const { headers, json } = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      assert.equal(headers.get('location'), `${base}/pets/${json.id}`)
      assert.equal((await addPet(service())).id, json.id + 1)
      const link = (await service().call('GET', '/pets?limit=1')).headers.get('link') ?? ''
      assert.match(link, /^<https:\/\/shop\.example\/api\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/)
      const docs = '<https://shop.example/api/docs>'
      assert.equal(
        (await service().call('GET', `/pets/${json.id}`)).headers.get('link'),
        `${docs}; rel="deprecation"; type="text/html", ${docs}; rel="sunset"; type="text/html", ` +
          `<${base}/pets>; rel="successor-version"`,
      )
    })

    test('A path with the prefix of PUBLIC_URL counts as the path without it, for handling and for metrics [decision 3]', async () => {
      const requestId = randomUUID()
      const sent = { headers: { 'X-Request-Id': requestId }, body: { name: 'Rex', categoryId: 1 } }
      assert.equal((await service().call('POST', '//api/v1/pets', sent)).status, 201)
      await service().logged(new RegExp(`"route":"/v1/pets".*${requestId}`))
      const key = await service().makeKey({ scopes: ['metrics:read'] })
      assert.match((await service().call('GET', '//api/metrics', { key })).text, /http_route="\/v1\/pets"/)
      for (const path of ['//api/docs', '//api/docs/docs.js', '//api/shop', '//api/openapi.json', '//api/readyz'])
        assert.equal((await service().call('GET', path, { key: null })).status, 200, path)
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listPets', arguments: {} } }
      const headers = { 'MCP-Protocol-Version': '2025-11-25', Origin: 'https://shop.example' }
      assert.equal((await service().call('POST', '//api/mcp', { headers, body })).json.result.isError, undefined)
      const preflight = { Origin: 'https://other.example', 'Access-Control-Request-Method': 'POST' }
      assert.equal((await service().call('OPTIONS', '//api/v1/pets', { key: null, headers: preflight })).status, 204)
      for (const path of ['//api/v1/nope', '//api/v1'])
        expectError(await service().call('GET', path, { key: null }), 401, 'missing_api_key')
      for (const path of ['//api/nope', '//apiv1/pets', '//apidocs', '//api/api/docs', '//v1/api/v1/pets'])
        expectError(await service().call('GET', path), 404, 'route_not_found')
    })

    test('A POST can be repeated by its Idempotency-Key with and without the prefix of PUBLIC_URL [decision 3, 8]', async () => {
      const sent = { headers: { 'Idempotency-Key': randomUUID() }, body: { name: 'Rex', categoryId: 1 } }
      const [first, second] = [
        await service().call('POST', '/pets', sent),
        await service().call('POST', '//api/v1/pets', sent),
      ]
      assert.deepEqual([second.status, second.json], [201, first.json])
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
      const ofAnother = await service().call('POST', '/pets', { ...sent, key: await service().makeKey() })
      assert.ok(ofAnother.json.id > first.json.id, 'of its API key alone')
    })

    test('GET /me returns the name, scopes, expiry and rate of the key, whatever its scopes [rule me.key]', async () => {
      const me = async (key: string) => (await service().call('GET', '/me', { key })).json
      const usual = { requests: 6000, seconds: 60 }
      assert.deepEqual(await me(service().key), { name: 'test', scopes: [...defaultScopes], rate: usual })
      for (const scope of scopes) {
        const key = await service().makeKey({ scopes: [scope] })
        assert.deepEqual(await me(key), { name: 'test', scopes: [scope], rate: usual })
      }
      const expiresAt = Date.now() + day
      const rate = { requests: 600, seconds: 60 }
      assert.deepEqual(await me(await service().makeKey({ scopes: ['pets:read'], expiresAt, rate })), {
        name: 'test',
        scopes: ['pets:read'],
        rate,
        expiresAt: new Date(expiresAt).toISOString(),
      })
    })
  },
  { PUBLIC_URL: 'https://shop.example/api/v1', RATE_LIMIT: '6000/60' },
)

for (const prefix of ['/v1', '/docs', '/v1/docs'])
  onOneTarget(
    `Under the prefix ${prefix}, which is a path of the service, too`,
    (service) => {
      test('Operations and pages are found whether a proxy removes the prefix or not [decision 3]', async () => {
        for (const front of ['/', `/${prefix}`]) {
          assert.deepEqual((await service().call('GET', `${front}/v1/pets`)).json, [])
          for (const path of ['/docs', '/shop', '/docs/docs.js']) {
            // A redirect to the address behind a proxy would lead to an endless loop there.
            const { status } = await fetch(service().url + front.slice(1) + path, { redirect: 'manual' })
            assert.equal(status, 200, front + path)
          }
        }
      })
    },
    { PUBLIC_URL: `https://shop.example${prefix}/v1` },
  )

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const int64 = fc.oneof(
  fc.bigInt({ min: int64Min, max: int64Max }),
  fc.bigInt({ min: int64Max - 3n, max: int64Max }),
  fc.bigInt({ min: int64Min, max: int64Min + 3n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -1000n, max: 1000n }).map((value) => value * 10n ** 15n),
)
/** The ways to write an integer in JSON. */
const spellings: ((value: bigint) => string)[] = [
  (value) => `${value}`,
  (value) => `${value}.000`,
  (value) => `${value}e0`,
  (value) => `${value * 100n}E-2`,
  (value) => `${value}`.replace(/(0+)$/, (zeros) => `e${zeros.length}`).replace(/^(-?)e/, '$10e'),
  (value) => `${value}`.replace(/(\d)$/, '.$1e1').replace(/^(-?)\./, '$10.'),
]

/** Any text. Characters that cause problems are more frequent than by chance. */
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

  test('Every int64 is returned digit for digit, in whatever form it was written [decision 5]', async () => {
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

  test('Every valid name is returned unchanged, and the pattern in the document accepts all valid names [decision 5]', async () => {
    const { pattern } = JSON.parse(projectFile('openapi.json')).components.schemas.NewPet.properties.name
    const patterns = ['', 'u', 'v'].map((flags) => new RegExp(pattern, flags))
    for (const expression of patterns)
      for (const bad of ['', '  ', 'a\tb', 'Rex\x7f', 'a\nb', '\0', '\u3000']) assert.doesNotMatch(bad, expression)
    await fc.assert(
      fc.asyncProperty(unicode, async (name) => {
        const added = await service().call('POST', '/pets', { body: { name, categoryId: 1 } })
        if (!isName(name)) {
          assert.match(expectError(added, 400, 'invalid_field'), /^name: /)
          return
        }
        assert.equal(added.status, 201, added.text)
        assert.equal(added.json.name, name)
        for (const expression of patterns) assert.match(name, expression)
        assert.equal((await service().call('GET', `/pets?id=${added.json.id}`)).json[0].name, name)
      }),
      { numRuns: times(150, 20) },
    )
  })
})
