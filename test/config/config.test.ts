/** The settings: their defaults, what each takes, and every fault of them in one message with exit code 2. */

import assert from 'node:assert/strict'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type Config, ConfigError, defaultPublicUrl, loadConfig, settings } from '../../src/config/config.ts'
import { logLevels } from '../../src/config/setting-values.ts'
import { bun, command, Folder, petstore } from '../support/process.ts'

/** The faults of an environment. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

/** Asserts that one setting with this value is the one fault. */
function assertFault(name: string, value: string): void {
  const faults = faultsOf({ [name]: value })
  assert.equal(faults.length, 1, `${name}=${value}: ${faults}`)
  assert.match(faults[0] as string, new RegExp(`^${name} .+\\.$`, 's'))
}

const accepts = (env: Record<string, string>, expected: Partial<Config>) =>
  assert.partialDeepStrictEqual(loadConfig(env), expected)

describe('the settings', () => {
  test('have defaults that suit a first start', () => {
    const config = loadConfig({})
    assert.partialDeepStrictEqual(config, {
      host: '127.0.0.1',
      port: 8080,
      database: { url: 'sqlite:petstore.db' },
      publicUrl: undefined,
      stagingUrl: undefined,
      logLevel: 'info',
      corsOrigins: [],
      rateLimit: undefined,
      trustedProxies: [],
    })
  })

  test('take an empty value as not given', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
    assert.deepEqual(loadConfig(empty), loadConfig({}))
  })

  test('cannot be changed once read', () => {
    assert.ok(Object.isFrozen(loadConfig({})))
  })

  test('ignore other variables of the environment', () => {
    assert.deepEqual(loadConfig({ PATH: '/bin', PORTS: 'x', WORKERS: '2' }), loadConfig({}))
  })
})

const numbers: readonly [name: string, least: number, most: number, read: (config: Config) => number][] = [
  ['PORT', 0, 65535, ({ port }) => port],
  ['DATABASE_POOL', 1, 1000, ({ database }) => database.connections],
  ['DATABASE_TIMEOUT', 100, 600_000, ({ database }) => database.timeoutMilliseconds],
  ['DRAIN_SECONDS', 0, 300, ({ drainSeconds }) => drainSeconds],
  ['REQUESTS_MAX', 1, 1_000_000, ({ requestsMax }) => requestsMax],
]
for (const [name, least, most, read] of numbers)
  describe(name, () => {
    for (const value of [least, most])
      test(`takes ${value}`, () => assert.equal(read(loadConfig({ [name]: String(value) })), value))
    for (const value of [`${most + 1}`, `${least - 1}`, '200.0', '2e2', '0xc8', ' 200', 'many', '99999999999999999999'])
      test(`refuses ${JSON.stringify(value)}`, () => assertFault(name, value))
  })

describe('HOST', () => {
  test('takes an address', () => accepts({ HOST: '::1' }, { host: '::1' }))

  test('is replaced in the base URL by a name that a client can use', () => {
    assert.equal(defaultPublicUrl('127.0.0.1', 8080), 'http://127.0.0.1:8080/v1')
    assert.equal(defaultPublicUrl('0.0.0.0', 80), 'http://localhost:80/v1')
    assert.equal(defaultPublicUrl('::', 80), 'http://localhost:80/v1')
    assert.equal(defaultPublicUrl('::1', 80), 'http://[::1]:80/v1')
  })

  test('that this machine does not have is one clear line with exit code 1', async () => {
    using folder = new Folder()
    // From the block that is kept for documents, RFC 5737.
    const { code, stderr } = await petstore(['serve'], { env: { ...folder.env, PORT: '0', HOST: '192.0.2.1' } })
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot listen on 192\.0\.2\.1, port 0: .+\n$/)
  })
})

