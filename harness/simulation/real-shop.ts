/**
 * The service as processes in real time. They are killed and started again, and receive HTTP requests from clients that
 * may give up.
 */

import { issueKey } from '../../src/keys/keys.ts'
import { scopes } from '../../src/model/key.ts'
import { onStore } from '../catalogue.ts'
import { eventually } from '../patience.ts'
import { Served } from '../process.ts'
import { patientTimeout } from '../service.ts'
import { parse, stringify } from './exact-json.ts'
import { type Client, checkAccess, endedFor, isProbe, type Result, withoutSecret } from './network.ts'
import type { Observer } from './observer.ts'
import type { Answer, Request } from './requests.ts'
import { type Connection, Shop, type Told } from './shop.ts'
import { Violation, type World } from './world.ts'

/** Nothing may take this long, in milliseconds, however busy the machine is. */
export const patience = 240_000
/** How long the key that expires is valid, in milliseconds. */
const keyMilliseconds = 3_000

export interface RealOptions {
  /** The URL by which the processes reach the database. */
  readonly url: string
  /** The URL by which the test reaches it. */
  readonly directUrl: string
  readonly instances: number
  /** Whether the database may be unreachable. Otherwise, another process may have its lock. */
  readonly mayBeUnreachable: boolean
  readonly observe: () => Observer
  /** Whether the last commits are lost together with a primary. */
  readonly mayLose?: boolean
  /** Settings in addition to those of every run. */
  readonly settings?: Record<string, string>
}

/** The client's end of a stream. */
class RealConnection implements Connection {
  readonly isSlow = false
  readonly #shop: RealShop
  readonly #receive: (block: string) => void
  readonly #ended: () => void
  readonly #end = new AbortController()

  constructor(shop: RealShop, receive: (block: string) => void, ended: () => void) {
    this.#shop = shop
    this.#receive = receive
    this.#ended = ended
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  cut(): void {
    this.#shop.world.note('a stream is cut')
    this.#end.abort()
  }

  /** Reads until either side ends the connection. */
  async read(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = ''
    const decoder = new TextDecoder()
    const chunks = body[Symbol.asyncIterator]()
    for (;;) {
      const chunk = await chunks.next().catch(() => undefined)
      if (!chunk || chunk.done) return this.#ended()
      const blocks = (rest + decoder.decode(chunk.value, { stream: true })).split('\n\n')
      rest = blocks.pop() as string
      const { lost } = this.#shop.ledger
      const lostBefore = lost.size
      await this.#shop.observe()
      // The connection leads to a primary that is gone.
      if (lost.size > lostBefore) this.cut()
      if (!this.signal.aborted) for (const block of blocks) if (block) this.#receive(block)
    }
  }
}

export class RealShop extends Shop {
  readonly isPunctual = false
  /** The number of requests that were answered. */
  answers = 0
  /**
   * The number of acknowledged writes, when the last one was, and the longest time between two of them, in
   * milliseconds.
   */
  writes = 0
  lastWrite = performance.now()
  longestGap = 0
  readonly #options: RealOptions
  readonly #instances: (Served | undefined)[] = []
  /** The log of processes that have ended. */
  readonly #errors: string[] = []
  #isOver = false
  #observer: Observer | undefined
  #looking: Promise<void> = Promise.resolve()
  #nextLook: Promise<void> | undefined
  #opening: PromiseWithResolvers<void> = Promise.withResolvers()

  constructor(world: World, options: RealOptions) {
    super(world)
    this.#options = options
  }

  get disturbedAt(): number {
    return 0
  }

  override get settings(): Record<string, string> {
    return { ...super.settings, ...this.#options.settings }
  }

  override get isOpen(): boolean {
    return this.#instances.some(Boolean)
  }

  override purged(): number {
    return 0
  }

  get observer(): Observer {
    if (!this.#observer) throw new Error('nobody observes the database')
    return this.#observer
  }

  async open(): Promise<void> {
    await this.#startMissing()
    await this.#issueKeys()
    this.#beginLooking()
  }

  async #issueKeys(): Promise<void> {
    const now = this.world.now()
    await onStore(this.#options.directUrl, async ({ keys }) => {
      for (const name of ['staff', 'buyers', 'doomed', 'expiring'] as const) {
        const expiresAt = name === 'expiring' ? now + keyMilliseconds : undefined
        this.clients[name] = { name, ...(await issueKey(keys, { name, scopes, now, expiresAt })) }
      }
    })
  }

