/**
 * The settings: their defaults, the values that they accept, and all faults in one message with exit code 2. Also the
 * folder for compiled code.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { privateFolder } from '../../bin/compile-cache.js'
import { command, Folder } from '../../harness/process.ts'
import { type Config, ConfigError, defaultPublicUrl, loadConfig, settings } from '../../src/config/config.ts'
import { logLevels } from '../../src/config/setting-values.ts'

/** Returns the faults of an environment. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

/** The values that a setting accepts, with the results, and the values that it refuses. */
interface Values {
  readonly takes: Readonly<Record<string, Partial<Config>>>
  readonly refuses: readonly string[]
}

const numbers = (names: readonly string[], read: (text: string) => object) =>
  Object.fromEntries(names.map((text) => [text, read(text)]))
const baseUrl = (member: string): Values => ({
  takes: {
    ...numbers(['https://api.example/v1', 'http://localhost:3000/v1', 'https://example.org/a/b/v1'], (url) => ({
      [member]: url,
    })),
    // The URL is encoded in the form that a header needs.
    'https://bücher.example/größe/v1': { [member]: 'https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe/v1' },
  },
  refuses: [
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
    'https:////v1',
    'https://api.example//v1',
    'https://api.example/\\docs/v1',
  ],
})

const values: Record<string, Values> = {
  HOST: { takes: { '::1': { host: '::1' } }, refuses: [] },
  DATABASE_URL: {
    takes: numbers(
      [
        'sqlite::memory:',
        'postgres://petstore@db/pets',
        'postgresql://petstore:s%40cret@db:5433/pets',
        'postgres://petstore@[2001:db8::1]:5432/pets',
        'postgres://petstore:a,b@db/pets',
        'postgres:///pets',
        'postgres://petstore@/pets?host=/run/postgresql',
        'postgres://petstore@%2Frun%2Fpostgresql/pets',
        'postgres://db/pets?sslmode=verify-full',
        'postgres://db/pets?search_path=shop',
      ],
      () => ({}),
    ),
    refuses: [
      'petstore.db',
      'mysql://db/pets',
      'SQLITE:petstore.db',
      'sqlite:',
      'file:petstore.db',
      'mysql://root:secret@db/pets',
      'mysql://root:sec/secret@db/pets',
      'mysql://root:p@secret@db/pets',
      'mysql:root:secret@db',
      'root:secret@db',
      'mysql://db/pets?password=secret',
      'postgres://root:secret@db:port/pets',
      'mysql://root:sec\nsecret@db/pets',
    ],
  },
  PUBLIC_URL: baseUrl('publicUrl'),
  STAGING_URL: baseUrl('stagingUrl'),
  LOG_SAMPLE: {
    takes: numbers(['0', '0.0', '0.000000001', '0.01', '1', '1.0'], (text) => ({ logSample: Number(text) })),
    refuses: ['1.1', '-0.5', '.5', '1/100', '1%', '1e-2', 'NaN', 'all'],
  },
  LOG_LEVEL: { takes: numbers(logLevels, (logLevel) => ({ logLevel })), refuses: ['INFO', 'verbose', '30'] },
  CORS_ORIGINS: {
    takes: {
      '*': { corsOrigins: ['*'] },
      'https://a.example': { corsOrigins: ['https://a.example'] },
      'https://a.example, http://b.example:81': { corsOrigins: ['https://a.example', 'http://b.example:81'] },
    },
    refuses: ['https://a.example/', 'a.example', 'https://A.example', 'null', 'https://a.example/x', 'file:'],
  },
  RATE_LIMIT: {
    takes: {
      '600/60': { rateLimit: { requests: 600, seconds: 60 } },
      '1/1': { rateLimit: { requests: 1, seconds: 1 } },
      '1000000/3600': { rateLimit: { requests: 1_000_000, seconds: 3_600 } },
    },
    refuses: ['600', '0/60', '600/0', '600/60s', '600 / 60', '06/6', '1.5/6', '1000001/60', '600/3601', '/'],
  },
  WEBHOOKS_ALLOW: {
    takes: { '10.1.0.0/16': {} },
    refuses: ['1', '*', '10.0.0.0/33', 'hooks.example'],
  },
  TRUST_PROXY: {
    takes: {
      1: { trustedProxies: 1 },
      16: { trustedProxies: 16 },
      '10.0.0.0/8, ::1': {},
    },
    refuses: ['0', '17', 'all', '*', '10.0.0.0/33', '::1/129', '-1', '1.5', 'proxy.example', '10.0.0.1:80'],
  },
  DATABASE_PREPARE: { takes: { true: {}, false: {} }, refuses: ['no', '1', 'TRUE'] },
}

