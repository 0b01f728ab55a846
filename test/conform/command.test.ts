/** `petstore conform`: exit codes, options, reports, and servers that never answer as they should. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { rules } from '../../conform/src/rules/rules.ts'
import { createSend } from '../../conform/src/send.ts'
import { command, Folder } from '../support/process.ts'
import { TestService } from '../support/service.ts'

const conform = (args: readonly string[], env?: Record<string, string>) => command(['conform', ...args], env)

/** A server that answers as it likes, and its base address. */
async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, [Symbol.asyncDispose]: close }
}

describe('petstore conform', () => {
  const folder = new Folder()
  const file = (name: string) => join(folder.path, name)
  let service: TestService
  let url: string
  before(async () => {
    service = await TestService.inProcess(folder.env)
    url = `${service.url}/v1`
  })
  after(async () => {
    await service.stop()
    folder[Symbol.dispose]()
  })

  test('exits with 0 where all rules hold, and leaves no animal without an order behind', async () => {
    const groups = ['create.created', 'create.ids', 'change', 'order.place', 'event'].flatMap((id) => ['--only', id])
    const { code, stdout, stderr } = await conform([url, '--key', service.key, ...groups])
    assert.equal(code, 0, stdout)
    assert.match(stderr, /^\d+ checks on .*; adds animals named conform… and removes what it can\.\n/)
    assert.match(stdout, /^SKIP event\..*: the key may not GET \/events: 403$/m)
    assert.match(stdout, /^Level store: \d+ passed, 0 failed, \d+ skipped\.\n$/m)
    const left = (await service.call('GET', '/pets?limit=100')).json
    for (const { id } of left) assert.equal((await service.call('DELETE', `/pets/${id}`)).status, 409)
  })

  test('takes the key from PETSTORE_KEY, a level, and single checks or groups', async () => {
    const env = { PETSTORE_KEY: service.key }
    assert.match((await conform([url, '--level', 'core', '--only', 'list.limit'], env)).stdout, /: 4 passed/)
    assert.match((await conform([url, '--only', 'list.limit.max', '--only', 'error.400'], env)).stdout, /: 2 passed/)
  })

  test('writes a report by the ending of its name, with --force over another file, and never the key', async () => {
    const args = [url, '--key', service.key, '--only', 'auth.valid', '--only', 'get.removed']
    for (const ending of ['json', 'xml']) {
      writeFileSync(file(`r.${ending}`), 'notes')
      const { code, stderr } = await conform([...args, '--report', file(`r.${ending}`), '--force'])
      assert.equal(code, 0, stderr)
      assert.ok(!readFileSync(file(`r.${ending}`), 'utf8').includes(service.key))
    }
    const report = JSON.parse(readFileSync(file('r.json'), 'utf8'))
    assert.deepEqual([report.url, report.level, report.failed], [url, 'store', 0])
    assert.equal(report.passed + report.skipped, report.checks.length)
    assert.partialDeepStrictEqual(report.checks[0], {
      id: 'auth.valid',
      level: 'core',
      status: 'pass',
      expected: '',
      actual: '',
    })
    assert.match(
      readFileSync(file('r.xml'), 'utf8'),
      /<testcase classname="conform.core" name="auth.valid: [^"]+"><\/testcase>/,
    )
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.includes('part')),
      [],
    )
  })

  test('says before the first check why a report cannot be written, and what to change [D215]', async () => {
    mkdirSync(file('folder.json'))
    symlinkSync(file('none.json'), file('link.json'))
    symlinkSync('/dev/null', file('device.json'))
    writeFileSync(file('notes.json'), '{}')
    for (const [name, message] of [
      ['folder.json', 'NAME is a folder. Name a file in it.'],
      ['link.json', 'NAME is a symbolic link to a file that does not exist. Name that file.'],
      ['device.json', 'NAME is not a file. Name another.'],
      ['notes.json', 'NAME exists. Name another file, or replace it with --force.'],
      ['nowhere/r.json', 'There is no folder FOLDER. Create it first.'],
    ] as const)
      assert.deepEqual(await conform([url, '--key', service.key, '--report', file(name)]), {
        code: 2,
        stdout: '',
        stderr: `petstore: ${message.replace('NAME', file(name)).replace('FOLDER', file('nowhere'))}
`,
      })
  })

  for (const [given, message] of [
    ['--key x', /^petstore: Cannot ask http:\/\/127\.0\.0\.1:1\/v1: no answer: .*ECONNREFUSED.*\n$/],
    ['127.0.0.1/v1 --key x', /^petstore: "127\.0\.0\.1\/v1" is no base address/],
    ['http://a:b@127.0.0.1/v1 --key x', /is no base address/],
    ['', /^petstore: Give an API key/],
    ['--key x --levle all', /Unknown option '--levle'\./],
    ['--key x --level all', /--level must be one of core, full, store/],
    ['--key x --only list.lim', /No check has the id "list\.lim"/],
    ['--key x --report r.pdf', /--report must end with one of \.json, \.xml\./],
    ['--key x --expect /nowhere', /Cannot read \/nowhere: no such file or directory\.\n/],
  ] as const)
    test(`exits with 2 for ${given || 'no key'}`, async () => {
      const args = given.split(' ').filter(Boolean)
      const { code, stderr, stdout } = await conform(/^-|^$/.test(given) ? ['http://127.0.0.1:1/v1', ...args] : args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, message)
    })

  test('exits with 2 where the key is not taken or may not list, or the version is missing', async () => {
    const mayNotList = await service.makeKey({ scopes: ['orders:read'] })
    for (const [address, key, message] of [
      [url, 'nope', 'The service does not take the key: 401.'],
      [url, mayNotList, 'The key may not list animals: 403.'],
      [
        service.url,
        service.key,
        `There is no ${service.url}/pets: 404. The base address ends with the version, such as ${url}.`,
      ],
    ] as const)
      assert.deepEqual(await conform([address, '--key', key]), {
        code: 2,
        stdout: '',
        stderr: `petstore: ${message}\n`,
      })
  })

  test('skips what a key that may only read cannot do', async () => {
    const key = await service.makeKey({ scopes: ['pets:read'] })
    const { code, stdout } = await conform([url, '--key', key])
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^SKIP .*list\.limit\.max.*create\.created.*: the key may not POST \/pets: 403$/m)
    assert.match(stdout, /^SKIP .*category\.name.*: the key may not PUT \/categories\/0: 403$/m)
  })

  test('exits with 1 and shows each failure, except those that are expected; one that passes is told', async () => {
    await using server = await serve((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]'),
    )
    const args = [server.url, '--key', "it's", '--only', 'auth.missing', '--only', 'list.json']
    const first = await conform(args)
    assert.equal(first.code, 1)
    assert.match(
      first.stdout,
      /^FAIL auth\.missing\.list: .*\n {2}expected {2}401\n {2}actual {4}200 \[\]\n {2}curl -sSg -iX GET 'http.*s'$/m,
    )
    writeFileSync(
      file('known'),
      '# to be done\nauth.missing.list\nauth.missing.create # soon\nauth.missing.get\nlist.json\n',
    )
    const second = await conform([...args, '--expect', file('known')])
    assert.deepEqual([second.code, second.stdout.includes('FAIL')], [0, false])
    assert.match(second.stdout, /^PASS list\.json: is expected to fail; take it out of /m)
    assert.match(second.stdout, /: 1 passed, 3 failed \(3 of them expected\), 0 skipped/)
  })

  test('says what it could not remove', async () => {
    await using server = await serve(({ method }, response) =>
      response.writeHead(method === 'POST' ? 201 : method === 'DELETE' ? 403 : 200).end('{"id":7}'),
    )
    const { stderr } = await conform([server.url, '--key', 'x', '--only', 'create.category'])
    assert.match(stderr, /\nCould not remove 1, such as \/pets\/7\.\n$/)
  })

  test('never shows the key, whatever the service sends', async () => {
    await using server = await serve((request, response) => response.end(JSON.stringify(request.headers)))
    const args = [server.url, '--key', service.key, '--only', 'auth', '--only', 'me', '--report', file('echo.json')]
    const { code, stdout } = await conform(args)
    assert.equal(code, 1)
    assert.match(stdout, /FAIL auth\.altered.*PETSTORE_KEY%\?.*FAIL me\.key/s)
    for (const text of [stdout, readFileSync(file('echo.json'), 'utf8')])
      assert.ok(!text.includes(service.key.slice(0, -1)))
  })

  test('shows an answer as it came if the key is too short to be a secret', async () => {
    await using server = await serve((_, response) => response.writeHead(400).end('{"code":"unknown_field"}'))
    const { stdout } = await conform([server.url, '--key', 'k', '--only', 'auth.valid'])
    assert.match(stdout, /\n {2}actual {4}400 \{"code":"unknown_field"\}\n/)
    assert.match(stdout, /-H "Authorization: Bearer \$PETSTORE_KEY" 'http:.*\/v1\/pets\?limit=1'\n/)
  })

  test('lists the checks under their sentences, of a level or a group, and asks no service', async () => {
    const { code, stdout } = await conform(['--list'])
    assert.deepEqual([code, stdout.match(/^ {2}\S+(?=: )/gm)?.map((id) => id.trim())], [0, rules.map(({ id }) => id)])
    const ofGroup = await conform(['--list', '--level', 'full', '--only', 'list.limit.max', '--only', 'event'])
    assert.equal(
      ofGroup.stdout,
      '[core] Limits: “limit minimum 1, limit maximum 100, limit default 20.”\n' +
        '  list.limit.max: a page may have 100 animals\n',
    )
  })
})

