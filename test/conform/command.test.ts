/** `petstore conform`: exit codes, options, reports, and servers whose answers are never as they should be. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { conform as check } from '../../conform/src/command.ts'
import { rules } from '../../conform/src/rules/rules.ts'
import { createSend } from '../../conform/src/send.ts'
import { version } from '../../conform/src/version.ts'
import { command, Folder } from '../../harness/process.ts'
import { testInFull } from '../../harness/scope.ts'
import { TestService } from '../../harness/service.ts'

const conform = (args: readonly string[], env?: Record<string, string>) => command(['conform', ...args], env)

/** Starts a server with this listener, and returns its base address. */
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

  test('petstore conform exits with 0 if all rules hold, and leaves no animal without an order behind', async () => {
    const groups = ['create.created', 'create.ids', 'change', 'order.place', 'get'].flatMap((id) => ['--only', id])
    const { code, stdout, stderr } = await conform([url, '--key', service.key, ...groups])
    assert.equal(code, 0, stdout)
    assert.match(stderr, /^\d+ checks on .*; adds animals named conform… and removes what it can\.\n/)
    assert.match(
      stderr,
      /^Could not remove from \/pets \(409 order_state_conflict\): \d+\.\n.* from \/store\/orders \(.*\): 1\.$/m,
    )
    assert.match(stdout, /^SKIP get\.removed, get\.removed\.code: holds from 2030-12-05 on$/m)
    assert.match(stdout, /^Level store: \d+ passed, 0 failed, 0 not checked, 2 skipped\.\n$/m)
    const left = (await service.call('GET', '/pets?limit=100')).json
    for (const { id } of left) assert.equal((await service.call('DELETE', `/pets/${id}`)).status, 409)
  })

  testInFull(
    'petstore conform reads the key from PETSTORE_KEY, and checks a level, a group or single rules',
    async () => {
      const env = { PETSTORE_KEY: service.key }
      assert.match((await conform([url, '--level', 'core', '--only', 'list.limit'], env)).stdout, /: 4 passed/)
      assert.match((await conform([url, '--only', 'list.limit.max', '--only', 'error.400'], env)).stdout, /: 2 passed/)
    },
  )

  test('petstore conform writes a report without the key in the format of its file name, and overwrites a file only with --force', async () => {
    const args = [url, '--key', service.key, '--only', 'auth.valid', '--only', 'get.removed']
    for (const ending of ['json', 'xml']) {
      writeFileSync(file(`r.${ending}`), 'notes')
      const { code, stderr } = await conform([...args, '--report', file(`r.${ending}`), '--force'])
      assert.equal(code, 0, stderr)
      assert.ok(!readFileSync(file(`r.${ending}`), 'utf8').includes(service.key))
    }
    const report = JSON.parse(readFileSync(file('r.json'), 'utf8'))
    assert.deepEqual([report.url, report.level, report.failed, report.unchecked], [url, 'store', 0, 0])
    assert.equal(report.passed + report.skipped, report.checks.length)
    assert.deepEqual([report.kit, report.causes, report.left], [{ name: 'petstore-conform', version }, [], []])
    assert.ok(Math.abs(Date.parse(report.startedAt) - Date.now()) < 600_000, report.startedAt)
    for (const { milliseconds } of [report, ...report.checks]) assert.ok(Number.isInteger(milliseconds))
    assert.partialDeepStrictEqual(report.checks[0], {
      id: 'auth.valid',
      level: 'core',
      status: 'pass',
      expected: '',
      actual: '',
    })
    assert.match(
      readFileSync(file('r.xml'), 'utf8'),
      /<testcase classname="conform.core" name="auth.valid: [^"]+" time="\d+\.\d{3}"><\/testcase>/,
    )
    assert.match(
      readFileSync(file('r.xml'), 'utf8'),
      RegExp(`skipped="2" timestamp="20[^"]+Z" time="[\\d.]+">.*name="kit" value="petstore-conform ${version}"`, 's'),
    )
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.includes('part')),
      [],
    )
  })

  test('petstore conform reports every request of a failed rule, and the common cause of several failures', async () => {
    await using server = await serve(({ method }, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(method === 'POST' ? '{"id":7}' : '[]'),
    )
    const args = [server.url, '--key', 'x', '--only', 'create.ids', '--only', 'list.status.sold']
    const names = ['causes.json', 'causes.xml'].map(file)
    const [first] = await Promise.all(names.map((name) => conform([...args, '--report', name])))
    assert.match(
      first?.stdout ?? '',
      /^FAIL create\.ids: .*\n {2}as list\.status\.sold: POST \/pets answers 200, not 201$/m,
    )
    assert.match(
      first?.stdout ?? '',
      /^CAUSE of 2 failures: POST \/pets answers 200, not 201 \(list\.status\.sold, create\.ids\)$/m,
    )
    const report = JSON.parse(readFileSync(file('causes.json'), 'utf8'))
    assert.deepEqual(report.causes, [
      { cause: 'POST /pets answers 200, not 201', checks: ['list.status.sold', 'create.ids'] },
    ])
    const [{ requests, curl }] = report.checks
    assert.deepEqual([requests.length, requests[0].curl, requests[0].status], [1, curl, 200])
    assert.match(
      readFileSync(file('causes.xml'), 'utf8'),
      /<failure type="POST \/pets answers 200, not 201" .*\nrequests:\n200 \(\d+ ms\) curl -sSg -iX POST /s,
    )
  })

  test('petstore conform says before the first check why a report cannot be written, and what to change [decision 27]', async () => {
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
    ['--key x --timeout 0', /--timeout must be a number of seconds, above 0 and at most 2000000\./],
    ['--key x --request-timeout 5m', /--request-timeout must be a number of seconds/],
    ['--key x --expect /nowhere', /Cannot read \/nowhere: no such file or directory\.\n/],
  ] as const)
    test(`petstore conform exits with 2 for ${given || 'no key'}`, async () => {
      const args = given.split(' ').filter(Boolean)
      const { code, stderr, stdout } = await conform(/^-|^$/.test(given) ? ['http://127.0.0.1:1/v1', ...args] : args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, message)
    })

  test('petstore conform exits with 2 if the key is refused or may not list animals, or if /v1 is missing in the URL', async () => {
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

  test('petstore conform with a key that may not add animals says that there are too few, not that pages are missing [decision 19]', async () => {
    using elsewhere = new Folder()
    await using empty = await TestService.inProcess(elsewhere.env)
    const key = await empty.makeKey({ scopes: ['pets:read'] })
    const { stdout } = await conform([`${empty.url}/v1`, '--key', key, '--only', 'list'])
    const [, few = ''] =
      /^NOT CHECKED (.*): there are fewer than two animals, and none can be added$/m.exec(stdout) ?? []
    assert.deepEqual(
      ['list.cursor.last', 'list.twice'].filter((id) => !few.includes(id)),
      [],
      stdout,
    )
  })

  test('petstore conform exits with 3 if no rule fails but some could not be checked, unless that is expected [decision 19]', async () => {
    const key = await service.makeKey({ scopes: ['pets:read'] })
    const { code, stdout } = await conform([url, '--key', key])
    assert.equal(code, 3, stdout)
    assert.match(stdout, /^NOT CHECKED .*list\.limit\.max.*create\.created.*: the key may not POST \/pets: 403$/m)
    assert.match(stdout, /^NOT CHECKED .*category\.name.*: the key may not PUT \/categories\/0: 403$/m)
    assert.match(stdout, /^Level store: \d+ passed, 0 failed, \d{3} not checked, 2 skipped\.$/m)
    const args = [url, '--key', key, '--only', 'create.created', '--report', file('unchecked.xml')]
    assert.equal((await conform(args)).code, 3)
    assert.match(
      readFileSync(file('unchecked.xml'), 'utf8'),
      / failures="0" errors="1" .*<error type="not checked" message="the key may not POST \/pets: 403"\/>/s,
    )
    writeFileSync(file('reader'), 'create.created\n')
    assert.equal((await conform([...args.slice(0, -2), '--expect', file('reader')])).code, 0)
  })

  testInFull(
    'petstore conform ends after --timeout without checking the rest, and --request-timeout limits each request',
    async () => {
      await using server = await serve(({ url }, response) => {
        if (url !== '/v1/pets') response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]')
      })
      const args = [server.url, '--key', 'x', '--only', 'list.json', '--only', 'version']
      const slow = await conform([...args, '--request-timeout', '0.3'])
      assert.equal(slow.code, 3, slow.stdout)
      assert.match(slow.stdout, /^NOT CHECKED list\.json: no whole answer within 0\.3 s$/m)
      const late = await conform([...args, '--timeout', '0.000001'])
      assert.equal(late.code, 3, late.stdout)
      assert.match(late.stdout, /^NOT CHECKED list\.json, version\.prefix: the run reached the limit of --timeout$/m)
    },
  )

  test('petstore conform shows its progress on a terminal in one line, which is cleared before other output', async () => {
    let shown = ''
    const output = { isTTY: true, write: (text: string) => void (shown += text) }
    await using server = await serve((_, response) => response.writeHead(200).end('[]'))
    const args = [server.url, '--key', 'x', '--only', 'auth.missing']
    await check(args, { program: 'petstore-conform', env: {}, stdout: output, stderr: output })
    const clear = '\r\u001b[K'
    assert.ok(shown.includes(`${clear}asking what the service has: codes${clear}0 of 3 checked${clear}`), shown)
    assert.ok(shown.includes('3 of 3 checked'), shown)
    assert.ok(shown.includes(`${clear}removing what was added${clear}`), shown)
    for (const before of shown.split('FAIL').slice(0, -1)) assert.ok(before.endsWith(clear) || before.endsWith('\n'))
  })

  test('petstore conform exits with 1 for an unexpected failure, and for an expected failure that passes', async () => {
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
    assert.match(second.stdout, /: 1 passed, 3 failed \(3 of them expected\), 0 not checked, 0 skipped/)
  })

  test('petstore conform says what it could not remove', async () => {
    await using server = await serve(({ method }, response) =>
      response.writeHead(method === 'POST' ? 201 : method === 'DELETE' ? 403 : 200).end('{"id":7}'),
    )
    const { stderr } = await conform([server.url, '--key', 'x', '--only', 'create.category'])
    assert.match(stderr, /\nCould not remove from \/pets \(403\): 7\.\n$/)
  })

  test('petstore conform never shows the key, whatever the service sends', async () => {
    await using server = await serve((request, response) => response.end(JSON.stringify(request.headers)))
    const only = ['--only', 'auth.altered', '--only', 'me']
    const args = [server.url, '--key', service.key, ...only, '--report', file('echo.json')]
    const { code, stdout } = await conform(args)
    assert.equal(code, 1)
    assert.match(stdout, /FAIL auth\.altered.*PETSTORE_KEY%\?.*FAIL me\.key/s)
    for (const text of [stdout, readFileSync(file('echo.json'), 'utf8')])
      assert.ok(!text.includes(service.key.slice(0, -1)))
  })

  test('petstore conform does not mask a key that is too short to be a secret', async () => {
    await using server = await serve((_, response) => response.writeHead(400).end('{"code":"unknown_field"}'))
    const { stdout } = await conform([server.url, '--key', 'k', '--only', 'auth.valid'])
    assert.match(stdout, /\n {2}actual {4}400 \{"code":"unknown_field"\}\n/)
    assert.match(stdout, /-H "Authorization: Bearer \$PETSTORE_KEY" 'http:.*\/v1\/pets\?limit=1'\n/)
  })

  test('petstore conform lists the rules of a level or a group under their sentences without sending a request', async () => {
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

  test('The kit does not report a failure if the server closes an idle connection before the next request', async () => {
    const sockets = new Set<unknown>()
    await using server = await serve((request, response) => {
      // The server acts as if it had closed the connection just before the request arrived.
      if (sockets.has(request.socket)) return void request.socket.destroy()
      sockets.add(request.socket)
      response.end('[]')
    })
    const send = createSend({ bytesMax: 1_000, timeoutMilliseconds: late })
    for (let number = 0; number < 3; number++)
      assert.equal((await send({ method: 'GET', url: server.url, headers: [], body: undefined })).status, 200)
    send.close()
    assert.equal(sockets.size, 3)
  })

  test('The kit takes a redirect as an answer like any other, and waits for nothing more', async () => {
    const server = await serve((_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end())
    const send = createSend({ bytesMax: 1_000, timeoutMilliseconds: late })
    assert.equal((await send({ method: 'GET', url: server.url, headers: [], body: undefined })).status, 302)
    send.close()
    await server[Symbol.asyncDispose]()
    assert.ok(!process.getActiveResourcesInfo().includes('Timeout'))
  })
})
