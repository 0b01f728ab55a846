/** Level `full`: adding and fetching an animal, where the interface leaves it open. */

import { removal } from '../needs.ts'
import { all, atLeast, atMost, exactly, ids, members, not } from '../pattern.ts'
import { GET, POST } from '../request.ts'
import { each, from } from '../rule.ts'
import { failed, Pet, refused } from '../shapes.ts'

const rex = { name: 'conform-rex', categoryId: 1 }
/** Sends the text as it is, because an object of TypeScript cannot have a member twice. */
const posted = (text: string) => POST('/pets', text)

const creating = from(
  'full',
  'Decision: A 201 has a Location. An animal without a status is available. An id in the body is ignored. Other ' +
    'unknown members and repeated members are refused with 400.',
  [
    {
      id: 'create.location',
      title: 'Location is the URL of the new animal',
      needs: ['createPet'],
      async run({ check }) {
        const created = await check(POST('/pets', rex), { status: 201 })
        created.header('Location', new RegExp(`^https?://.*/pets/${created.id}$`))
      },
    },
    {
      id: 'create.rising',
      title: 'identifiers rise, and stay below 2⁵³',
      needs: ['createPet'],
      async run({ check }) {
        const { id } = await check(POST('/pets', rex), { status: 201, body: { id: atLeast(1) } })
        const next = all(atLeast(id + 1n), atMost(Number.MAX_SAFE_INTEGER))
        await check(POST('/pets', rex), { status: 201, body: { id: next } })
      },
    },
    {
      id: 'create.members',
      title: 'an animal has these members and no others',
      needs: ['createPet'],
      steps: [
        { send: POST('/pets', rex), expect: { status: 201, body: members('categoryId', 'id', 'name', 'status') } },
      ],
    },
    {
      id: 'create.status.default',
      title: 'an animal without a status is available',
      needs: ['getPet', 'createPet'],
      async run({ check, find }) {
        const { id } = await check(POST('/pets', rex), { status: 201, body: { status: 'available' } })
        await find(id, { status: 'available' })
      },
    },
    {
      id: 'create.status.refused',
      title: 'an unknown status is refused, and the message names the member',
      needs: ['createPet'],
      steps: each(
        [null, '', 'Available', 1, true, ['sold'], {}].map((status) => POST('/pets', { ...rex, status })),
        refused(400, 'invalid_field', /status/),
      ),
    },
    {
      id: 'create.id',
      title: 'an id in the body is ignored, so that a Pet can be sent back',
      needs: ['createPet'],
      steps: each(
        ['"abc"', 'null', '-1', '{"a":[1]}', '1e999', '900719925474099'].map((id) =>
          posted(`{"id":${id},"name":"conform-rex","categoryId":1}`),
        ),
        { status: 201, body: { ...Pet, id: all(not(900719925474099), atLeast(1)) } },
      ),
    },
    {
      id: 'create.unknown',
      title: 'an unknown member is refused',
      needs: ['createPet'],
      steps: each(
        ['colour', 'ID', 'Name', '', '__proto__', 'constructor', '\\ud800'].map((name) =>
          posted(`{"name":"conform-rex","categoryId":1,"${name}":1}`),
        ),
        refused(400, 'unknown_field'),
      ),
    },
    {
      id: 'create.duplicate',
      title: 'a member given twice is refused',
      needs: ['createPet'],
      steps: each(
        ['"name":"a"', '"categoryId":1', '"status":"sold"', '"id":4', '"n\\u0061me":"a"'].map((again) =>
          posted(`{"id":1,"name":"conform-rex","categoryId":1,"status":"sold",${again}}`),
        ),
        refused(400, 'duplicate_field'),
      ),
    },
    {
      id: 'create.faults',
      title:
        'the message names every problem; the code is the first that applies of duplicate, missing, invalid, unknown',
      needs: ['createPet'],
      steps: [
        {
          send: posted('{"wings":2,"status":"x","name":"a","status":"x"}'),
          expect: refused(400, 'duplicate_field', /wings/),
        },
        { send: posted('{"wings":2,"status":"x","name":"a"}'), expect: refused(400, 'missing_field', /wings/) },
        {
          send: posted('{"wings":2,"status":"x","name":"a","categoryId":1}'),
          expect: refused(400, 'invalid_field', /wings/),
        },
        { send: posted('{"wings":2,"name":"a","categoryId":1}'), expect: refused(400, 'unknown_field', /wings/) },
      ],
    },
    {
      id: 'create.missing',
      title: 'the message names every member that is missing',
      needs: ['createPet'],
      steps: [{ send: POST('/pets', {}), expect: refused(400, 'missing_field', /(?=.*name).*categoryId/s) }],
    },
  ],
)