  async #startMissing(): Promise<void> {
    const { instances, url } = this.#options
    const patient = { DATABASE_TIMEOUT: patientTimeout }
    const env = { DATABASE_URL: url, LOG_LEVEL: 'info', LOG_SAMPLE: '0', ...patient, ...this.settings }
    // A process that cannot reach the database ends, and is started again like by a supervisor.
    const start = async (at: number) => {
      while (!this.#instances[at] && !this.#isOver)
        this.#instances[at] = await Served.start(env).catch((error) => {
          if (this.isFaulty && String(error).includes('Cannot reach the database')) return undefined
          throw error
        })
    }
    const starts = await Promise.allSettled(Array.from({ length: instances }, (_, at) => start(at)))
    // If the run has failed meanwhile, no process is left behind.
    if (this.#isOver) await this.#endAll()
    for (const each of starts) if (each.status === 'rejected') throw each.reason
  }

  /**
   * Kills one process or all of them with kill -9, and starts them again when `meanwhile` is done. After all were
   * killed, the first one has the files for itself.
   */
  async crash(isOfAll = this.world.chance(0.4), meanwhile = async (): Promise<void> => {}): Promise<void> {
    const { world } = this
    const victim = world.whole(0, this.#instances.length)
    if (!this.#options.mayBeUnreachable) await this.#endLooking()
    world.note(isOfAll ? 'all are killed' : `${victim} is killed`)
    const killed = this.#instances.map((instance, at) => (isOfAll || at === victim ? instance : undefined))
    for (const [at, instance] of killed.entries()) if (instance) this.#instances[at] = undefined
    for (const instance of killed) this.#keepErrors(instance && (await instance.end('SIGKILL')))
    await meanwhile()
    await this.#startMissing()
    world.note('they are there again')
    if (!this.#observer) this.#beginLooking()
  }

  /** Stops the processes with SIGTERM. Each must end in order. */
  async stop(): Promise<void> {
    for (const instance of this.#instances.splice(0)) {
      if (!instance) continue
      const ended = await instance.end('SIGTERM')
      if (ended.code !== 0) throw new Violation('an orderly stop ends with 0', `${ended.code} ${ended.stderr}`)
      this.#keepErrors(ended)
    }
    const [error] = this.#errors
    if (error) throw new Violation('the service has no internal error', error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await this.#endAll()
    await this.#observer?.close()
  }

  async #endAll(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance?.[Symbol.asyncDispose]()))
  }

  #keepErrors(ended: { stdout: string } | undefined): void {
    for (const line of ended?.stdout.split('\n').slice(0, -1) ?? [])
      if (parse(line).level >= 50) this.#errors.push(line)
  }

  #beginLooking(): void {
    this.#observer = this.#options.observe()
    this.#opening.resolve()
  }

  /** Waits until nobody reads the files, so that the next process to start is the first to open them. */
  async #endLooking(): Promise<void> {
    this.#opening = Promise.withResolvers()
    await this.#looking
    await this.#observer?.close()
    this.#observer = undefined
  }

