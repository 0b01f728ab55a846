/** What the rules of one run share: the service, its key, animals that any rule may use, and what is to be removed. */
import { randomInt, randomUUID } from 'node:crypto'
import { compare, type Received } from './expect.ts'
import { parseJson } from './json.ts'
import { DELETE, POST, type Request, toSend } from './request.ts'
import type { Send } from './send.ts'
import { Pet } from './shapes.ts'

export interface SessionOptions {
  /** The base address, without a slash at its end. */
  readonly url: string
  readonly key: string
  readonly send: Send
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** When the run must be over, by the clock. */
  readonly until: number
}

/** The last seconds are for removing what was added. */
const removingMilliseconds = 10_000

export class Session {
  readonly key: string
  readonly base: string
  readonly clock: () => number
  readonly wait: SessionOptions['wait']
  readonly #options: SessionOptions
  readonly #label = `conform-${randomUUID().slice(0, 8)}`
  readonly #pool: bigint[] = []
  /** The paths of animals, webhooks and names of categories. */
  readonly #added = new Set<string>()
  #deadline: number
  #names = 0

  constructor(options: SessionOptions) {
    this.#options = options
    this.key = options.key
    this.base = options.url
    this.clock = options.clock
    this.wait = options.wait
    this.#deadline = options.until - removingMilliseconds
  }

  name = (): string => `${this.#label}-${++this.#names}`
  category = (): bigint => BigInt(randomInt(2 ** 40, 2 ** 47))

  /** Where the key is limited, waits as the service says, but not for ever. */
  ask = async (request: Request, { isWaiting = true } = {}): Promise<Received> => {
    if (this.clock() > this.#deadline) throw new Error('not checked: the run took too long')
    const sent = toSend(request, this.base, this.key)
    let received = await this.#options.send(sent)
    for (let tries = 1; isWaiting && received.status === 429 && tries < 5; tries++) {
      const milliseconds = Number(received.headers.get('retry-after') ?? Number.NaN) * 1000
      if (!(this.clock() + milliseconds < this.#deadline)) break
      await this.#options.wait(milliseconds)
      received = await this.#options.send(sent)
    }
    if (received.status === 201) this.#remember(request, received)
    return received
  }

  #remember({ method, path }: Request, { text }: Received): void {
    const [, id] = /"id":(-?\d+)/.exec(text) ?? []
    if (method === 'PUT') this.#added.add(path)
    else if (/^\/(?:pets|webhooks|categories)\b/.test(path)) this.#added.add(`${path.split('?')[0]}/${id}`)
  }

  /** One after another, so that their ids rise. */
  async add(count: number, members: object, ask: Session['ask'] = this.ask): Promise<bigint[]> {
    const ids: bigint[] = []
    while (ids.length < count) {
      const received = await ask(POST('/pets', { name: this.name(), categoryId: 1, ...members }))
      compare(received, { status: 201, body: Pet })
      ids.push((parseJson(received.text) as { id: bigint }).id)
    }
    return ids
  }

  /** Animals that any rule may use. */
  have = async (count: number, ask: Session['ask'] = this.ask): Promise<readonly bigint[]> => {
    while (this.#pool.length < count) this.#pool.push(...(await this.add(1, {}, ask)))
    return this.#pool
  }

  /** Resolves with what could not be removed. */
  async removeAdded(): Promise<readonly string[]> {
    this.#deadline = this.#options.until
    const left: string[] = []
    for (const path of this.#added) {
      const { status } = await this.ask(DELETE(path)).catch(() => ({ status: 0 }))
      if (![200, 204, 404].includes(status)) left.push(path)
    }
    return left
  }
}
