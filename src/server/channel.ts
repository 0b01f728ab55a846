/** Questions and answers between the parent process and a worker. */

/** The other process: `process`, for a worker, and a child process have these. */
export interface OtherProcess {
  readonly connected: boolean
  send?(message: object, handle: undefined, options: undefined, done: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
}

export interface Channel {
  /** Rejects if the other process is gone; if it is silent, the promise stays as it is. */
  ask<T>(topic: string, value?: unknown): Promise<T>
  /** Nothing is heard of the other process any more, and nothing keeps this one running. */
  close(): void
}

/** A question has a topic; its answer has the same id and none. */
interface Message {
  readonly id: number
  readonly topic?: string
  readonly value: unknown
}

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'id' in message

/** `answers` has what to answer, by topic. */
export function openChannel(
  other: OtherProcess,
  answers: Readonly<Record<string, (value: never) => unknown>>,
): Channel {
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  let ids = 0

  function send(message: Message, fail: (reason: Error) => void = () => {}): void {
    if (other.connected) other.send?.(message, undefined, undefined, (error) => error && fail(error))
    else fail(new Error('the other process is gone'))
  }

  async function receive(message: unknown): Promise<void> {
    if (!isOurs(message)) return
    const { id, topic, value } = message
    if (topic !== undefined) {
      try {
        send({ id, value: await answers[topic]?.(value as never) })
      } catch (error) {
        // A question that cannot be answered must not end this process, as a rejection that nobody handles would.
        process.emitWarning(error as Error)
      }
      return
    }
    waiting.get(id)?.resolve(value as never)
    waiting.delete(id)
  }
  other.on('message', receive)

  return {
    ask(topic, value) {
      const id = ++ids
      const asked = Promise.withResolvers<never>()
      waiting.set(id, asked)
      send({ id, topic, value }, asked.reject)
      return asked.promise
    },
    close() {
      other.off('message', receive)
      for (const { reject } of waiting.values()) reject(new Error('the channel is closed'))
    },
  }
}