const badIntegers = ['"5"', '1.5', 'true', 'null', '[]', '{}', '1e-1', '1e19', '1e999999999', '9'.repeat(5000)]

const int64 = from(
  'full',
  'Decision: int64 is exact in requests and responses, over the whole range. 1.0 and 1e3 are integers; "5" and ' +
    '1.5 are not.',
  [
    {
      id: 'create.int64',
      title: 'an int64 keeps every digit',
      needs: ['getPet', 'createPet'],
      async run({ check, find }) {
        for (const integer of [9223372036854775807n, -9223372036854775808n, 9007199254740993n, -9007199254740993n]) {
          const pet = { ...rex, categoryId: integer }
          const { id, body } = await check(POST('/pets', pet), { status: 201, body: { categoryId: integer } })
          await find(id, exactly(body))
        }
      },
    },
    {
      id: 'create.int64.forms',
      title: 'an integer may be written in any form that JSON allows',
      needs: ['createPet'],
      steps: (
        [
          ['1.0', 1n],
          ['1e3', 1000n],
          ['-0', 0n],
          ['12.50e1', 125n],
          ['100E-2', 1n],
          ['9223372036854775807.000', 9223372036854775807n],
        ] as const
      ).map(([form, categoryId]) => ({
        send: posted(`{"name":"conform-rex","categoryId":${form}}`),
        expect: { status: 201, body: { categoryId } },
      })),
    },
    {
      id: 'create.int64.refused',
      title: 'a value that is not an int64 is refused',
      needs: ['createPet'],
      steps: each(
        [...badIntegers, '9223372036854775808', '-9223372036854775809'].map((integer) =>
          posted(`{"name":"conform-rex","categoryId":${integer}}`),
        ),
        refused(400, 'invalid_field', /categoryId/),
      ),
    },
  ],
)

const goodNames = ['x', ' Rex ', 'ä\u0308', 'a\u0308', 'שלום', '🐕‍🦺', '\u2028x', '"\\\\/<>&\'', '%00']
/** The names as they are written in JSON. */
const badNames = [
  '""',
  '" "',
  '"\\t"',
  '"\\u00a0\\u2003\\ufeff"',
  '"a\\u0000"',
  '"a\\nb"',
  '"\\u007f"',
  '"\\u0085x"',
  'null',
  '5',
  '["Rex"]',
  '"\\ud800"',
  '"x\\udc00x"',
  `"${'x'.repeat(1025)}"`,
  `"${'🐕'.repeat(1025)}"`,
]

