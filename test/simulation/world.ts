/** Virtual time, chance and the trace of one run: whatever happens in it follows from the seed. */
import { createHash } from 'node:crypto'
import type { Time } from '../../src/time.ts'
import { randomFrom } from '../support/random.ts'

/** Something that must never happen, and did. */
export class Violation extends Error {
  readonly invariant: string
  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`)
    this.invariant = invariant
  }
}

/** The run ends here, as its caller wanted. */
class Enough extends Error {}

interface Task {
  readonly at: number
  readonly run: () => void
  isCancelled: boolean
}

export interface WorldOptions {
  readonly seed: number
  /** The step after which the run ends. */
  readonly until?: number | undefined
  /** Told each line of the trace. */
  readonly onLine?: ((line: string) => void) | undefined
}

/** A moment, in ticks and by the clock on the wall. */
export interface Instant {
  readonly ticks: number
  readonly at: number
}

const linesKept = 60
/** From when on an animal is not asked for by its id, as the contract promises. */
export const removal = Date.UTC(2030, 11, 5)
/** The longest turn of the event loop, in milliseconds. */
const turnMax = 2

export class World {
  /** Milliseconds since the run began. */
  ticks = 0
  /** What the clock on the wall shows at `ticks` 0, if it is right. */
  readonly start: number
  /** What it shows at `ticks` 0; it changes when somebody sets the clock. */
  clock: number
  /** Each time that the clock was set, in ticks, with what it showed before and after. */
  readonly #settings: { readonly ticks: number; readonly before: number; readonly after: number }[] = []
  steps = 0
  /** The last lines of the trace. */
  readonly lines: string[] = []
  /** Called after the synchronous part of each step, before what awaits it goes on. */
  afterStep: () => void = () => {}
  readonly #options: WorldOptions
  readonly #random: () => number
  readonly #hash = createHash('sha256')
  /** The next one last; of one moment, in the order in which they were asked for. */
  readonly #tasks: Task[] = []
  #failure: unknown

  constructor(options: WorldOptions) {
    this.#options = options
    this.#random = randomFrom(options.seed * 2_654_435_761)
    this.start = this.chance(0.3) ? removal - this.pick([0, 3_000, 15_000]) : Date.UTC(2027, 0, 1, 9)
    this.clock = this.start
  }

  readonly now = (): number => this.clock + Math.floor(this.ticks)

  get instant(): Instant {
    return { ticks: this.ticks, at: this.now() }
  }

  setClock(clock: number): void {
    const before = this.now()
    this.clock = clock
    this.#settings.push({ ticks: this.ticks, before, after: this.now() })
  }

  /** How far apart the times are that the clock has shown since then: nothing made since is older by any of them. */
  spreadSince({ ticks, at }: Instant): number {
    const since = this.#settings.filter((setting) => setting.ticks >= ticks)
    const latest = Math.max(this.now(), ...since.map(({ before }) => before))
    return latest - Math.min(at, ...since.map(({ after }) => after))
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  /** From `low` up to, but not including, `high`. */
  between(low: number, high: number): number {
    return low + this.#random() * (high - low)
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high))
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length)] as T
  }

  at(ticks: number, run: () => void): () => void {
    const task: Task = { at: ticks, run, isCancelled: false }
    let [low, high] = [0, this.#tasks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#tasks[middle] as Task).at > ticks) low = middle + 1
      else high = middle
    }
    this.#tasks.splice(low, 0, task)
    return () => {
      task.isCancelled = true
    }
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.at(this.ticks + milliseconds, resolve))
  }

  /** Time as a process with an event loop of its own is given it; nothing of it comes once `isAlive` says no. */
  timeFor(isAlive: () => boolean): Time {
    const ifAlive = (run: () => void) => () => {
      if (isAlive()) run()
    }
    let turn: (() => void)[] = []
    return {
      now: this.now,
      ticks: () => this.ticks,
      after: (milliseconds, run) => this.at(this.ticks + Math.max(milliseconds, 1), ifAlive(run)),
      // All that is asked for within a turn runs at its end, one after another.
      nextTurn: (run) => {
        if (turn.push(ifAlive(run)) > 1) return
        this.at(this.ticks + this.between(0, turnMax), () => {
          const [first, ...others] = turn
          turn = []
          // At one moment, but each a step of its own.
          for (const each of others) this.at(this.ticks, each)
          first?.()
        })
      },
    }
  }

  /** Everything is suspended for a while: what was to happen meanwhile happens when it goes on. */
  suspend(milliseconds: number): void {
    this.note(`all is suspended for ${milliseconds}`)
    this.ticks += milliseconds
  }

  note(text: string): void {
    const line = `${this.steps} ${this.ticks.toFixed(3)} ${text}`
    this.#hash.update(`${line}\n`)
    this.#options.onLine?.(line)
    this.lines.push(line)
    if (this.lines.length > 2 * linesKept) this.lines.splice(0, linesKept)
  }

  /** Ends the run with a failure; for what nobody awaits. */
  fail(error: unknown): void {
    this.#failure ??= error
  }

  get hash(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }

  /** Lets time pass until `main` has ended; false if the step was reached after which to end. */
  async run(main: () => Promise<void>): Promise<boolean> {
    let isDone = false
    main()
      .catch((error) => this.fail(error))
      .finally(() => {
        isDone = true
      })
    try {
      // What awaits each step goes on as far as it can, before the next.
      for (await settled(); !isDone && this.#failure === undefined; await settled()) this.#step()
    } catch (error) {
      if (error instanceof Enough) return false
      throw error
    }
    if (this.#failure !== undefined) throw this.#failure
    return true
  }

  #step(): void {
    let task = this.#tasks.pop()
    while (task?.isCancelled) task = this.#tasks.pop()
    if (!task) throw new Violation('nothing waits for ever', 'all that is left waits for something that never comes')
    if (this.steps === this.#options.until) throw new Enough()
    this.steps++
    this.ticks = Math.max(this.ticks, task.at)
    task.run()
    this.afterStep()
  }
}

/** Resolves when all promises that could go on have. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
