/** Time that a test controls. */
import { systemTime, type Time } from '../src/time.ts'

/** The clock and the ticks are those of the test. Timers and turns are those of the system. */
export const timeAt = (now: () => number): Time => ({ ...systemTime, now, ticks: now })

interface Timer {
  readonly at: number
  readonly run: () => void
}

/** Time that passes when the test says so. Only turns of the event loop are real. */
export class TestTime implements Time {
  #passed = 0
  readonly #start: number
  readonly #timers = new Set<Timer>()

  constructor(start = Date.UTC(2027, 0)) {
    this.#start = start
  }

  readonly now = (): number => this.#start + this.#passed
  readonly ticks = (): number => this.#passed
  readonly nextTurn = systemTime.nextTurn
  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { at: this.#passed + milliseconds, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Lets time pass. Everything that is due runs at its time, in order. */
  advance(milliseconds: number): void {
    const end = this.#passed + milliseconds
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at)
      if (!next || next.at > end) break
      this.#timers.delete(next)
      this.#passed = Math.max(this.#passed, next.at)
      next.run()
    }
    this.#passed = end
  }
}
