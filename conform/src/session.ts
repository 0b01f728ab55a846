/**
 * The state that all rules of a run share: the service, its key, animals that any rule may use, and the rows to remove.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { compare, type Received } from './expect.ts'
import { parseJson } from './json.ts'
import { DELETE, GET, POST, type Request, type Sent, toSend } from './request.ts'
import { Late, type Send } from './send.ts'
import { Pet } from './shapes.ts'
import { Unchecked } from './unchecked.ts'

export interface SessionOptions {
  /** The base address, without a slash at its end. */
  readonly url: string
  readonly key: string
  readonly send: Send
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** The time by which the run must end, on the clock. What was not checked by then is not checked at all. */
  readonly until: number
  /** Ends the run early. What was not checked by then is not checked at all. */
  readonly signal?: AbortSignal | undefined
}

/** A request and its answer. There is no status if it was not answered. */
export interface Exchange {
  readonly request: Request
  readonly status?: number
  readonly milliseconds: number
}

/** What is still on the service after a run, and why. */
export interface Left {
  readonly path: string
  readonly reason: string
}

/** The time that one request waits in total because of a rate limit. */
const waitingMillisecondsMax = 120_000
/** After this many requests in a row without an answer, no further requests are sent. */
const unansweredMax = 5
/** The number of concurrent requests that remove something. */
const removingAtATime = 8

export class Session {
  readonly key: string
  readonly base: string
  readonly clock: () => number
  readonly wait: SessionOptions['wait']
  readonly #options: SessionOptions
  readonly #label = `conform-${randomUUID().slice(0, 8)}`
  readonly #pool: bigint[] = []
  /** The paths of animals, webhooks and names of categories that the run has added. */
  readonly #added = new Set<string>()
  /** The paths of orders that the run has placed. */
  readonly #orders = new Set<string>()
  /** The number of requests that would add something and were not answered. What they add may exist. */
  #unknown = 0
  /** The reasons to send no more requests, for each key. */
  readonly #limited = new Map<string, string>()
  #unanswered = 0
  #isRemoving = false
  #names = 0

  constructor(options: SessionOptions) {
    this.#options = options
    this.key = options.key
    this.base = options.url
    this.clock = options.clock
    this.wait = options.wait
  }

  name = (): string => `${this.#label}-${++this.#names}`
  category = (): bigint => BigInt(randomInt(2 ** 40, 2 ** 47))

  /**
   * Sends a request. If requests are limited, it waits as the service says, but not for ever. Throws `Unchecked` if the
   * request cannot be sent.
   */
  ask = async (request: Request, note: (exchange: Exchange) => void = () => {}): Promise<Received> => {
    const sent = toSend(request, this.base, this.key)
    const which = keyOf(sent, this.key)
    for (let waited = 0; ; ) {
      this.#assertMayAsk(which)
      const received = await this.#answerTo(request, sent, note)
      if (received.status !== 429) {
        this.#remember(request, received)
        return received
      }
      const seconds = Number(received.headers.get('retry-after')) || 1
      waited += seconds * 1000
      if (waited > waitingMillisecondsMax) {
        this.#limited.set(which, `the service limits ${which}: 429 with Retry-After: ${seconds}`)
      } else if (this.clock() + seconds * 1000 < this.#until) await this.wait(seconds * 1000)
      else throw new Unchecked(tooLong)
    }
  }

  get #until(): number {
    return this.#isRemoving ? Number.POSITIVE_INFINITY : this.#options.until
  }

