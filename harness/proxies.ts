/**
 * nginx and Caddy with the configurations in deploy/, in front of instances of the test. They listen on a socket in
 * their own folder.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { FrameReader } from './event-stream.ts'
import { Folder, Program } from './process.ts'
import { projectFile } from './project.ts'
import type { Answer } from './service.ts'

/** The addresses of the instances, host and port. */
type Addresses = readonly string[]

interface ProxyOptions {
  readonly gzip?: string
  /** A prefix of all paths, and whether the proxy removes it. */
  readonly prefix?: string
  readonly isStripped?: boolean
}

export class ReverseProxy extends Program {
  readonly #folder: Folder
  readonly #key: string

  private constructor(command: readonly string[], env: Record<string, string>, folder: Folder, key: string) {
    super(command, { env })
    this.#folder = folder
    this.#key = key
  }

  static async nginx(addresses: Addresses, key: string, options: ProxyOptions = {}): Promise<ReverseProxy> {
    const { gzip = 'gzip off;', prefix = '', isStripped } = options
    const folder = new Folder()
    const at = (name: string) => join(folder.path, name)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${at(kind)};`,
    )
    const [first, ...others] = addresses.map((address) => `server ${address} max_fails=1 fail_timeout=1s;`)
    const config = projectFile('deploy/nginx.conf')
      .replace(/^pid .*$/m, `pid ${at('pid')};`)
      .replace(/^http \{$/m, `http {\n${temporary.join('\n')}`)
      .replace(/server petstore-1:8080 .*/, first ?? '')
      .replace(/server petstore-2:8080 .*/, others.join('\n'))
      .replace(/listen 8080;/, `listen unix:${at('socket')};`)
      .replace(/^ *gzip off;$/m, gzip)
      .replace('location / {', `location ${prefix}/ {`)
      .replace('proxy_pass http://petstore;', `proxy_pass http://petstore${isStripped ? '/' : ''};`)
    writeFileSync(at('nginx.conf'), config)
    const directives = 'daemon off; master_process off; error_log stderr notice;'
    const command = ['nginx', '-p', folder.path, '-e', 'stderr', '-c', at('nginx.conf'), '-g', directives]
    const proxy = new ReverseProxy(command, {}, folder, key)
    // nginx writes this line after it has begun to listen.
    await proxy.until(/event method/, 'stderr')
    return proxy
  }

  /** Starts Caddy without TLS, which would need a port. */
  static async caddy(addresses: Addresses, key: string, options: ProxyOptions = {}): Promise<ReverseProxy> {
    const folder = new Folder()
    const at = (name: string) => join(folder.path, name)
    const site = /^\{\$SITE:localhost\} \{$/m
    const strip = options.isStripped ? `uri strip_prefix ${options.prefix}` : ''
    const config = projectFile('deploy/Caddyfile').replace(
      site,
      `http://shop.example {\nbind unix/${at('socket')}\n${strip}`,
    )
    writeFileSync(at('Caddyfile'), config)
    const env = { UPSTREAMS: addresses.join(' '), XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path }
    const command = ['caddy', 'run', '--config', at('Caddyfile'), '--adapter', 'caddyfile']
    const proxy = new ReverseProxy(command, env, folder, key)
    await proxy.until(/serving initial configuration/, 'stderr')
    return proxy
  }

  /** Sends a request. A path outside of the version begins with `//`. */
  async #send(method: string, path: string, sent: Record<string, string>, body?: object): Promise<IncomingMessage> {
    const outgoing = request({
      socketPath: join(this.#folder.path, 'socket'),
      method,
      path: path.startsWith('//') ? path.slice(1) : `/v1${path}`,
      headers: {
        Host: 'shop.example',
        Authorization: `Bearer ${this.#key}`,
        'Accept-Encoding': 'gzip',
        ...(body && { 'Content-Type': 'application/json' }),
        ...sent,
      },
    })
    outgoing.end(body && JSON.stringify(body))
    return (await once(outgoing, 'response'))[0]
  }

  /** Follows the events through the proxy until the stream ends. */
  async follow(key = this.#key): Promise<FrameReader> {
    const reader = new FrameReader()
    const response = await this.#send('GET', '/events/stream', { Authorization: `Bearer ${key}` })
    assert.equal(response.statusCode, 200)
    response.setEncoding('utf8').on('data', (text) => reader.take(text))
    response.on('error', () => {})
    await reader.until(({ lastEventId }) => lastEventId !== '')
    return reader
  }

  async call(method: string, path: string, sent: Record<string, string> = {}, body?: object): Promise<Answer> {
    const response = await this.#send(method, path, sent, body)
    const bytes = await buffer(response)
    const isCompressed = response.headers['content-encoding'] === 'gzip'
    const text = String(isCompressed ? gunzipSync(bytes) : bytes)
    const headers = new Headers(Object.entries(response.headers) as [string, string][])
    const isJson = headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.statusCode ?? 0, headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]()
    this.#folder[Symbol.dispose]()
  }
}
