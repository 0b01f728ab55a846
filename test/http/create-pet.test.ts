/** POST /pets: what a new animal may be, what the body may be, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { exchange, request } from '../support/raw.ts'
import { onEveryTarget } from '../support/service.ts'

/** A valid body of exactly so many bytes. */
const bodyOfBytes = (bytes: number): string => '{"name":"Rex","categoryId":1}'.padEnd(bytes)

onEveryTarget('createPet', (service) => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    service().call('POST', '/pets', { body, headers })
  const rawHeaders = () => ['Host: localhost', `Authorization: Bearer ${service().key}`, 'Connection: close']

  test('adds an animal, assigns its id and returns its URL', async () => {
    const answer = await post({ name: 'Rex', categoryId: 7, status: 'pending' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    const { id, ...rest } = answer.json
    assert.ok(Number.isSafeInteger(id) && id >= 1)
    assert.deepEqual(rest, { name: 'Rex', categoryId: 7, status: 'pending' })
    assert.equal(answer.headers.get('location'), `${service().url}/v1/pets/${id}`)
    assert.deepEqual((await service().call('GET', `/pets/${id}`)).json, answer.json)
  })

  test('assigns ascending ids', async () => {
    const [first, second] = [await addPet(service()), await addPet(service())]
    assert.ok(second.id > first.id)
  })

  test('stores an animal without a status as available', async () => {
    const { id, status } = await addPet(service())
    assert.equal(status, 'available')
    assert.equal((await service().call('GET', `/pets?id=${id}&status=available`)).json.length, 1)
  })

  for (const status of ['null', '""', '"Available"', '"lost"', '1', 'true', '["sold"]', '{}'])
    test(`refuses the status ${status}`, async () => {
      const message = expectError(await post(`{"name":"Rex","categoryId":1,"status":${status}}`), 400, 'invalid_field')
      assert.equal(message, 'status: must be one of available, pending, sold')
    })

  test('ignores an id, since a client may send a Pet back', async () => {
    const pet = await addPet(service(), { name: 'Ada' })
    const { id, ...copy } = await addPet(service(), pet)
    assert.ok(id > pet.id)
    assert.deepEqual(copy, { name: 'Ada', categoryId: 1, status: 'available' })
    for (const sent of ['"abc"', 'null', '-1', '{"a":[1]}', '1e999'])
      assert.equal((await post(`{"id":${sent},"name":"Rex","categoryId":1}`)).status, 201, sent)
  })

  for (const name of ['colour', 'ID', 'Name', '', '__proto__', 'constructor', 'toString'])
    test(`refuses the unknown member "${name}"`, async () => {
      const body = `{"name":"Rex","categoryId":1,${JSON.stringify(name)}:1}`
      const message = expectError(await post(body), 400, 'unknown_field')
      assert.equal(message, `${name}: is not a known field`)
    })

  for (const member of ['"name":"Rex"', '"categoryId":1', '"status":"sold"', '"id":4', '"n\\u0061me":"Rex"'])
    test(`refuses a member given twice: ${member}`, async () => {
      const body = `{"id":1,"name":"Rex","categoryId":1,"status":"sold",${member}}`
      assert.match(expectError(await post(body), 400, 'duplicate_field'), /^\w+: given more than once$/)
    })

  test('refuses a body without its required members and names each', async () => {
    assert.equal(expectError(await post({ categoryId: 1 }), 400, 'missing_field'), 'name: is required')
    assert.equal(expectError(await post({ name: 'Rex' }), 400, 'missing_field'), 'categoryId: is required')
    const both = expectError(await post({}), 400, 'missing_field')
    assert.equal(both, 'name: is required; categoryId: is required')
  })

  test('names every fault, in the order duplicate, missing, invalid, unknown: the first one gives the code', async () => {
    const texts = [
      'status: given more than once',
      'categoryId: is required',
      'status: must be one of available, pending, sold',
      'wings: is not a known field',
    ]
    const bodies: [string, string][] = [
      ['duplicate_field', '{"wings":2,"status":"x","name":"Rex","status":"x"}'],
      ['missing_field', '{"wings":2,"status":"x","name":"Rex"}'],
      ['invalid_field', '{"wings":2,"status":"x","name":"Rex","categoryId":1}'],
      ['unknown_field', '{"wings":2,"status":"sold","name":"Rex","categoryId":1}'],
    ]
    for (const [i, [code, body]] of bodies.entries())
      assert.equal(expectError(await post(body), 400, code), texts.slice(i).join('; '))
  })

  test('answers in well-formed text where the names of members are not, or are cut', async () => {
    const unpaired = expectError(await post('{"name":"Rex","categoryId":1,"\\ud800":1}'), 400, 'unknown_field')
    assert.equal(unpaired, '\ufffd: is not a known field')
    for (const start of ['', 'x']) {
      const name = start + '🐕'.repeat(2000)
      const message = expectError(await post({ name: 'Rex', categoryId: 1, [name]: 1 }), 400, 'unknown_field')
      assert.match(message, /^x?(?:🐕)+\ufffd?…$/u)
      assert.equal(message.length, 2001)
    }
  })

  test('keeps an int64 digit for digit over the whole range', async () => {
    const values = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '-9007199254740993', '0', '-1']
    for (const digits of values) {
      const added = await post(`{"name":"Rex","categoryId":${digits}}`)
      assert.equal(added.status, 201, digits)
      assert.match(added.text, new RegExp(`"categoryId":${digits}[,}]`))
      const found = await service().call('GET', `/pets/${added.json.id}`)
      assert.equal(found.text, added.text)
    }
  })

  const integers = {
    '1.0': '1',
    '1e3': '1000',
    '-0': '0',
    '12.50e1': '125',
    '100E-2': '1',
    '9223372036854775807.000': '',
  }
  for (const [text, digits] of Object.entries(integers))
    test(`takes ${text} as an integer`, async () => {
      const { status, text: body } = await post(`{"name":"Rex","categoryId":${text}}`)
      assert.equal(status, 201, body)
      assert.match(body, new RegExp(`"categoryId":${digits || '9223372036854775807'}[,}]`))
    })

  for (const text of ['"5"', '1.5', 'true', 'null', '[]', '{}', '1e-1', '9223372036854775808', '-9223372036854775809'])
    test(`refuses ${text} as an integer`, async () => {
      const message = expectError(await post(`{"name":"Rex","categoryId":${text}}`), 400, 'invalid_field')
      assert.equal(message, 'categoryId: must be an int64 integer')
    })

  test('refuses numbers that would cost memory to write out', async () => {
    for (const text of ['1e19', '1e999999999', '-1e400', '9'.repeat(5000), `1${'0'.repeat(60_000)}`])
      expectError(await post(`{"name":"Rex","categoryId":${text}}`), 400, 'invalid_field')
  })

  const names = ['x', ' Rex ', 'ä\u0308', 'a\u0308', 'שלום', '🐕‍🦺', '\u{10ffff}', 'a\u2028b', '"\\/<>&\'', '%00']
  for (const name of [...names, 'x'.repeat(1024), '🐕'.repeat(1024)])
    test(`keeps a name verbatim: ${JSON.stringify(name.slice(0, 12))}`, async () => {
      const added = await post({ name, categoryId: 1 })
      assert.equal(added.json?.name, name, added.text)
      assert.equal((await service().call('GET', `/pets/${added.json.id}`)).json.name, name)
    })

  const badNames = ['""', '" "', '"\\t"', '"\\u00a0\\u2003\\ufeff"', '"a\\u0000"', '"a\\nb"', '"\\u007f"', '"\\u0085x"']
  const badTypes = ['null', '5', 'true', '["Rex"]', '{}', '"\\ud800"', '"x\\udc00x"', '"\\udc00\\ud800"']
  const tooLong = [`"${'x'.repeat(1025)}"`, `"${'🐕'.repeat(1025)}"`]
  for (const name of [...badNames, ...badTypes, ...tooLong])
    test(`refuses the name ${name.slice(0, 24)}`, async () => {
      assert.match(expectError(await post(`{"name":${name},"categoryId":1}`), 400, 'invalid_field'), /^name: must be /)
    })

  for (const type of ['application/json', 'Application/JSON', 'application/json; charset=utf-8'])
    test(`takes a body of type ${type}`, async () => {
      for (const given of [type, type.replace('utf-8', 'UTF-8'), type.replace('utf-8', '"utf-8"').replace('; ', ';')])
        assert.equal((await post({ name: 'Rex', categoryId: 1 }, { 'Content-Type': given })).status, 201, given)
    })

  for (const type of [
    '',
    'text/plain',
    'application/json; charset=latin1',
    'application/problem+json',
    'application/jsonx',
  ])
    test(`refuses a body of type "${type}"`, async () => {
      const answer = await post({ name: 'Rex', categoryId: 1 }, { 'Content-Type': type })
      expectError(answer, 415, 'unsupported_media_type')
    })

  test('refuses a body without a type', async () => {
    const head = [...rawHeaders(), 'Content-Length: 29']
    const [answer] = await exchange(service().port, request('POST /v1/pets HTTP/1.1', head, bodyOfBytes(29)))
    assert.ok(answer)
    expectError(answer, 415, 'unsupported_media_type')
  })

  test('refuses a body with a Content-Encoding', async () => {
    for (const encoding of ['gzip', 'identity', 'br'])
      expectError(await post(bodyOfBytes(29), { 'Content-Encoding': encoding }), 415, 'unsupported_media_type')
  })

  test('refuses a body that is not UTF-8', async () => {
    for (const bad of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bad), Buffer.from('","categoryId":1}')])
      assert.match(expectError(await post(body), 400, 'malformed_json'), /UTF-8/)
    }
  })

  for (const body of [
    '',
    ' ',
    '{',
    '{"name":"Rex",}',
    "{'name':'Rex'}",
    'nope',
    '{} {}',
    '\ufeff{}',
    '[1,]',
    'NaN',
    '"\t"',
  ])
    test(`refuses the malformed body ${JSON.stringify(body)}`, async () => {
      const message = expectError(await post(body), 400, 'malformed_json')
      assert.match(message, body === '' ? /^The body is empty/ : /^The body is not valid JSON: /)
    })

  for (const body of ['[]', 'null', '"Rex"', '5', 'true', '[{"name":"Rex","categoryId":1}]'])
    test(`refuses a body that is not an object: ${body}`, async () => {
      assert.equal(expectError(await post(body), 400, 'invalid_field'), 'The body must be a JSON object.')
    })

  test('refuses a body nested too deep', async () => {
    expectError(await post('{"a":'.repeat(5000)), 400, 'malformed_json')
  })
})

onEveryTarget(
  'createPet behind another address',
  (service) => {
    test('returns the Location of a new animal under PUBLIC_URL', async () => {
      const { headers, json } = await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      assert.equal(headers.get('location'), `https://shop.example/api/v1/pets/${json.id}`)
      assert.equal(json.id, 1, 'ids rise from 1')
    })
  },
  { PUBLIC_URL: 'https://shop.example/api/v1' },
)