describe('An answer is not trusted:', () => {
  const [soon, late] = [300, 60_000]
  const behaviours: Record<string, [RequestListener, timeoutMilliseconds: number, RegExp]> = {
    'one that never comes': [() => {}, soon, /^no whole answer within 0\.3 s$/],
    'one that never ends': [
      (_, response) => void setInterval(() => response.write('x'), 20).unref(),
      soon,
      /^no whole answer within 0\.3 s$/,
    ],
    'one that is huge': [
      (_, response) => response.end('x'.repeat(3_000_000)),
      late,
      /^an answer of more than 1000000 bytes$/,
    ],
    'one that breaks off': [
      (request, response) => {
        response.writeHead(200, { 'Content-Length': '9' }).write('x')
        setImmediate(() => request.socket.destroy())
      },
      late,
      /breaks off|no answer/,
    ],
    'one that is no HTTP': [(request) => request.socket.end('nonsense\r\n\r\n'), late, /^no answer: /],
    'one with endless headers': [
      (request) => void request.socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`),
      late,
      /^no answer: /,
    ],
  }
  for (const [name, [listener, timeoutMilliseconds, message]] of Object.entries(behaviours))
    test(name, async () => {
      await using server = await serve(listener)
      const send = createSend({ bytesMax: 1_000_000, timeoutMilliseconds })
      await assert.rejects(send({ method: 'GET', url: server.url, headers: [], body: undefined }), { message })
      send.close()
    })

  test('a redirect is an answer like any other, after which nothing is waited for', async () => {
    const server = await serve((_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end())
    const send = createSend({ bytesMax: 1_000, timeoutMilliseconds: late })
    assert.equal((await send({ method: 'GET', url: server.url, headers: [], body: undefined })).status, 302)
    send.close()
    await server[Symbol.asyncDispose]()
    assert.ok(!process.getActiveResourcesInfo().includes('Timeout'))
  })
})