describe('the settings', () => {
  test('The defaults of the settings suit a first start, even if values are empty, and the settings cannot be changed', () => {
    const config = loadConfig({})
    assert.partialDeepStrictEqual(config, {
      host: '127.0.0.1',
      port: 8080,
      database: { url: 'sqlite:petstore.db' },
      logLevel: 'info',
      publicUrl: undefined,
      stagingUrl: undefined,
      corsOrigins: [],
      rateLimit: undefined,
    })
    assert.ok(Object.isFrozen(config))
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
    assert.deepEqual(loadConfig(empty), config)
    assert.deepEqual(loadConfig({ PATH: '/bin', PORTS: 'x', WORKERS: '2' }), config, 'others are ignored')
  })

  for (const [name, { read, fallback }] of Object.entries(settings)) {
    if (!read.bounds) continue
    const [least, most] = read.bounds
    test(`${name} accepts whole numbers from ${least} to ${most}, as declared, and refuses everything else`, () => {
      const noFault = (what: string) => assert.fail(`${name} ${what}`)
      for (const value of [least, most]) assert.equal(read(`${value}`, noFault), value)
      read(fallback, noFault)
      for (const value of [least - 1, most + 1, '200.0', '2e2', '0xc8', ' 200', 'many', '99999999999999999999'])
        assert.deepEqual(faultsOf({ [name]: `${value}` }), [
          `${name} must be a whole number from ${least} to ${most}, not "${value}".`,
        ])
    })
  }

  test('Every setting is tested, by its bounds or by values in this file', () => {
    const untried = Object.entries(settings).filter(([name, { read }]) => !read.bounds && !(name in values))
    assert.deepEqual(
      untried.map(([name]) => name),
      [],
      'add what the setting takes and refuses to the table "values" in test/config/config.test.ts',
    )
  })

  for (const [name, { takes, refuses }] of Object.entries(values))
    test(`${name} accepts its values and refuses others with one fault that contains no secret`, () => {
      for (const [value, expected] of Object.entries(takes))
        assert.partialDeepStrictEqual(loadConfig({ [name]: value }), expected)
      for (const value of refuses) {
        const faults = faultsOf({ [name]: value })
        assert.equal(faults.length, 1, `${name}=${value}: ${faults}`)
        assert.match(faults[0] as string, new RegExp(`^${name} .+\\.$`, 's'))
        assert.doesNotMatch(faults[0] as string, /secret/)
      }
    })

  test('A setting that is a list reports a fault for every invalid entry', () => {
    assert.equal(faultsOf({ CORS_ORIGINS: 'x, https://a.example, y' }).length, 2)
    assert.equal(faultsOf({ TRUST_PROXY: 'x, 10.0.0.0/8, y' }).length, 2)
  })

  test('Only the listed networks are allowed or trusted, and by default none', () => {
    const rulesOf = (env: Record<string, string>) => {
      const { webhooksAllow, trustedProxies } = loadConfig(env)
      return [webhooksAllow, trustedProxies].map((networks) => typeof networks === 'object' && networks.rules)
    }
    assert.deepEqual(rulesOf({}), [[], []])
    assert.deepEqual(rulesOf({ WEBHOOKS_ALLOW: '10.1.0.0/16', TRUST_PROXY: '::1' }), [
      ['Subnet: IPv4 10.1.0.0/16'],
      ['Subnet: IPv6 ::1/128'],
    ])
  })

  test('The base URL contains a name that a client can use instead of HOST', () => {
    assert.equal(defaultPublicUrl('127.0.0.1', 8080), 'http://127.0.0.1:8080/v1')
    assert.equal(defaultPublicUrl('0.0.0.0', 80), 'http://localhost:80/v1')
    assert.equal(defaultPublicUrl('::', 80), 'http://localhost:80/v1')
    assert.equal(defaultPublicUrl('::1', 80), 'http://[::1]:80/v1')
  })
})