describe('DATABASE_URL', () => {
  test('takes the path of a file that need not exist', () => {
    using folder = new Folder()
    accepts(folder.env, { database: { url: folder.url } as Config['database'] })
    assert.deepEqual(readdirSync(folder.path), [], 'checking the settings makes no file')
  })

  test('takes a database in memory', () => assert.deepEqual(faultsOf({ DATABASE_URL: 'sqlite::memory:' }), []))

  for (const value of [
    'postgres://petstore@db/pets',
    'postgresql://petstore:s%40cret@db:5433/pets',
    'postgres://petstore@h1:5432,h2:5433/pets?target_session_attrs=primary',
    'postgres://petstore@[::1]:5432,[2001:db8::1]/pets?target_session_attrs=read-write',
    'postgres://petstore@/pets?host=/run/postgresql',
    'postgres://petstore@%2Frun%2Fpostgresql/pets',
    'postgres://db/pets?sslmode=verify-full&sslrootcert=system',
    'postgres://db/pets?search_path=shop',
  ])
    test(`takes ${value}`, () => assert.deepEqual(faultsOf({ DATABASE_URL: value }), []))

  for (const [value, fault] of [
    ['postgres://u:hunter2@db:port/pets', 'has a port that is no whole number from 1 to 65535'],
    ['postgres://u:hunter2@h1:5432,h2:0/pets', 'has a port that is no whole number from 1 to 65535'],
    [
      'postgres://u:hunter2@h1,,h2/pets',
      'has a host that is neither a name, an address, an IPv6 address in brackets nor a folder',
    ],
    [
      'postgres://u:hunter2@::1/pets',
      'has a host that is neither a name, an address, an IPv6 address in brackets nor a folder',
    ],
    [
      'postgres://u:hunter2@db/pets?sslmode=yes',
      'has an sslmode that is none of disable, prefer, require, verify-ca, verify-full',
    ],
    ['postgres://u:hunter2@db/pets?sslrootcert=none.pem', 'names a file in sslrootcert that is not there'],
    [
      'postgres://u:hunter2@db/pets?target_session_attrs=standby',
      'has target_session_attrs that are none of any, primary, read-write',
    ],
    ['postgres://u:hunter2@db/pets?sslcert=me.pem', 'has sslcert=…, which is not supported'],
    ['postgres://u:hunter2%@db/pets', 'has a % that does not begin an escape such as %2F'],
  ] as const)
    test(`refuses ${value}, and says why`, () =>
      assert.deepEqual(faultsOf({ DATABASE_URL: value }), [`DATABASE_URL ${fault}.`]))

  for (const value of ['petstore.db', 'mysql://db/pets', 'SQLITE:petstore.db', 'sqlite:', 'file:petstore.db'])
    test(`refuses ${value}`, () => assertFault('DATABASE_URL', value))

  test('refuses a file in a folder that is not there, and names the folder', () => {
    using folder = new Folder()
    const missing = join(folder.path, 'none', 'test.db')
    assertFault('DATABASE_URL', `sqlite:${missing}`)
    assert.ok(faultsOf({ DATABASE_URL: `sqlite:${missing}` })[0]?.includes(dirname(missing)))
  })

  test('refuses a file in what is no folder', () => {
    using folder = new Folder()
    const file = join(folder.path, 'file')
    writeFileSync(file, '')
    assertFault('DATABASE_URL', `sqlite:${file}/test.db`)
  })

  test('refuses a file in a folder this user may not write to', async () => {
    using folder = new Folder()
    chmodSync(folder.path, 0o555)
    // Root may write anywhere, so there the program runs as another user.
    const uid = process.getuid?.() === 0 ? { uid: 65534 } : {}
    const { code, stderr } = await petstore(['keys', 'list'], { env: folder.env, ...uid })
    assert.equal(code, 2)
    assert.equal(
      stderr,
      `petstore: invalid settings:\n  - DATABASE_URL names a file in ${folder.path}, which is not a folder this user can write to.\n`,
    )
  })
})

for (const name of ['PUBLIC_URL', 'STAGING_URL'] as const)
  describe(name, () => {
    const member = name === 'PUBLIC_URL' ? 'publicUrl' : 'stagingUrl'

    for (const value of ['https://api.example/v1', 'http://localhost:3000/v1', 'https://example.org/shop/pets/v1'])
      test(`takes ${value}`, () => accepts({ [name]: value }, { [member]: value }))

    test('is stored as ASCII, as a header needs it', () =>
      accepts(
        { [name]: 'https://bücher.example/tiere/größe/v1' },
        {
          [member]: 'https://xn--bcher-kva.example/tiere/gr%C3%B6%C3%9Fe/v1',
        },
      ))

    for (const value of [
      'https://api.example',
      'https://api.example/v2',
      'https://api.example/v1/',
      'https://api.example/apiv1',
      'https://api.example/v1?x=1',
      'https://api.example/v1?',
      'https://api.example/v1#top',
      'https://api.example/v1 ',
      ' https://api.example/v1',
      'https://api.example/a b/v1',
      'https://api.example/\r\nX: y/v1',
      'https://api.example/<x>/v1',
      'https://me:secret@api.example/v1',
      'https://:80:80/v1',
      'ftp://api.example/v1',
      'api.example/v1',
      '/v1',
    ])
      test(`refuses ${JSON.stringify(value)}`, () => assertFault(name, value))
  })