  /** Learns what was committed before this call, and perhaps what is committed later. */
  observe(): Promise<void> {
    return (this.#nextLook ??= this.#looking.then(() => {
      this.#nextLook = undefined
      this.#looking = this.#look()
      return this.#looking
    }))
  }

  async #look(): Promise<void> {
    const { ledger } = this
    try {
      await this.#opening.promise
      ledger.take(await this.observer.look(ledger.lastId, (id) => ledger.withId(id) !== undefined))
    } catch (error) {
      this.world.fail(error)
      throw error
    }
  }

  /** Compares with the events that another primary has, given by id and time. All other events are lost. */
  compare(there: ReadonlySet<string>): void {
    const lost = new Set(this.ledger.events.filter(({ id, at }) => !there.has(`${id} ${at}`)))
    this.world.note(`another server is the primary, and lacks ${lost.size} events`)
    if (lost.size === 0) return
    const [first] = lost
    if (!this.#options.mayLose)
      throw new Violation('no acknowledged write is lost', `${lost.size} events from ${first?.id} on are gone`)
    this.ledger.forget(lost)
    this.model.forget(lost)
  }

  override connect(receive: (block: string) => void, ended: () => void): Connection {
    return new RealConnection(this, receive, ended)
  }

  /** Resolves once this many more requests were answered. */
  async more(count: number): Promise<void> {
    const wanted = this.answers + count
    await eventually(
      async () => this.answers,
      (answers) => answers >= wanted,
      undefined,
      patience,
    )
  }

  override async send(
    client: Client,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    told: Told = {},
    output?: RealConnection,
  ): Promise<Result | 'stream'> {
    const { world } = this
    await this.observe()
    const instance = world.pick(this.#instances.filter((each) => each !== undefined))
    if (!instance) {
      await world.sleep(10)
      return 'lost'
    }
    told.begun?.()
    const id = ++this.requests
    const text = `${client.name} ${method} ${path}${body === undefined ? '' : ` ${stringify(body)}`}`
    world.note(`> ${id} ${text}`)
    const [arrivedAt, ended] = [world.ticks, endedFor(client, world)]
    const response = await this.#fetch(instance, client, { method, path, body, headers }, output).catch(() => 'lost')
    // On a busy machine, a client may send its request too slowly.
    const isRefused = typeof response !== 'string' && [408, 503].includes(response.answer.status)
    if (typeof response === 'string' || isRefused) {
      world.note(`< ${id} ${typeof response === 'string' ? response : response.answer.text}`)
      if (typeof response !== 'string' && response.answer.status === 503)
        this.#checkRefusal(response.answer, text, method, path)
      told.lost?.()
      return typeof response === 'string' ? 'lost' : response.answer
    }
    const { answer, stream } = response
    if (method !== 'GET' && answer.status < 300) this.#written()
    await this.observe()
    this.answers++
    world.note(`< ${id} ${answer.status} ${path === '//metrics' ? '' : withoutSecret(answer.text)}`)
    if (answer.status >= 500)
      throw new Violation('the service has no internal error', `${answer.status} ${answer.text} to ${text}`)
    if (!isProbe(path)) checkAccess(client, answer, arrivedAt, ended, endedFor(client, world))
    if (stream && output) {
      output.read(stream).catch((error) => world.fail(error))
      return 'stream'
    }
    told.answered?.(answer)
    return this.isFaulty && world.chance(0.03) ? 'lost' : answer
  }

  #written(): void {
    const now = performance.now()
    this.longestGap = Math.max(this.longestGap, now - this.lastWrite)
    this.lastWrite = now
    this.writes++
  }

  #checkRefusal({ text, code }: Answer, request: string, method: string, path: string): void {
    if (isProbe(path) || (code === 'unavailable' && (this.#options.mayBeUnreachable || method !== 'GET'))) return
    throw new Violation('the service has no internal error', `503 ${text} to ${request}`)
  }

  /** Sends a request. Some clients leave before they have the answer. */
  async #fetch(
    { port }: Served,
    { token }: Client,
    { method, path, body, headers }: Request,
    output?: RealConnection,
  ): Promise<{ answer: Answer; stream?: ReadableStream<Uint8Array> | null }> {
    const { world } = this
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const leaving = new AbortController()
    if (this.isFaulty && world.chance(0.02)) world.sleep(world.between(0, 20)).then(() => leaving.abort())
    const late = AbortSignal.timeout(patience)
    late.onabort = () => world.fail(new Violation('nothing waits for ever', `${method} ${path} was not answered`))
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path.startsWith('//') ? path.slice(1) : `/v1${path}`}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': type }),
          ...headers,
        },
        ...(body !== undefined && { body: stringify(body) }),
        signal: AbortSignal.any([leaving.signal, ...(output ? [output.signal] : [late])]),
      })
      const { status } = response
      const sent = new Map(response.headers)
      if (sent.get('content-type')?.startsWith('text/event-stream'))
        return { answer: { status, text: '', headers: sent, code: undefined }, stream: response.body }
      const text = await response.text()
      return { answer: { status, text, headers: sent, code: status >= 400 ? parse(text).code : undefined } }
    } finally {
      late.onabort = null
    }
  }
}
