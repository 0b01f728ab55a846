/**
 * API keys from the operator's side. They are created, listed, revoked and rotated on the command line, and only their
 * hash is stored.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { command, Folder, fails, makeKey, petstore } from '../../harness/process.ts'
import { openFile } from '../../harness/stores.ts'
import { defaultScopes, hashOf, isToken, type Key, newToken, scopes } from '../../src/model/key.ts'

const hour = 60 * 60 * 1000
const form = /^pst_[0-9A-Za-z]{36}$/

async function keysIn(folder: Folder): Promise<Key[]> {
  const store = openFile(folder.database)
  const keys = await store.keys.list()
  await store.close()
  return keys
}

/** Runs an action that must succeed. */
async function done(folder: Folder, ...args: string[]) {
  const { code, ...said } = await command(['keys', ...args], folder.env)
  assert.equal(code, 0, said.stderr)
  return said
}

/** Returns the cells of a table. */
const rowsOf = (stdout: string): string[][] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))

/** Asserts that a time lies between the start of the test and now. */
function assertRecent(time: number | undefined, since: number): void {
  assert.ok(time !== undefined && time >= since && time <= Date.now(), `${time} is not after ${since}`)
}

describe('the format of a key', () => {
  test('A key consists of pst_, thirty random characters and a checksum of six characters [decision 10]', () => {
    const made = Array.from({ length: 2000 }, newToken)
    assert.ok(made.every(isToken))
    assert.equal(new Set(made).size, made.length, 'none is made twice')
    const token = newToken()
    assert.match(token, form)
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const value = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    assert.equal(value, crc32(token.slice(0, -6)))
  })

  test('A key is invalid after a character was changed, removed, inserted, or swapped with its neighbour [decision 10]', () => {
    const anyCharacter = fc.oneof(fc.constantFrom(...'0123456789ABCxyz_'), fc.string({ minLength: 1, maxLength: 1 }))
    fc.assert(
      fc.property(fc.nat(39), anyCharacter, (at, character) => {
        const token = newToken()
        const [before, after] = [token.slice(0, at), token.slice(at + 1)]
        const swapped = before + token[at + 1] + token[at] + token.slice(at + 2)
        assert.ok(token[at] === character || !isToken(before + character + after))
        assert.equal(isToken(before + after), false)
        assert.equal(isToken(before + character + token.slice(at)), false)
        assert.ok(at > 32 || swapped === token || !isToken(swapped))
      }),
      { numRuns: 5000 },
    )
    const token = newToken()
    for (const text of ['', 'pst_', token.toUpperCase(), ` ${token}`, `${token}\n`, `${token}${token}`])
      assert.equal(isToken(text), false, JSON.stringify(text))
  })
})