const names = from(
  'full',
  'Decision: A name has 1 to 1024 code points, not only white space, no control characters and no unpaired ' +
    'surrogates. It is stored unchanged.',
  [
    {
      id: 'create.name.kept',
      title: 'a name is stored as it was sent',
      needs: ['getPet', 'createPet'],
      async run({ check, find }) {
        for (const end of goodNames) {
          const name = `conform-${end}`
          const { id, body } = await check(POST('/pets', { name, categoryId: 1 }), { status: 201, body: { name } })
          await find(id, exactly(body))
        }
      },
    },
    {
      id: 'create.name.exact',
      title: 'a name is neither trimmed nor normalized',
      needs: ['createPet'],
      steps: [' conform a\u0308 '].map((name) => ({
        send: POST('/pets', { name, categoryId: 1 }),
        expect: { status: 201, body: { name } },
      })),
    },
    {
      id: 'create.name.max',
      title: 'a name may have 1024 code points',
      needs: ['createPet'],
      steps: ['x'.repeat(1024), '🐕'.repeat(1024)].map((name) => ({
        send: POST('/pets', { name, categoryId: 1 }),
        expect: { status: 201, body: { name } },
      })),
    },
    {
      id: 'create.name.refused',
      title: 'an invalid name is refused',
      needs: ['createPet'],
      steps: each(
        badNames.map((name) => posted(`{"name":${name},"categoryId":1}`)),
        refused(400, 'invalid_field', /name/),
      ),
    },
  ],
)

const goodTypes = ['Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"']
const badTypes = [
  'text/plain',
  'application/json; charset=latin1',
  'application/problem+json',
  'application/jsonx',
  'application/merge-patch+json',
]
const badUtf8 = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]
const badJson = ['{', '{"name":"Rex",}', "{'name':'Rex'}", 'nope', '{} {}', '\ufeff{}', '[1,]', 'NaN', '"\t"']
const unsupported = refused(415, 'unsupported_media_type')
const malformed = refused(400, 'malformed_json')

const bodies = from(
  'full',
  'Decision: A body is application/json in UTF-8 and at most 64 KiB. Other types and any Content-Encoding are ' +
    'refused with 415, larger bodies with 413, malformed ones with 400.',
  [
    {
      id: 'body.type',
      title: 'the type may name its charset, in upper or lower case',
      needs: ['createPet'],
      steps: each(
        goodTypes.map((type) => POST('/pets', rex, { 'Content-Type': type })),
        { status: 201 },
      ),
    },
    {
      id: 'body.type.refused',
      title: 'another type is refused',
      needs: ['createPet'],
      steps: each(
        badTypes.map((type) => POST('/pets', rex, { 'Content-Type': type })),
        unsupported,
      ),
    },
    {
      id: 'body.type.none',
      title: 'a body without a type is refused',
      needs: ['createPet'],
      steps: each(
        [rex, '{'].map((body) => POST('/pets', body, { 'Content-Type': undefined })),
        unsupported,
      ),
    },
    {
      id: 'body.none',
      title: 'if both body and type are missing, the error is about the body',
      needs: ['createPet'],
      steps: each([POST('/pets'), POST('/pets', undefined, { 'Content-Type': 'application/json' })], malformed),
    },
    {
      id: 'body.encoding',
      title: 'a Content-Encoding is refused',
      needs: ['createPet'],
      steps: each(
        ['gzip', 'identity', 'br'].map((encoding) => POST('/pets', rex, { 'Content-Encoding': encoding })),
        unsupported,
      ),
    },
    {
      id: 'body.utf8',
      title: 'a body that is not UTF-8 is refused',
      needs: ['createPet'],
      steps: each(
        badUtf8.map((bytes) =>
          POST(
            '/pets',
            Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('","categoryId":1}')]),
          ),
        ),
        malformed,
      ),
    },
    {
      id: 'body.malformed',
      title: 'a body that is not JSON is refused',
      needs: ['createPet'],
      steps: each(badJson.map(posted), malformed),
    },
    {
      id: 'body.object',
      title: 'a body that is not an object is refused',
      needs: ['createPet'],
      steps: each(
        ['[]', 'null', '"Rex"', '5', 'true', '[{"name":"Rex","categoryId":1}]'].map(posted),
        refused(400, 'invalid_field'),
      ),
    },
    {
      id: 'body.deep',
      title: 'a body that is nested too deeply is refused',
      needs: ['createPet'],
      steps: [{ send: posted('{"a":'.repeat(5000)), expect: malformed }],
    },
    {
      id: 'body.max',
      title: 'a body may have 64 KiB',
      needs: ['createPet'],
      steps: [{ send: posted('{"name":"conform","categoryId":1}'.padEnd(65536)), expect: { status: 201 } }],
    },
    {
      id: 'body.large',
      title: 'a body of one byte more is refused',
      needs: ['createPet'],
      steps: [
        { send: posted('{"name":"conform","categoryId":1}'.padEnd(65537)), expect: refused(413, 'content_too_large') },
      ],
    },
  ],
)

