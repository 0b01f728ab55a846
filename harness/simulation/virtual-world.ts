/** Virtual time. The timers and turns of a run are its steps, so everything in it follows from the seed. */
import type { Time } from '../../src/time.ts'
import { type Instant, removal, type TraceOptions, Violation, World } from './world.ts'

/** Thrown to end the run at the step that the caller has chosen. */
class Enough extends Error {}

interface Task {
  readonly at: number
  readonly run: () => void
  isCancelled: boolean
}

export interface WorldOptions extends TraceOptions {
  /** The step after which the run ends. */
  readonly until?: number | undefined
}

/** The longest turn of the event loop, in milliseconds. */
const turnMax = 2

export class VirtualWorld extends World {
  /** Milliseconds since the run began. */
  ticks = 0
  /** What a correct clock shows at `ticks` 0. */
  readonly start: number
  /** What the clock shows at `ticks` 0. It changes when somebody sets the clock. */
  clock: number
  /** Each change of the clock: when it happened in ticks, and what the clock showed before and after. */
  readonly #settings: { readonly ticks: number; readonly before: number; readonly after: number }[] = []
  /** Called after the synchronous part of each step, before the code that awaits it continues. */
  afterStep: () => void = () => {}
  readonly #options: WorldOptions
  /** The tasks, with the next one last. Tasks of the same moment run in the order in which they were added. */
  readonly #tasks: Task[] = []
  #failure: unknown

  constructor(options: WorldOptions) {
    super(options)
    this.#options = options
    this.start = this.chance(0.3) ? removal - this.pick([0, 3_000, 15_000]) : Date.UTC(2027, 0, 1, 9)
    this.clock = this.start
  }

  readonly now = (): number => this.clock + Math.floor(this.ticks)

  setClock(clock: number): void {
    const before = this.now()
    this.clock = clock
    this.#settings.push({ ticks: this.ticks, before, after: this.now() })
  }

  /**
   * The difference between the latest and the earliest time that the clock has shown since then. Nothing that was made
   * since then can look older than that.
   */
  spreadSince({ ticks, at }: Instant): number {
    const since = this.#settings.filter((setting) => setting.ticks >= ticks)
    const latest = Math.max(this.now(), ...since.map(({ before }) => before))
    return latest - Math.min(at, ...since.map(({ after }) => after))
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

  /**
   * Returns time for a process with its own event loop. Nothing happens in it any more after `isAlive` has returned
   * false.
   */
  timeFor(isAlive: () => boolean): Time {
    const ifAlive = (run: () => void) => () => {
      if (isAlive()) run()
    }
    let turn: (() => void)[] = []
    return {
      now: this.now,
      ticks: () => this.ticks,
      after: (milliseconds, run) => this.at(this.ticks + Math.max(milliseconds, 1), ifAlive(run)),
      // Everything that is requested within a turn runs at its end, one after another.
      nextTurn: (run) => {
        if (turn.push(ifAlive(run)) > 1) return
        this.at(this.ticks + this.between(0, turnMax), () => {
          const [first, ...others] = turn
          turn = []
          // The tasks run at the same moment, but each in its own step.
          for (const each of others) this.at(this.ticks, each)
          first?.()
        })
      },
    }
  }

  /** Suspends everything for a while. What was due meanwhile happens afterwards. */
  suspend(milliseconds: number): void {
    this.note(`all is suspended for ${milliseconds}`)
    this.ticks += milliseconds
  }

  /** Ends the run with a failure that nobody awaits. */
  fail(error: unknown): void {
    this.#failure ??= error
  }

  /** Lets time pass until `main` has ended. Returns false if the step was reached at which the run must end. */
  async run(main: () => Promise<void>): Promise<boolean> {
    let isDone = false
    main()
      .catch((error) => this.fail(error))
      .finally(() => {
        isDone = true
      })
    try {
      // The code that awaits a step continues as far as it can before the next step.
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

/** Resolves when every promise that can continue has done so. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
