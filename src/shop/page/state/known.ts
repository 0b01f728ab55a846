/** Since when it is known how an animal is: an answer to a question that was asked earlier says nothing about it. */
import { signal } from '@preact/signals'

const moment = signal(0)
const known = signal<ReadonlyMap<bigint, number>>(new Map())
/** The oldest are forgotten: no answer is under way for so long. */
const keptMax = 1_000

const next = (): number => {
  moment.value = moment.peek() + 1
  return moment.peek()
}

/** The moment of a question, taken before it is sent. */
export const beforeAsking = next

/** How an animal is was learned: from the answer to a change, or from a question of that moment. */
export function learn(id: bigint, at = next()): void {
  const others = [...known.peek()].filter(([each]) => each !== id).slice(-keptMax)
  known.value = new Map([...others, [id, at]])
}

/** Whether an answer to a question of that moment is not older than what is known. */
export const isCurrent = (id: bigint, at: number): boolean => (known.peek().get(id) ?? 0) <= at