const replayed = { 'Idempotency-Replayed': 'true' }
const notReplayed = { 'Idempotency-Replayed': undefined }
const once = (key: string, body: object = rex) => POST('/pets', body, { 'Idempotency-Key': key })

const idempotency = from(
  'full',
  'Decision: POST takes an Idempotency-Key of 1 to 255 visible ASCII characters, quoted or bare. The same key ' +
    'with the same body gets the first 201 again; with another body it is refused with 422. Errors are not kept.',
  [
    {
      id: 'idempotency.replay',
      title: 'a repeated request gets the first response and adds nothing',
      needs: ['createPet'],
      async run({ name, category, has, check }) {
        const [key, pet] = [name(), { name: name(), categoryId: category() }]
        const first = await check(once(key, pet), { status: 201, headers: notReplayed })
        const headers = { Location: first.header('Location'), ...replayed }
        await check(once(key, pet), { status: 201, headers, text: first.text })
        if (has('categoryId'))
          await check(GET(`/pets?categoryId=${pet.categoryId}`), { status: 200, body: ids(first.id) })
      },
    },
    {
      id: 'idempotency.reused',
      title: 'the same key with another body is refused',
      needs: ['createPet', 'categoryId', 'idempotency'],
      async run({ name, category, check }) {
        const [key, pet] = [name(), { name: name(), categoryId: category() }]
        const { id } = await check(once(key, pet), { status: 201 })
        const spaced = `{"name":"${pet.name}", "categoryId":${pet.categoryId}}`
        for (const other of [{ ...pet, name: name() }, spaced])
          await check(POST('/pets', other, { 'Idempotency-Key': key }), refused(422, 'idempotency_key_reused'))
        await check(GET(`/pets?categoryId=${pet.categoryId}`), { status: 200, body: ids(id) })
      },
    },
    {
      id: 'idempotency.errors',
      title: 'an error is not kept, so a corrected request may use the same key',
      needs: ['createPet', 'idempotency'],
      async run({ name, check }) {
        const key = name()
        await check(once(key, { ...rex, status: 'lost' }), failed(400))
        await check(once(key), { status: 201, headers: notReplayed })
      },
    },
    {
      id: 'idempotency.quoted',
      title: 'a quoted key and the same key bare are the same key',
      needs: ['createPet', 'idempotency'],
      async run({ name, check }) {
        const [plain, special] = [name(), name()]
        for (const [quoted, bare] of [
          [`"${plain}"`, plain],
          [`"${special}\\"b\\\\c"`, `${special}"b\\c`],
        ] as const) {
          const { text } = await check(once(quoted), { status: 201 })
          await check(once(bare), { status: 201, headers: replayed, text })
        }
      },
    },
    {
      id: 'idempotency.case',
      title: 'keys that differ only in case are different keys',
      needs: ['createPet', 'idempotency'],
      async run({ name, check }) {
        const key = name()
        await check(once(`a-${key}`), { status: 201 })
        await check(once(`A-${key}`), { status: 201, headers: notReplayed })
      },
    },
    {
      id: 'idempotency.query',
      title: 'the query does not matter for a key',
      needs: ['createPet', 'idempotency'],
      async run({ name, check }) {
        const key = name()
        await check(once(key), { status: 201 })
        await check({ ...once(key), path: '/pets?x=1' }, { status: 201, headers: replayed })
      },
    },
    {
      id: 'idempotency.valid',
      title: 'a key may have up to 255 visible characters',
      needs: ['createPet', 'idempotency'],
      async run({ name, check }) {
        for (const key of [`${name()},b;c=d!~`, name().padEnd(255, 'a'), `"${name().padEnd(255, 'b')}"`])
          await check(once(key), { status: 201 })
      },
    },
    {
      id: 'idempotency.refused',
      title: 'a key of another form is refused',
      needs: ['createPet', 'idempotency'],
      steps: each(
        ['', '""', 'a b', '"a b"', 'ü', 'a'.repeat(256), `"${'b'.repeat(256)}"`].map((key) => once(key)),
        refused(400, 'invalid_idempotency_key'),
      ),
    },
    {
      id: 'idempotency.twice',
      title: 'two Idempotency-Key headers are refused',
      needs: ['createPet', 'idempotency'],
      steps: [
        {
          send: POST('/pets', rex, { 'Idempotency-Key': ['one', 'two'] }),
          expect: refused(400, 'invalid_idempotency_key'),
        },
      ],
    },
  ],
)

