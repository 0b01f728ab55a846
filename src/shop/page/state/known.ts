/** Since when the state of an animal is known. The answer to an earlier request says nothing about it. */
import { signal } from '@preact/signals'

const moment = signal(0)
const known = signal<ReadonlyMap<bigint, number>>(new Map())
/** The oldest entries are removed, because no request takes that long. */
const keptMax = 1_000

const next = (): number => {
  moment.value = moment.peek() + 1
  return moment.peek()
}

/** Returns the moment of a request. It must be taken before the request is sent. */
export const beforeAsking = next

/** Notes that the state of an animal was learned, from the answer to a change or to a request of that moment. */
export function learn(id: bigint, at = next()): void {
  const others = [...known.peek()].filter(([each]) => each !== id).slice(-keptMax)
  known.value = new Map([...others, [id, at]])
}

/** Whether an answer to a request of that moment is not older than what is known. */
export const isCurrent = (id: bigint, at: number): boolean => (known.peek().get(id) ?? 0) <= at
