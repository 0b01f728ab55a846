/** The present time, for texts that count down. */
import { type ReadonlySignal, signal } from '@preact/signals'

/** A text such as "in 4 minutes" is never wrong by more than this. */
const tickMs = 15_000

const current = signal(Date.now())
export const now: ReadonlySignal<number> = current

export function startClock(): void {
  setInterval(() => {
    current.value = Date.now()
  }, tickMs)
}
