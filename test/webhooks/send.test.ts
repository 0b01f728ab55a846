/** One attempt to send a webhook: where it goes, what is sent, and what counts as an answer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { certify } from '../../harness/certificate.ts'
import { NameServer } from '../../harness/name-server.ts'
import { Folder, node, Program, testWith } from '../../harness/process.ts'
import { type Attempt, secret } from '../../harness/webhook-try.ts'
import { networksOf } from '../../src/config/network.ts'
import { systemTime } from '../../src/time.ts'
import { createSender, newSecret, type TryResult } from '../../src/webhooks/send.ts'

const child = fileURLToPath(new URL('../../harness/webhook-try.ts', import.meta.url))
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

const notPublic = [
  ['of this host', '0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.254', '::', '::1'],
  ['of a private network', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1'],
  ['of the link', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['of the metadata of a cloud', '169.254.169.254', 'fd00:ec2::254', '::ffff:169.254.169.254'],
  ['behind a carrier', '100.64.0.1', '100.127.255.255'],
  ['of a group', '224.0.0.1', '239.255.255.255', 'ff02::1'],
  ['reserved', '192.0.0.1', '192.88.99.1', '198.18.0.1', '240.0.0.1', '255.255.255.255', '100::1', '4000::1'],
  ['of documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['IPv4 in IPv6', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::8.8.8.8'],
  ['6to4 or Teredo', '2002:7f00:1::1', '2002:808:808::1', '2001::1'],
] as const

/** Listens on every address of this machine. `answer` receives each connection once something has arrived. */
class Receiver implements AsyncDisposable {
  /** What was received on each connection. */
  readonly requests: string[] = []
  readonly closed: Promise<unknown>[] = []
  /** The names that TLS connections asked for. */
  readonly names: unknown[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(answer: (socket: Socket) => unknown, tls?: { key: string; cert: string }): Promise<Receiver> {
    const serve = (socket: Socket) => {
      receiver.closed.push(new Promise((resolve) => socket.on('close', resolve)))
      socket.on('error', () => {})
      if (socket instanceof TLSSocket) receiver.names.push(socket.servername)
      socket.once('data', (data) => {
        receiver.requests.push(String(data))
        answer(socket)
      })
    }
    const server = tls ? createTlsServer(tls, serve) : createServer(serve)
    server.on('tlsClientError', () => {})
    const receiver = new Receiver(server)
    server.listen(0, '0.0.0.0')
    await once(server, 'listening')
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    await Promise.all(this.closed)
  }
}

describe('a webhook that is sent', () => {
  let program: Program
  let said = 0
  before(() => {
    // Proxy settings of the environment must have no influence.
    const nowhere = 'http://127.0.0.1:1'
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: nowhere, http_proxy: nowhere, HTTPS_PROXY: nowhere }
    program = new Program([node, child], { env })
  })
  after(() => program[Symbol.asyncDispose]())

  async function send(request: Attempt | readonly Attempt[]): Promise<TryResult[]> {
    program.type(`${JSON.stringify(request)}\n`)
    const [, line = ''] = await program.until(new RegExp(`^(?:.*\\n){${said++}}(.*)\\n`))
    return JSON.parse(line)
  }
  const local = { allowed: ['127.0.0.1'], addresses: [['127.0.0.1']] }
  const urlOf = ({ port }: Receiver) => `http://hooks.example:${port}/hooks?a=b`

  test('The message of a webhook is a POST of the event to the name in the URL, with a signature that standardwebhooks verifies [decision 16]', async () => {
    await using receiver = await Receiver.start((socket) => socket.end(ok))
    assert.deepEqual(await send({ url: urlOf(receiver), ...local }), [{ status: 200 }])
    const [head = '', body] = (receiver.requests[0] ?? '').split('\r\n\r\n')
    const [first, ...lines] = head.split('\r\n')
    assert.equal(first, 'POST /hooks?a=b HTTP/1.1')
    assert.equal(body, '{"id":2}')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
    assert.deepEqual(new Webhook(secret).verify(body ?? '', headers), { id: 2 })
    assert.partialDeepStrictEqual(headers, {
      Host: `hooks.example:${receiver.port}`,
      'Content-Type': 'application/json',
      'Content-Length': '8',
      Connection: 'close',
      'webhook-id': 'msg_1_2',
    })
    assert.ok(!head.includes(secret))
  })

  for (const [what, answer, expected, options] of [
    ['a status', (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'), { status: 204 }],
    ['a status of HTTP/1.0', (socket) => socket.end('HTTP/1.0 500\r\n\r\n'), { status: 500 }],
    [
      'a status after hints',
      (socket) =>
        socket.end(
          'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 410 Gone\r\n\r\n',
        ),
      { status: 410 },
    ],
    ['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'), { fault: 'invalid_response' }],
    ['a status that does not exist', (socket) => socket.end('HTTP/1.1 600 \r\n\r\n'), { fault: 'invalid_response' }],
    [
      'another protocol over the same connection',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n'),
      { fault: 'no_response' },
    ],
    ['part of a head', (socket) => socket.end('HTTP/1.1 200'), { fault: 'no_response' }],
    ['nothing', (socket) => socket.end(), { fault: 'no_response' }],
    // The connection is closed once the status has arrived.
    [
      'an endless body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const more = () => socket.write('x'.repeat(65_536), (error) => error ?? setImmediate(more))
        more()
      },
      { status: 200 },
    ],
    [
      'more than 16 KiB of a head',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Fill: ${'x'.repeat(16 * 1024)}`),
      { fault: 'invalid_response' },
    ],
    ['no word', () => {}, { fault: 'timeout' }, { timeoutMilliseconds: 100 }],
    [
      'an answer that has begun',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n'),
      { fault: 'timeout' },
      { timeoutMilliseconds: 100 },
    ],
    ['no word until it is broken off', () => {}, { fault: 'aborted' }, { isBrokenOff: true }],
  ] as readonly (readonly [string, (socket: Socket) => unknown, TryResult, Partial<Attempt>?])[])
    test(`An attempt to send a webhook ends if it receives ${what}`, async () => {
      await using receiver = await Receiver.start(answer)
      assert.deepEqual(await send({ url: urlOf(receiver), ...local, ...options }), [expected])
    })

  test('An attempt to send a webhook follows no redirect', async () => {
    await using target = await Receiver.start((socket) => socket.end(ok))
    const head = `HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:${target.port}/\r\n\r\n`
    await using receiver = await Receiver.start((socket) => socket.end(head))
    assert.deepEqual(await send({ url: urlOf(receiver), ...local }), [{ status: 307 }])
    assert.deepEqual(target.requests, [])
  })

  test('An attempt to send a webhook reports that nobody listens, or that the name has no address', async () => {
    const url = 'http://hooks.example:1/'
    assert.deepEqual(await send({ url, ...local }), [{ fault: 'connection_failed' }])
    assert.deepEqual(await send({ url, ...local, addresses: [[]] }), [{ fault: 'name_not_resolved' }])
  })

  test('The message of a webhook is not sent if any address of the name is forbidden, as with a CNAME to a private name', async () => {
    await using receiver = await Receiver.start((socket) => socket.end(ok))
    for (const addresses of [
      ['127.0.0.2'],
      ['127.0.0.1', '127.0.0.2'],
      ['::ffff:127.0.0.2'],
      ['1.1.1.1', '127.0.0.1'],
      ['::1'],
    ])
      assert.deepEqual(
        await send({ url: urlOf(receiver), ...local, addresses: [addresses] }),
        [{ fault: 'address_not_allowed' }],
        addresses.join(),
      )
    for (const host of ['localhost', '2130706434', '127.0.0.2', '[::ffff:127.0.0.2]'])
      assert.deepEqual(
        await send({ url: `http://${host}:${receiver.port}/`, allowed: ['127.0.0.1'], addresses: [['127.0.0.2']] }),
        [{ fault: 'address_not_allowed' }],
        host,
      )
    assert.deepEqual(receiver.requests, [])
  })

  for (const [what, ...addresses] of notPublic)
    test(`The message of a webhook is not sent if the address of the name is ${what} [decision 16]`, async () => {
      const tries = addresses.map((address) => ({ url: 'https://hooks.example/', addresses: [[address]] }))
      assert.deepEqual(
        await send(tries),
        addresses.map(() => ({ fault: 'address_not_allowed' })),
      )
    })

  test('An attempt to send a webhook connects to the address that it has checked, so that DNS rebinding fails [decision 16]', async () => {
    await using receiver = await Receiver.start((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n`))
    const addresses = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']]
    assert.deepEqual(await send({ url: urlOf(receiver), ...local, addresses, times: 3 }), [
      { status: 200 },
      { fault: 'address_not_allowed' },
      { status: 200 },
    ])
    assert.equal(receiver.requests.length, 2)
  })

  test('The next attempt to send a webhook uses the next address [decision 16]', async () => {
    await using receiver = await Receiver.start((socket) => socket.end(ok))
    const addresses = [['::1', '127.0.0.1']]
    const outcomes = await send({ url: urlOf(receiver), addresses, allowed: ['127.0.0.1', '::1'], times: 3 })
    assert.deepEqual(outcomes, [{ fault: 'connection_failed' }, { status: 200 }, { fault: 'connection_failed' }])
  })

  test('An attempt to send a webhook looks a name up only in the hosts file and in DNS [decision 16]', async () => {
    await using receiver = await Receiver.start((socket) => socket.end(ok))
    await using dns = await NameServer.start({
      'both.example': ['127.0.0.1', '::1'],
      'four.example': ['127.0.0.1'],
      'six.example': ['::1'],
      'private.example': ['127.0.0.1', '10.0.0.1'],
    })
    using folder = new Folder()
    const hostsFile = join(folder.path, 'hosts')
    writeFileSync(
      hostsFile,
      '# 127.0.0.1 comment.example\n::1 local.example\n127.0.0.1\tother Local.Example # four\n10.0.0.1 four.other\n',
    )
    const names = { servers: [dns.address], hostsFile }
    const outcomesOf = (name: string, times = 1) =>
      send({ url: `http://${name}:${receiver.port}/`, names, allowed: ['127.0.0.1', '::1'], times })
    const [sent, nobody] = [{ status: 200 }, { fault: 'connection_failed' }]
    // The receiver listens only on IPv4, which is tried first.
    assert.deepEqual(await outcomesOf('both.example', 2), [sent, nobody])
    assert.deepEqual(await outcomesOf('four.example.'), [sent])
    assert.deepEqual(await outcomesOf('six.example'), [nobody])
    assert.deepEqual(await outcomesOf('private.example'), [{ fault: 'address_not_allowed' }])
    assert.deepEqual(await outcomesOf('comment.example'), [{ fault: 'name_not_resolved' }])
    dns.questions.length = 0
    assert.deepEqual(await outcomesOf('local.example', 2), [sent, nobody])
    assert.deepEqual(await outcomesOf('shop.localhost'), [sent])
    assert.deepEqual(await outcomesOf('four.other'), [{ fault: 'address_not_allowed' }])
    assert.deepEqual(dns.questions, [])
  })

  test('An attempt to send a webhook waits for silent name servers no longer than an attempt may take [decision 16]', async () => {
    await using receiver = await Receiver.start((socket) => socket.end(ok))
    await using dns = await NameServer.start({ 'good.example': ['127.0.0.1'] }, true)
    const names = { servers: [dns.address], hostsFile: '/nowhere' }
    const silent = Array.from({ length: 8 }, (_, i) => ({
      url: `http://silent${i}.example/`,
      names,
      isBrokenOff: true,
    }))
    const good = { url: `http://good.example:${receiver.port}/`, names, allowed: ['127.0.0.1'] }
    assert.deepEqual(await send([...silent, good]), [...silent.map(() => ({ fault: 'aborted' })), { status: 200 }])
  })

  testWith(
    ['openssl'],
    'A webhook is sent only to a receiver whose certificate has its name and is trusted',
    async () => {
      using folder = new Folder()
      const read = (file: string) => ({
        key: readFileSync(`${file}.key`, 'utf8'),
        cert: readFileSync(`${file}.crt`, 'utf8'),
      })
      const named = read(certify(join(folder.path, 'name'), 'DNS:hooks.example'))
      const numbered = read(certify(join(folder.path, 'address'), 'IP:127.0.0.1'))
      for (const [certificate, host, ca, expected] of [
        [named, 'hooks.example', named.cert, { status: 200 }],
        [named, 'hooks.example.', named.cert, { status: 200 }],
        [numbered, '127.0.0.1', numbered.cert, { status: 200 }],
        [named, 'other.example', named.cert, { fault: 'tls_failed' }],
        [numbered, 'hooks.example', numbered.cert, { fault: 'tls_failed' }],
        [named, '127.0.0.1', named.cert, { fault: 'tls_failed' }],
        [named, 'hooks.example', numbered.cert, { fault: 'tls_failed' }],
        [named, 'hooks.example', undefined, { fault: 'tls_failed' }],
      ] as const) {
        await using receiver = await Receiver.start((socket) => socket.end(ok), certificate)
        const url = `https://${host}:${receiver.port}/`
        assert.deepEqual(await send({ url, ...local, ...(ca && { ca }) }), [expected], host)
        assert.equal(receiver.requests.length, 'status' in expected ? 1 : 0)
        const isNamed = host.startsWith('hooks') && certificate === named
        if ('status' in expected) assert.deepEqual(receiver.names, [isNamed ? 'hooks.example' : false], host)
      }
      await using silent = await Receiver.start((socket) => socket.end(), named)
      const url = `https://hooks.example:${silent.port}/`
      assert.deepEqual(await send({ url, ...local, ca: named.cert }), [{ fault: 'no_response' }])
      await using plain = await Receiver.start((socket) => socket.end(ok))
      assert.deepEqual(await send({ url: `https://hooks.example:${plain.port}/`, ...local }), [{ fault: 'tls_failed' }])
    },
  )
})

test('A test event is sent to the first address of its name, because it is not repeated [decision 16]', async () => {
  await using receiver = await Receiver.start((socket) => socket.end(ok))
  const sender = createSender({
    time: systemTime,
    allowed: networksOf('127.0.0.1', '::1'),
    resolve: async () => ['127.0.0.1', '::1'],
  })
  const url = `http://hooks.example:${receiver.port}/`
  assert.deepEqual(await sender.test({ url, id: 'test_1', body: '{}', secrets: [secret] }), { status: 200 })
})

test('The secret of a webhook has 256 random bits', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret))
  assert.equal(secrets.size, 100)
  for (const each of secrets) assert.match(each, /^whsec_[\w+/]{43}=$/)
})