describe('LOG_SAMPLE', () => {
  for (const value of ['0', '0.0', '0.000000001', '0.01', '1', '1.0'])
    test(`takes ${value}`, () => accepts({ LOG_SAMPLE: value }, { logSample: Number(value) }))
  for (const value of ['1.1', '-0.5', '.5', '1/100', '1%', '1e-2', 'NaN', 'all'])
    test(`refuses ${value}`, () => assertFault('LOG_SAMPLE', value))
})

describe('LOG_LEVEL', () => {
  for (const value of logLevels) test(`takes ${value}`, () => accepts({ LOG_LEVEL: value }, { logLevel: value }))
  for (const value of ['INFO', 'verbose', '30']) test(`refuses ${value}`, () => assertFault('LOG_LEVEL', value))
})

describe('CORS_ORIGINS', () => {
  test('takes one origin, several, or any', () => {
    accepts({ CORS_ORIGINS: '*' }, { corsOrigins: ['*'] })
    accepts({ CORS_ORIGINS: 'https://a.example' }, { corsOrigins: ['https://a.example'] })
    accepts(
      { CORS_ORIGINS: 'https://a.example, http://b.example:81' },
      {
        corsOrigins: ['https://a.example', 'http://b.example:81'],
      },
    )
  })
  for (const value of ['https://a.example/', 'a.example', 'https://A.example', 'null', 'https://a.example/x', 'file:'])
    test(`refuses ${value}`, () => assertFault('CORS_ORIGINS', value))

  test('has a fault for every invalid origin', () => {
    assert.equal(faultsOf({ CORS_ORIGINS: 'x, https://a.example, y' }).length, 2)
  })
})

test('DATABASE_READ_URL names a PostgreSQL, beside another', () => {
  const [primary, replica] = ['postgres://p@127.0.0.1/pets', 'postgres://p@127.0.0.1:5433/pets']
  assert.deepEqual(faultsOf({ DATABASE_URL: primary, DATABASE_READ_URL: replica }), [])
  const refused = ['DATABASE_READ_URL names a replica of PostgreSQL; with sqlite: there is none.']
  assert.deepEqual(faultsOf({ DATABASE_READ_URL: replica }), refused)
  assert.deepEqual(faultsOf({ DATABASE_URL: primary, DATABASE_READ_URL: 'sqlite::memory:' }), refused)
  assert.deepEqual(faultsOf({ DATABASE_URL: primary, DATABASE_READ_URL: `${replica}?sslmode=never` }), [
    'DATABASE_READ_URL has an sslmode that is none of disable, prefer, require, verify-ca, verify-full.',
  ])
})

describe('RATE_LIMIT', () => {
  for (const [value, requests, seconds] of [
    ['600/60', 600, 60],
    ['1/1', 1, 1],
    ['1000000/3600', 1_000_000, 3_600],
  ] as const)
    test(`takes ${value}`, () => accepts({ RATE_LIMIT: value }, { rateLimit: { requests, seconds } }))
  for (const value of ['600', '0/60', '600/0', '600/60s', '600 / 60', '06/6', '1.5/6', '1000001/60', '600/3601', '/'])
    test(`refuses ${value}`, () => assertFault('RATE_LIMIT', value))
})

describe('WEBHOOKS_ALLOW', () => {
  test('takes addresses and networks, and by default none', () => {
    accepts({}, { webhooksAllow: [] })
    const networks = [{ bits: 32, value: 0x0a010000n, prefix: 16 }] as const
    accepts({ WEBHOOKS_ALLOW: '10.1.0.0/16' }, { webhooksAllow: networks })
  })
  for (const value of ['1', '*', '10.0.0.0/33', 'hooks.example'])
    test(`refuses ${value}`, () => assertFault('WEBHOOKS_ALLOW', value))
})

describe('TRUST_PROXY', () => {
  test('takes a number of proxies', () => {
    accepts({ TRUST_PROXY: '1' }, { trustedProxies: 1 })
    accepts({ TRUST_PROXY: '16' }, { trustedProxies: 16 })
  })
  test('takes addresses and networks', () => {
    const networks = [
      { bits: 32, value: 0x0a000000n, prefix: 8 },
      { bits: 128, value: 1n, prefix: 128 },
    ] as const
    accepts({ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustedProxies: networks })
  })
  for (const value of ['0', '17', 'all', '*', '10.0.0.0/33', '::1/129', '-1', '1.5', 'proxy.example', '10.0.0.1:80'])
    test(`refuses ${value}`, () => assertFault('TRUST_PROXY', value))

  test('has a fault for every entry that is invalid', () => {
    assert.equal(faultsOf({ TRUST_PROXY: 'x, 10.0.0.0/8, y' }).length, 2)
  })
})