describe('DATABASE_URL', () => {
  test('DATABASE_URL says why it refuses a PostgreSQL URL, without the password [decision 23]', () => {
    const oneHost =
      'which is not supported: name one host that always leads to the primary: ' +
      'a proxy such as HAProxy, a virtual address or a managed endpoint'
    for (const [rest, fault] of [
      ['db:port/pets', 'cannot be read: Invalid URL'],
      ['::1/pets', 'cannot be read: Invalid URL'],
      ['h1,h2/pets', `names several hosts, ${oneHost}`],
      ['h1:5432,h2:5433/pets', `names several hosts, ${oneHost}`],
      ['/pets?host=h1,h2', `names several hosts, ${oneHost}`],
      ['db/pets?target_session_attrs=primary', `has target_session_attrs=…, ${oneHost}`],
      ['db/pets?sslmode=prefer', 'has an sslmode that is none of disable, require, verify-ca, verify-full'],
      ['db/pets?sslrootcert=none.pem', "cannot be read: ENOENT: no such file or directory, open 'none.pem'"],
    ] as const)
      assert.deepEqual(faultsOf({ DATABASE_URL: `postgres://u:hunter2@${rest}` }), [`DATABASE_URL ${fault}.`])
  })

  test('DATABASE_URL may name a missing file, because some commands need no database', () => {
    using folder = new Folder()
    for (const url of [folder.url, `sqlite:${folder.path}/none/test.db`])
      assert.equal(loadConfig({ DATABASE_URL: url }).database.url, url)
    assert.deepEqual(readdirSync(folder.path), [], 'checking the settings makes no file')
  })
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

  test('Every command reports all faults of the settings together, with exit code 2 [decision 27]', async () => {
    for (const args of [['serve'], ['keys', 'list'], ['openapi', '--output', '-']]) {
      const { code, stdout, stderr } = await command(args, bad)
      assert.deepEqual([code, stdout], [2, ''])
      const [first, ...lines] = stderr.trimEnd().split('\n')
      assert.equal(first, 'petstore: invalid settings:')
      assert.deepEqual(
        lines.map((line) => /^ {2}- ([A-Z_]+) .+\.$/.exec(line)?.[1]),
        Object.keys(bad),
      )
    }
  })
})

describe('the folder for compiled code', () => {
  test('The folder for compiled code is created for its owner alone, and used again', () => {
    using shared = new Folder()
    const path = privateFolder(shared.path)
    assert.ok(path)
    assert.equal(statSync(path).mode & 0o777, 0o700)
    assert.equal(privateFolder(shared.path), path)
  })

  test('The folder for compiled code is not used if it is writable by others, a link, a file or impossible to create', () => {
    using shared = new Folder()
    const path = privateFolder(shared.path) as string
    chmodSync(path, 0o770)
    assert.equal(privateFolder(shared.path), undefined)
    rmSync(path, { recursive: true })
    mkdirSync(join(shared.path, 'elsewhere'), { mode: 0o700 })
    symlinkSync(join(shared.path, 'elsewhere'), path)
    assert.equal(privateFolder(shared.path), undefined)
    rmSync(path)
    writeFileSync(path, '', { mode: 0o600 })
    assert.equal(privateFolder(shared.path), undefined)
    assert.equal(privateFolder(join(path, 'below')), undefined)
    const missing = join(shared.path, 'missing')
    assert.equal(privateFolder(missing), undefined)
    assert.equal(existsSync(missing), false)
  })

  // Only root can give a folder to another user.
  if (process.getuid?.() === 0)
    test('The folder for compiled code is not used if it belongs to another user', () => {
      using shared = new Folder()
      const path = privateFolder(shared.path) as string
      chownSync(path, 65534, 65534)
      assert.equal(privateFolder(shared.path), undefined)
    })
})