describe('keys create', () => {
  test('petstore keys create prints only the key, even if it runs twice concurrently on a new database [decision 10]', async () => {
    using folder = new Folder()
    const ended = await Promise.all(
      [1, 2].map(() => petstore(['keys', 'create', '--name', 'shop'], { env: folder.env })),
    )
    const made = 'has the scopes pets:read pets:write orders:read orders:write. It is not shown again.'
    assert.deepEqual(ended.map(({ stderr }) => stderr).sort(), [`Key 1 (shop) ${made}\n`, `Key 2 (shop) ${made}\n`])
    for (const { stdout } of ended) assert.ok(isToken(stdout.trimEnd()))
    const hashes = ended.map(({ stdout }) => hashOf(stdout.trim()))
    assert.deepEqual((await keysIn(folder)).map((key) => key.hash).sort(), hashes.sort())
  })

  test('petstore keys create takes a name of up to 100 characters, however many bytes they need', async () => {
    using folder = new Folder()
    await done(folder, 'create', '--name', '🐕'.repeat(100))
    const { code, stderr } = await command(['keys', 'create', '--name', 'x'.repeat(101)], folder.env)
    assert.deepEqual([code, (await keysIn(folder)).length], [2, 1])
    assert.match(stderr, /at most 100 characters/)
  })

  test('petstore keys create gives the default scopes or the given ones, an expiry and a rate limit [decision 10]', async () => {
    using folder = new Folder()
    const rows = [
      [[], { scopes: defaultScopes, lifetime: undefined, rate: undefined }],
      [['--scope', 'metrics:read'], { scopes: ['metrics:read'] }, / has the scope metrics:read\. /],
      [
        ['--scope=pets:read', '--scope=metrics:read', '--scope=pets:read'],
        { scopes: ['pets:read', 'metrics:read'] },
        / has the scopes pets:read metrics:read\. /,
      ],
      [scopes.flatMap((scope) => ['--scope', scope]), { scopes: [...scopes] }],
      [['--for', 'staff'], { scopes: [...defaultScopes, 'events:read'] }],
      [['--for', 'reader'], { scopes: ['pets:read', 'orders:read'] }],
      [['--expires', '90d'], { lifetime: 90 * 24 * hour }, /, until \d{4}-\d\d-\d\d \d\d:\d\dZ\./],
      [['--expires', '12h'], { lifetime: 12 * hour }],
      [['--expires', '30m'], { lifetime: hour / 2 }],
      [['--expires', '99999d'], { lifetime: 99999 * 24 * hour }],
      [['--rate', '1200/60'], { rate: { requests: 1200, seconds: 60 } }, /at most 1200 requests in 60 seconds\. It is/],
    ] as const
    for (const [flags, expected, said = /./] of rows) {
      const { stderr } = await done(folder, 'create', '--name', 'x', ...flags)
      assert.match(stderr, said)
      const key = (await keysIn(folder)).at(-1)
      assert.partialDeepStrictEqual(key, expected)
      assert.equal(key?.expiresAt, key?.lifetime && key.createdAt + key.lifetime)
    }
  })

  test('petstore keys create leaves no trace of the key in any file of the database [decision 10]', async () => {
    using folder = new Folder()
    // The store is kept open, so that the log is not merged into the file when the command ends.
    const store = openFile(folder.database)
    const token = await makeKey(folder.env)
    const rotated = (await done(folder, 'rotate', token)).stdout.trim()
    await done(folder, 'revoke', rotated)
    const files = readdirSync(folder.path)
    assert.ok(files.includes('test.db') && files.includes('test.db-wal'))
    const bytes = Buffer.concat(files.map((file) => readFileSync(join(folder.path, file))))
    await store.close()
    assert.ok(bytes.includes(hashOf(token)) && bytes.includes(hashOf(rotated)))
    for (const secret of [token, rotated]) {
      // The first eight characters are stored, because they may be shown. The next few are not stored.
      assert.equal(bytes.includes(secret.slice(0, 12)), false)
      assert.equal(bytes.includes(secret.slice(8)), false)
    }
  })
})

describe('keys list', () => {
  test('petstore keys list shows one line per key or JSON, and never a complete key [decision 10]', async () => {
    using folder = new Folder()
    const long = await makeKey(folder.env, '--expires', '90d', '--rate', '1200/60')
    const used = await makeKey(folder.env, '--scope', 'metrics:read')
    const store = openFile(folder.database)
    const [first] = (await store.keys.list()) as [Key]
    await store.keys.rotate(1, Date.UTC(2040, 0, 2, 3, 4), { ...first, hash: 'x', expiresAt: Date.UTC(2020, 1, 1) })
    await store.keys.touch(2, Date.UTC(2026, 4, 6, 7, 8))
    await store.keys.revoke(2, Date.UTC(2026, 5, 1))
    const keys = await store.keys.list()
    await store.close()

    const { stdout, stderr } = await done(folder, 'list')
    assert.equal(stderr, '')
    const rows = rowsOf(stdout)
    const created = rows[1]?.[5] ?? ''
    assert.match(created, /^\d{4}-\d\d-\d\d \d\d:\d\dZ$/)
    const [first8, all] = [`${long.slice(0, 8)}…`, defaultScopes.join(' ')]
    const revoked = ['default', rows[2]?.[5], 'revoked 2026-06-01 00:00Z', '2026-05-06 07:08Z']
    assert.deepEqual(rows, [
      ['id', 'name', 'key', 'scopes', 'rate', 'created', 'expires', 'last used'],
      ['1', 'test', first8, all, '1200/60', created, '2040-01-02 03:04Z', 'never'],
      ['2', 'test', `${used.slice(0, 8)}…`, 'metrics:read', ...revoked],
      ['3', 'test', first8, all, '1200/60', created, 'expired 2020-02-01 00:00Z', 'never'],
    ])
    assert.ok(!stdout.includes(long) && !stdout.includes(used))
    const [headings = '', ...lines] = stdout.trimEnd().split('\n')
    for (const line of lines) assert.equal(line.indexOf('pst_'), headings.indexOf('key'), stdout)

    const listed = JSON.parse((await done(folder, 'list', '--json')).stdout)
    const createdAt = (i: number) => new Date(keys[i]?.createdAt ?? 0).toISOString()
    const rate = { requests: 1200, seconds: 60 }
    const ofFirst = { name: 'test', prefix: long.slice(0, 8), scopes: [...defaultScopes], rate }
    assert.deepEqual(listed, [
      { id: 1, ...ofFirst, createdAt: createdAt(0), expiresAt: '2040-01-02T03:04:00.000Z' },
      {
        id: 2,
        name: 'test',
        prefix: used.slice(0, 8),
        scopes: ['metrics:read'],
        createdAt: createdAt(1),
        revokedAt: '2026-06-01T00:00:00.000Z',
        lastUsedAt: '2026-05-06T07:08:00.000Z',
      },
      { id: 3, ...ofFirst, createdAt: createdAt(2), expiresAt: '2020-02-01T00:00:00.000Z' },
    ])
  })

  test('petstore keys list says how to create a key if there is none', async () => {
    using folder = new Folder()
    await command(['migrate'], folder.env)
    const none = 'No keys yet. Create one: petstore keys create --name NAME\n'
    assert.deepEqual(await done(folder, 'list'), { stdout: '', stderr: none })
    assert.deepEqual(await done(folder, 'list', '--json'), { stdout: '[]\n', stderr: '' })
  })
})

