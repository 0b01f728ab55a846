/**
 * The time, the random choices and the trace of one run, whatever drives it. All random choices follow from the seed.
 */
import { createHash } from 'node:crypto'
import { randomFrom } from '../random.ts'

/** Thrown when something happens that must never happen. */
export class Violation extends Error {
  readonly invariant: string
  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`)
    this.invariant = invariant
  }
}

/** A moment, in ticks and on the clock of the machine. */
export interface Instant {
  readonly ticks: number
  readonly at: number
}

export interface TraceOptions {
  readonly seed: number
  /** Called with each line of the trace. */
  readonly onLine?: ((line: string) => unknown) | undefined
}

const linesKept = 60
/** The time from which an animal cannot be requested by its path any more, as the contract promises. */
export const removal = Date.UTC(2030, 11, 5)

export abstract class World {
  /** Milliseconds since the run began. */
  abstract readonly ticks: number
  /** What the clock of the machine shows. */
  abstract readonly now: () => number
  steps = 0
  /** The last lines of the trace. */
  readonly lines: string[] = []
  readonly #options: TraceOptions
  readonly #random: () => number
  readonly #hash = createHash('sha256')

  constructor(options: TraceOptions) {
    this.#options = options
    this.#random = randomFrom(options.seed * 2_654_435_761)
  }

  abstract sleep(milliseconds: number): Promise<void>
  /**
   * The difference between the latest and the earliest time that the clock has shown since then. Nothing that was made
   * since then can look older than that.
   */
  abstract spreadSince(instant: Instant): number
  /** Ends the run with a failure that nobody awaits. */
  abstract fail(error: unknown): void

  get instant(): Instant {
    return { ticks: this.ticks, at: this.now() }
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  /** Returns a number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number {
    return low + this.#random() * (high - low)
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high))
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length)] as T
  }

  note(text: string): void {
    const line = `${this.steps} ${this.ticks.toFixed(3)} ${text}`
    this.#hash.update(`${line}\n`)
    this.#options.onLine?.(line)
    this.lines.push(line)
    if (this.lines.length > 2 * linesKept) this.lines.splice(0, linesKept)
  }

  get hash(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }
}
