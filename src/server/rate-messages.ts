/** How workers share the rate limits of keys: by messages to their parent, which adds up what all have used. */
import type { RateUse, ShareRates } from '../store/store.ts'

const type = 'rate-counts'
interface Told {
  readonly type: typeof type
  readonly uses: readonly RateUse[]
}
interface Answer {
  readonly type: typeof type
  readonly ahead: readonly number[]
}

type Listener = (message: unknown) => void
type Send = (message: object, done: (error: Error | null) => void) => unknown

const isOurs = (message: unknown): message is { readonly type: typeof type } =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type

/** In a worker; one message at a time. */
export function shareThroughParent(send: Send, listen: (listener: Listener) => unknown): ShareRates {
  let answered: PromiseWithResolvers<readonly number[]> | undefined
  listen((message) => {
    if (isOurs(message)) answered?.resolve((message as Answer).ahead)
  })
  return (uses) => {
    const asked = Promise.withResolvers<readonly number[]>()
    answered = asked
    send({ type, uses } satisfies Told, (error) => error && asked.reject(error))
    return asked.promise
  }
}

/** In the parent: answers a message of a worker, if it is one about rate limits. */
export function answerRates(message: unknown, add: (uses: readonly RateUse[]) => number[], send: Send): void {
  if (isOurs(message)) send({ type, ahead: add((message as Told).uses) } satisfies Answer, () => {})
}