describe('traces', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/base/'
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT }

  test('are off unless a collector is named, whatever else is set [D269]', () => {
    accepts({ OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER_ARG: 'x' }, { tracing: undefined })
  })
  test('are all sent, without further headers, unless the settings say otherwise', () => {
    const url = 'http://collector:4318/base/v1/traces'
    accepts(on, { tracing: { url, headers: {}, serviceName: 'petstore', ratio: 1 } })
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: ' X-Key = a%20b%3D%2C==, other=2' }
    const more = { OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER_ARG: '0.25' }
    const expected = { url, headers: { 'x-key': 'a b=,==', other: '2' }, serviceName: 'shop', ratio: 0.25 }
    assert.deepEqual(loadConfig({ ...on, ...headers, ...more }).tracing, expected)
  })
  for (const value of [
    'collector:4318',
    'grpc://collector',
    'http://',
    'http://a b',
    'http://me:secret@host',
    'http://h?q',
  ])
    test(`refuse the endpoint ${value}`, () => assertFault('OTEL_EXPORTER_OTLP_ENDPOINT', value))
  for (const [name, values] of [
    ['OTEL_TRACES_SAMPLER_ARG', ['-1', '1.1', '2', 'all', '.5', '1e-2']],
    ['OTEL_EXPORTER_OTLP_HEADERS', ['hunter2', 'x y=hunter2', '=hunter2', 'x=hunter2%', 'x=hunter2%0Ax']],
  ] as const)
    for (const value of values)
      test(`refuse ${name}=${value}, without saying it if it may be secret`, () => {
        const faults = faultsOf({ ...on, [name]: value })
        assert.equal(faults.length, 1)
        assert.match(faults[0] ?? '', new RegExp(`^${name} .+\\.$`))
        assert.doesNotMatch(faults[0] ?? '', /hunter2/)
      })
  for (const value of ['0', '1', '1.0', '0.0001'])
    test(`take the ratio ${value}`, () => assert.deepEqual(faultsOf({ ...on, OTEL_TRACES_SAMPLER_ARG: value }), []))
})

test('DATABASE_PREPARE is true or false, and nothing else', () => {
  for (const value of ['true', 'false']) assert.deepEqual(faultsOf({ DATABASE_PREPARE: value }), [])
  assert.deepEqual(faultsOf({ DATABASE_PREPARE: 'no' }), ['DATABASE_PREPARE must be true or false, not "no".'])
})

describe('faults of the settings', () => {
  const bad = {
    PORT: 'eighty',
    DATABASE_URL: 'mysql://root:hunter2@db/pets',
    PUBLIC_URL: 'https://me:hunter2@api.example/v2',
    STAGING_URL: 'nowhere',
    LOG_LEVEL: 'loud',
    CORS_ORIGINS: 'shop',
    RATE_LIMIT: 'fast',
    TRUST_PROXY: 'proxy',
    WEBHOOKS_ALLOW: 'hooks',
  }

  for (const args of [['serve'], ['keys', 'list'], ['openapi', '--output', '-']])
    test(`are all reported at once by ${args.join(' ')}, a line each, with exit code 2 [D176]`, async () => {
      const { code, stdout, stderr } = await command(args, bad)
      assert.equal(code, 2)
      assert.equal(stdout, '')
      const [first, ...lines] = stderr.trimEnd().split('\n')
      assert.equal(first, 'petstore: invalid settings:')
      assert.deepEqual(
        lines.map((line) => /^ {2}- ([A-Z_]+) .+\.$/.exec(line)?.[1]),
        Object.keys(bad),
      )
    })

  test('read the same on Bun', async () => {
    const [onNode, onBun] = await Promise.all([
      petstore(['serve'], { env: bad }),
      petstore(['serve'], { env: bad, runtime: bun }),
    ])
    assert.deepEqual([onBun.code, onBun.stderr], [onNode.code, onNode.stderr])
  })

  for (const value of [
    'mysql://root:hunter2@db/pets',
    'mysql://root:hun/hunter2@db/pets',
    'mysql://root:p@hunter2@db/pets',
    'mysql:root:hunter2@db',
    'root:hunter2@db',
    'mysql://db/pets?password=hunter2',
    'postgres://root:hunter2@db:port/pets',
    'mysql://root:hun\nhunter2@db/pets',
  ])
    test(`never show a password: ${JSON.stringify(value)}`, async () => {
      const { code, stdout, stderr } = await command(['serve'], { DATABASE_URL: value, PUBLIC_URL: value })
      assert.equal(code, 2)
      assert.doesNotMatch(stdout + stderr, /hunter2/)
    })
})
