/** Behind a real nginx, set up as in deploy/: tags, kept as they are or compressed, and event streams. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { FrameReader } from '../support/event-stream.ts'
import { addPet, expectError } from '../support/expect.ts'
import { Folder, Program, testWith } from '../support/process.ts'
import { projectFile } from '../support/project.ts'
import { type Answer, onOneTarget, type TestService } from '../support/service.ts'

const compressing = 'gzip on; gzip_types application/json;'

/** nginx in front of the service, with the example configuration of deploy/; it listens on a socket in its folder. */
class Nginx extends Program {
  readonly #folder: Folder
  readonly #service: TestService

  private constructor(service: TestService, folder: Folder, gzip: string) {
    const at = (name: string) => join(folder.path, name)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${at(kind)};`,
    )
    const config = projectFile('deploy/nginx.conf')
      .replace(/^pid .*$/m, `pid ${at('pid')};`)
      .replace(/^http \{$/m, `http {\n${temporary.join('\n')}`)
      .replace(/^( *)server petstore-1:8080 .*\n.*$/m, `$1server 127.0.0.1:${service.port};`)
      .replace(/listen 8080;/, `listen unix:${at('socket')};`)
      .replace(/^ *gzip off;$/m, gzip)
    writeFileSync(at('nginx.conf'), config)
    const directives = 'daemon off; master_process off; error_log stderr notice;'
    super(['nginx', '-p', folder.path, '-e', 'stderr', '-c', at('nginx.conf'), '-g', directives])
    this.#folder = folder
    this.#service = service
  }

  static async start(service: TestService, gzip = 'gzip off;'): Promise<Nginx> {
    const proxy = new Nginx(service, new Folder(), gzip)
    // It says so after it has begun to listen.
    await proxy.until(/event method/, 'stderr')
    return proxy
  }

  async #send(method: string, path: string, sent: Record<string, string>, body?: object): Promise<IncomingMessage> {
    const outgoing = request({
      socketPath: join(this.#folder.path, 'socket'),
      method,
      path: `/v1${path}`,
      headers: {
        Host: 'shop.example',
        Authorization: `Bearer ${this.#service.key}`,
        'Accept-Encoding': 'gzip',
        ...(body && { 'Content-Type': 'application/json' }),
        ...sent,
      },
    })
    outgoing.end(body && JSON.stringify(body))
    return (await once(outgoing, 'response'))[0]
  }

  /** The events that come through it, until it ends. */
  async follow(key: string): Promise<FrameReader> {
    const reader = new FrameReader()
    const response = await this.#send('GET', '/events/stream', { Authorization: `Bearer ${key}` })
    assert.equal(response.statusCode, 200)
    response.setEncoding('utf8').on('data', (text) => reader.take(text))
    response.on('error', () => {})
    return reader
  }

  async call(method: string, path: string, sent: Record<string, string> = {}, body?: object): Promise<Answer> {
    const response = await this.#send(method, path, sent, body)
    const bytes = await buffer(response)
    const isCompressed = response.headers['content-encoding'] === 'gzip'
    const text = String(isCompressed ? gunzipSync(bytes) : bytes)
    const headers = new Headers(Object.entries(response.headers) as [string, string][])
    return { status: response.statusCode ?? 0, headers, text, json: text === '' ? undefined : JSON.parse(text) }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]()
    this.#folder[Symbol.dispose]()
  }
}

onOneTarget('Behind nginx', (service) => {
  testWith(['nginx'], 'an event comes at once, with the example configuration', async () => {
    const key = await service().makeKey({ scopes: ['events:read'] })
    await using proxy = await Nginx.start(service())
    const reader = await proxy.follow(key)
    await reader.until(({ lastEventId }) => lastEventId !== '')
    const pet = await addPet(service())
    await reader.until(({ frames }) => frames.length === 1)
    assert.deepEqual(JSON.parse(reader.frames[0]?.data ?? '').data, pet)
  })

  testWith(['nginx'], 'the tags stay strong with the example configuration, and a change may name them', async () => {
    const pet = await addPet(service())
    await using proxy = await Nginx.start(service())
    const got = await proxy.call('GET', `/pets/${pet.id}`)
    assert.deepEqual([got.status, got.json], [200, pet])
    assert.equal(got.headers.get('content-encoding'), null)
    const tag = got.headers.get('etag') ?? ''
    assert.match(tag, /^"/)
    const changed = await proxy.call('PATCH', `/pets/${pet.id}`, { 'If-Match': tag }, { name: 'Max' })
    assert.equal(changed.status, 200)
  })

  testWith(
    ['nginx'],
    'a tag is weak where nginx compresses: 304 by it, 412 that says why, and taken without W/',
    async () => {
      const pet = await addPet(service())
      const path = `/pets/${pet.id}`
      await using proxy = await Nginx.start(service(), compressing)
      const got = await proxy.call('GET', path)
      assert.deepEqual([got.status, got.json], [200, pet])
      assert.equal(got.headers.get('content-encoding'), 'gzip')
      const weak = got.headers.get('etag') ?? ''
      assert.match(weak, /^W\/"/)

      const held = await proxy.call('GET', path, { 'If-None-Match': weak })
      assert.deepEqual([held.status, held.text], [304, ''])

      const refused = await proxy.call('PATCH', path, { 'If-Match': weak }, { name: 'Max' })
      assert.match(expectError(refused, 412, 'precondition_failed'), /send the tag without W\/.*compresses/)
      assert.equal((await proxy.call('GET', path)).json.name, pet.name)

      const strong = weak.slice('W/'.length)
      const changed = await proxy.call('PATCH', path, { 'If-Match': strong }, { name: 'Max' })
      assert.deepEqual([changed.status, changed.json.name], [200, 'Max'])
    },
  )
})
