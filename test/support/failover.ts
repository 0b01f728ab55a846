/** Two instances of the service under load while their database servers change places, and the check of what they promised. */
import assert from 'node:assert/strict'
import { type Address, keepWalking, Load, walk, walkList } from './load.ts'
import type { Order } from './orders.ts'
import { postgresDatabase } from './postgres.ts'
import type { Pair } from './replication.ts'
import { Rivals } from './rivals.ts'
import { bun, node } from './runtimes.ts'
import { TestService } from './service.ts'

export class Trial {
  readonly load: Load
  readonly rivals: Rivals
  readonly #instances: readonly TestService[]
  readonly #key: string
  readonly #walking: Promise<number>
  #isOver = false
  #isStopped = false
  #requests = 0

  private constructor(instances: readonly TestService[], key: string) {
    this.#instances = instances
    this.#key = key
    // Each request goes to the other instance than the one before.
    const pick = () => this.#address(this.#requests++ % instances.length)
    this.load = new Load(pick, 6)
    let wanted = 0
    this.rivals = new Rivals(pick, () => [...this.load.acknowledged.values()][wanted++])
    this.#walking = keepWalking(
      () => (this.#isStopped ? assert.fail('there is nobody to ask') : pick()),
      this.load,
      () => this.#isOver,
    )
    this.#walking.catch(() => {})
  }

  /** A new database on the primary, one instance on each runtime, and load on both. */
  static async start(pair: Pair, env: Record<string, string> = {}): Promise<Trial> {
    const { url } = await postgresDatabase(pair.primary.url)
    const settings = { DATABASE_URL: pair.url(new URL(url).pathname.slice(1)), LOG_LEVEL: 'warn', ...env }
    const instances = await Promise.all([node, bun].map((runtime) => TestService.start(runtime, settings)))
    return new Trial(instances, instances[0]?.key as string)
  }

  /** Waits for `work`, unless a walk fails meanwhile. */
  alongside<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#walking.then(() => assert.fail('the walks ended early'))])
  }

  /** Ends the load, and gives what is wrong: through each instance all that was acknowledged must be there, once, and nothing else. */
  async faults(): Promise<string[]> {
    this.#isOver = true
    const ends = await Promise.allSettled([this.load.stop(), this.rivals.stop(), this.#walking])
    const checks = this.#instances.keys().flatMap((at) => {
      const pick = () => this.#address(at)
      return [
        walk(pick).then((pets) => this.load.check(pets)),
        walkList<Order>(pick, '/store/orders').then((orders) => this.rivals.check(orders)),
      ]
    })
    const outcomes = [...ends, ...(await Promise.allSettled(checks))]
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason).slice(0, 500)] : []))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#isStopped = true
    this.load.giveUp()
    this.rivals.giveUp()
    await Promise.all(this.#instances.map((instance) => instance.kill()))
  }

  #address(at: number): Address {
    return { url: this.#instances[at]?.url as string, key: this.#key }
  }
}

/** The ways in which a primary is lost, or given up: after each of them the standby is to be promoted. */
export const losses: Record<string, (pair: Pair, load: Load) => Promise<void>> = {
  killed: ({ primary }) => primary.kill(),
  'set to read-only': (pair) => pair.makeReadOnly(),
  async 'killed with writes that the standby has not confirmed'({ primary, standby }, load) {
    standby.freeze()
    await load.moreOf('503', 1)
    await primary.kill()
    standby.thaw()
  },
  frozen: async ({ primary }) => primary.freeze(),
}

/** Loses the primary under load and promotes the standby; gives the milliseconds from the promotion to the first write. */
export async function failOver(pair: Pair, trial: Trial, loss: string): Promise<number> {
  const { load } = trial
  await pair.follow({ isSynchronous: true })
  await trial.alongside(load.more(50))
  await losses[loss]?.(pair, load)
  await trial.alongside(load.moreOf('503', 5))
  const promotedAt = performance.now()
  const written = load.more(1).then(() => performance.now() - promotedAt)
  await pair.promote()
  return trial.alongside(written)
}