describe('keys revoke', () => {
  for (const how of ['id', 'key'])
    test(`petstore keys revoke ends only the key with the given ${how}`, async () => {
      using folder = new Folder()
      const since = Date.now()
      const token = await makeKey(folder.env)
      await makeKey(folder.env)
      const { stdout, stderr } = await done(folder, 'revoke', how === 'id' ? '1' : token)
      assert.equal(stdout, '')
      assert.equal(stderr, 'Key 1 (test) is revoked; every instance rejects it within 5 seconds.\n')
      const [first, second] = await keysIn(folder)
      assertRecent(first?.revokedAt, since)
      assert.equal(second?.revokedAt, undefined)
      await done(folder, 'revoke', '1')
      assert.deepEqual(await keysIn(folder), [first, second], 'a second time changes nothing')
    })
})

describe('keys rotate', () => {
  for (const how of ['id', 'key'])
    test(`petstore keys rotate with the ${how} creates a key with the same name and scopes, and the old key works for 24 hours [decision 10]`, async () => {
      using folder = new Folder()
      const old = await makeKey(folder.env, '--scope', 'pets:read')
      const since = Date.now()
      const { stdout, stderr } = await done(folder, 'rotate', how === 'id' ? '1' : old)
      assert.match(stdout, /^pst_[0-9A-Za-z]{36}\n$/)
      assert.match(stderr, /\nThe old key, 1, keeps working for at most 24 hours\.\n$/)
      const [first, second] = await keysIn(folder)
      assert.equal(second?.hash, hashOf(stdout.trim()))
      assert.deepEqual([second?.name, second?.scopes, second?.expiresAt], ['test', ['pets:read'], undefined])
      assert.equal(first?.hash, hashOf(old))
      assert.equal(first?.revokedAt, undefined)
      assertRecent((first?.expiresAt ?? 0) - 24 * hour, since)
    })

  test('petstore keys rotate gives the new key the rate and lifetime of the old key, and never extends the old key [decision 10]', async () => {
    for (const [flags, lifetime] of [
      [[], undefined],
      [['--expires', '2h'], 2 * hour],
      [['--expires', '90d'], 90 * 24 * hour],
    ] as const) {
      using folder = new Folder()
      await makeKey(folder.env, '--rate', '7/3', ...flags)
      const [before] = await keysIn(folder)
      for (const id of ['1', '1', '3']) await done(folder, 'rotate', id)
      const [old, ...made] = await keysIn(folder)
      if (lifetime === 2 * hour) assert.equal(old?.expiresAt, before?.expiresAt)
      assert.equal(made.length, 3)
      for (const { rate, ...key } of made)
        assert.deepEqual([key.lifetime, rate], [lifetime, { requests: 7, seconds: 3 }])
      const { expiresAt, createdAt } = made[2] as Key
      assert.equal(expiresAt && expiresAt - createdAt, lifetime)
    }
  })

  test('petstore keys rotate refuses a key that has expired or was revoked', async () => {
    using folder = new Folder()
    await makeKey(folder.env)
    await done(folder, 'revoke', '1')
    const said = 'Key 1 (test) has expired or was revoked; create a new one with keys create.'
    await fails(['keys', 'rotate', '1'], folder.env, said)
    assert.equal((await keysIn(folder)).length, 1)
  })
})

test('keys revoke and keys rotate report an unknown key in one line, which does not repeat the argument', async () => {
  using folder = new Folder()
  const token = await makeKey(folder.env)
  const slip = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
  for (const action of ['revoke', 'rotate'])
    for (const which of ['2', '0', '01', '1.0', 'test', newToken(), slip, '9'.repeat(30)])
      await fails(['keys', action, which], folder.env, 'There is no such key; "petstore keys list" lists all keys.')
  assert.equal((await keysIn(folder))[0]?.revokedAt, undefined)
})