const notCanonical = [
  'abc',
  '007',
  '+5',
  '5.0',
  '-0',
  '1e3',
  '9223372036854775808',
  '-9223372036854775809',
  '%31',
  '1%00',
  '%F0%9F%90%95',
  '%',
  '1,2',
  'x'.repeat(3000),
]

const getting = from(
  'full',
  'Decision: An identifier that is not a canonical int64 is answered with 404. Deprecation, Sunset and Link ' +
    'announce the removal on 200 and 404. From the day of the removal on, the answer is 410.',
  [
    {
      id: 'get.canonical',
      title: 'an identifier that is not a canonical int64 is answered with 404',
      needs: ['getPet'],
      steps: each(
        notCanonical.map((id) => GET(`/pets/${id}`)),
        refused(404, 'pet_not_found'),
      ),
    },
    {
      id: 'get.query',
      title: 'the query is ignored',
      needs: ['getPet', 'createPet'],
      async run({ add, check }) {
        const [id] = await add(1)
        await check(GET(`/pets/${id}?limit=0&x`), { status: 200, body: { ...Pet, id } })
      },
    },
    {
      id: 'get.deprecated',
      title: 'the removal is announced, on 404 as well',
      needs: ['getPet', 'createPet'],
      async run({ add, check }) {
        const [id] = await add(1)
        const headers = { Deprecation: /^@[1-9]\d*$/, Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }
        await check(GET(`/pets/${id}`), { status: 200, headers })
        await check(GET('/pets/9223372036854775807'), { status: 404, headers })
        await check(GET('/pets/abc'), { status: 404, headers })
      },
    },
    {
      id: 'get.deprecated.links',
      title: 'the Link says why the operation is removed, until when it works, and what replaces it',
      needs: ['getPet', 'createPet'],
      async run({ add, check }) {
        const [id] = await add(1)
        const Link = /(?=.*rel="deprecation")(?=.*rel="sunset").*\/pets>; rel="successor-version"/
        await check(GET(`/pets/${id}`), { status: 200, headers: { Link } })
      },
    },
    {
      id: 'get.deprecated.only',
      title: 'no other operation announces its removal',
      steps: [
        { send: GET('/pets?limit=1'), expect: { status: 200, headers: { Deprecation: undefined, Sunset: undefined } } },
      ],
    },
    {
      id: 'get.removed.code',
      title: 'from 5 December 2030 on the code is endpoint_removed',
      since: removal,
      steps: each([GET('/pets/1'), GET('/pets/abc')], refused(410, 'endpoint_removed')),
    },
  ],
)

export const creatingRules = [...creating, ...int64, ...names, ...bodies, ...idempotency, ...getting]
