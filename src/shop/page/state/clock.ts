/** What time it is, for what counts down. */
import { type ReadonlySignal, signal } from '@preact/signals'

/** A time such as "in 4 minutes" is never off by more. */
const tickMs = 15_000

const current = signal(Date.now())
export const now: ReadonlySignal<number> = current

export function startClock(): void {
  setInterval(() => {
    current.value = Date.now()
  }, tickMs)
}
