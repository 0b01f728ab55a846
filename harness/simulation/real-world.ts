/** Real time. The machine decides when things happen, and the seed decides only what the actors do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, World } from './world.ts'

const linesShown = 60

export class RealWorld extends World {
  readonly now = Date.now
  readonly #began = performance.now()
  readonly #failing = Promise.withResolvers<never>()

  get ticks(): number {
    return performance.now() - this.#began
  }

  override sleep(milliseconds: number): Promise<void> {
    return sleep(milliseconds)
  }

  /** In real time, nobody sets the clock. */
  override spreadSince({ ticks }: Instant): number {
    return this.ticks - ticks
  }

  override fail(error: unknown): void {
    this.#failing.reject(error)
  }

  /** Returns the failure and the last lines of the trace. */
  evidence(error: unknown): string {
    const what = error instanceof Error ? error.stack : String(error)
    return `${what}\nafter:\n${this.lines.slice(-linesShown).join('\n')}`
  }

  /** Waits for `main`, unless something fails meanwhile that nobody awaits. */
  run<T>(main: () => Promise<T>): Promise<T> {
    return Promise.race([main(), this.#failing.promise])
  }
}