  #assertMayAsk(which: string): void {
    const limited = this.#limited.get(which)
    if (limited !== undefined) throw new Unchecked(limited)
    if (this.#unanswered >= unansweredMax)
      throw new Unchecked(`the service did not answer ${unansweredMax} requests in a row`)
    if (this.clock() >= this.#until) throw new Unchecked(tooLong)
    if (this.#options.signal?.aborted && !this.#isRemoving) throw new Unchecked('the run was interrupted')
  }

  async #answerTo(request: Request, sent: Sent, note: (exchange: Exchange) => void): Promise<Received> {
    const began = this.clock()
    try {
      const received = await this.#options.send(sent)
      this.#unanswered = 0
      note({ request, status: received.status, milliseconds: this.clock() - began })
      return received
    } catch (error) {
      this.#unanswered++
      if (/^(?:POST|PUT)$/.test(request.method)) this.#unknown++
      note({ request, milliseconds: this.clock() - began })
      throw error instanceof Late ? new Unchecked(error.message) : error
    }
  }

  #remember({ method, path }: Request, { status, text }: Received): void {
    const [resource = ''] = path.split('?', 1)
    if (method === 'DELETE' && status === 204) this.#added.delete(resource)
    if (status !== 201) return
    const [, id] = /"id":(-?\d+)/.exec(text) ?? []
    if (method === 'PUT') this.#added.add(resource)
    else if (/^\/(?:pets|webhooks|categories)$/.test(resource)) this.#added.add(`${resource}/${id}`)
    else if (resource === '/store/orders') this.#orders.add(`${resource}/${id}`)
  }

  /** Adds the animals one after another, so that their ids rise. */
  async add(count: number, members: object, ask: Session['ask'] = this.ask): Promise<bigint[]> {
    const ids: bigint[] = []
    while (ids.length < count) {
      const received = await ask(POST('/pets', { name: this.name(), categoryId: 1, ...members }))
      compare(received, { status: 201, body: Pet })
      ids.push((parseJson(received.text) as { id: bigint }).id)
    }
    return ids
  }

  /** Returns ids of animals that any rule may use, and adds animals if there are too few. */
  have = async (count: number, ask: Session['ask'] = this.ask): Promise<readonly bigint[]> => {
    while (this.#pool.length < count) this.#pool.push(...(await this.add(1, {}, ask)))
    return this.#pool
  }

  /**
   * Removes what the run has added, and resolves with what could not be removed. Orders cannot be removed, so open
   * orders are cancelled.
   */
  async removeAdded(): Promise<readonly Left[]> {
    this.#isRemoving = true
    this.#limited.clear()
    this.#unanswered = 0
    const left: Left[] = []
    await inParallel(this.#orders, async (path) => {
      await this.ask(POST(`${path}/cancel`)).catch(() => {})
      left.push({ path, reason: 'there is no request to remove an order' })
    })
    await inParallel(this.#added, async (path) => {
      const reason = await this.#remove(path).catch((error: Error) => error.message)
      if (reason !== undefined) left.push({ path, reason })
    })
    if (this.#unknown > 0)
      left.push({
        path: '',
        reason: `requests without an answer that may have added something: ${this.#unknown}`,
      })
    return left.sort((a, b) => comparePaths(a.path, b.path))
  }

  /** Resolves with the reason if something could not be removed. */
  async #remove(path: string): Promise<string | undefined> {
    const { status, text } = await this.ask(DELETE(path))
    if ([200, 204].includes(status)) return undefined
    // The row is already gone, unless the service does not know how to remove it.
    if (status === 404 && (await this.ask(GET(path))).status !== 200) return undefined
    return `${status} ${/"code":"([^"]*)"/.exec(text)?.[1] ?? ''}`.trim()
  }
}

/** The key of a request, because a service may limit the rate of each key separately. */
function keyOf({ headers }: Sent, key: string): string {
  const sentKeys = headers.filter(([name]) => name === 'Authorization').map(([, value]) => value)
  if (sentKeys.length === 0) return 'requests without a key'
  return sentKeys.includes(`Bearer ${key}`) ? 'requests' : 'requests with wrong keys'
}

/** Compares by the words of the path, and then by number. */
const comparePaths = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

const tooLong = 'the run reached the limit of --timeout'

async function inParallel(paths: Iterable<string>, work: (path: string) => Promise<void>): Promise<void> {
  const queue = [...paths].values()
  const worker = async () => {
    for (const path of queue) await work(path)
  }
  await Promise.all(Array.from({ length: removingAtATime }, worker))
}
