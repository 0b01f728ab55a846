/** Reads server-sent events like a client does, according to the HTML standard. */
import type { CallOptions } from './call.ts'
import { inTime } from './patience.ts'

export interface Frame {
  readonly type: string
  /** The id from which the client would resume. */
  readonly lastEventId: string
  readonly data: string
}

/** Reads the text of a stream as it arrives. */
export class FrameReader {
  /** The events that a client would receive. */
  readonly frames: Frame[] = []
  readonly comments: string[] = []
  lastEventId = ''
  retry: number | undefined
  #rest = ''
  #waiting: { isTrue: () => boolean; resolve: () => void }[] = []

  take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() as string
    for (const block of blocks) this.#takeBlock(block)
    const reached = this.#waiting.filter(({ isTrue }) => isTrue())
    this.#waiting = this.#waiting.filter((wait) => !reached.includes(wait))
    for (const { resolve } of reached) resolve()
  }

  #takeBlock(block: string): void {
    let type = 'message'
    let data: string | undefined
    for (const line of block.split('\n')) {
      const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (name === '') this.comments.push(value)
      else if (name === 'event') type = value
      else if (name === 'data') data = data === undefined ? value : `${data}\n${value}`
      else if (name === 'id') this.lastEventId = value
      else if (name === 'retry') this.retry = Number(value)
    }
    if (data !== undefined) this.frames.push({ type, lastEventId: this.lastEventId, data })
  }

  /** Resolves once the condition holds. */
  until(isTrue: (reader: this) => boolean): Promise<void> {
    const holds = new Promise<void>((resolve) => {
      if (isTrue(this)) resolve()
      else this.#waiting.push({ isTrue: () => isTrue(this), resolve })
    })
    return inTime(holds, isTrue, () => [this.frames.slice(-10), this.#rest])
  }

  /** The ids of the events, in the order of arrival. */
  get ids(): number[] {
    return this.frames.filter(({ type }) => type !== 'closing').map(({ data }) => JSON.parse(data).id)
  }

  get isClosing(): boolean {
    return this.frames.at(-1)?.type === 'closing'
  }
}

/** A client of a running service. Its connection ends with the block that holds it. */
export class EventStream extends FrameReader {
  readonly response: Response
  /** Resolves when the stream has ended. The value says whether it ended properly. */
  readonly ended: Promise<boolean>
  readonly #stop: AbortController

  private constructor(response: Response, stop: AbortController) {
    super()
    this.response = response
    this.#stop = stop
    this.ended = this.#read().then(
      () => true,
      () => false,
    )
  }

  /** Opens the stream. `base` ends in `/v1`. Resolves once the position is known at which the stream begins. */
  static async open(base: string, { key = null, headers = {} }: CallOptions, query = ''): Promise<EventStream> {
    const stop = new AbortController()
    const response = await fetch(`${base}/events/stream${query}`, {
      headers: { ...(key !== null && { Authorization: `Bearer ${key}` }), ...headers },
      signal: stop.signal,
    })
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    const stream = new EventStream(response, stop)
    await stream.until(({ lastEventId }) => lastEventId !== '')
    return stream
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of this.response.body ?? []) this.take(decoder.decode(chunk, { stream: true }))
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
