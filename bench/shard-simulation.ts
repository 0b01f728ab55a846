/** A simulation of shards of plain PostgreSQL, from what `shards.ts` has measured of one. All times are in milliseconds. */
import { randomFrom } from '../test/support/random.ts'

export const commitMilliseconds = 5
export const pageEvents = 100
const duration = 5_000

/** CPU time in microseconds and bytes of the log: of each batch, of each row of a batch, and of a page of the feed. */
export interface Figures {
  readonly cpu: { readonly batch: number; readonly row: number }
  readonly wal: { readonly batch: number; readonly row: number }
  readonly feed: { readonly server: number; readonly own: number }
}

export interface Plan {
  /** Writes a second. */
  readonly rate: number
  readonly instances: number
  readonly shards: number
  /** Of each shard. */
  readonly cores: number
  /** Whether an instance writes to one shard; else to all. */
  readonly isOwnShard: boolean
  /** Processes with one core that follow the events of a share of the shards each. */
  readonly followers: number
}

/** Of one shard, and p50 and p99 of all writes. */
export const results = [
  'rows a batch',
  'CPU',
  'ms p50, p99',
  'WAL MB/s',
  'CPU of a follower',
  'lag ms p50, p99',
] as const

/** Writes arrive at random for five seconds; then the rest is done. */
export function simulate({ cpu, wal, feed }: Figures, plan: Plan): readonly string[] {
  const random = randomFrom(1)
  /** What is to be done, by the microsecond. */
  const agenda = new Map<number, (() => void)[]>()
  let now = 0
  function later(milliseconds: number, work: () => void): void {
    const tick = Math.round(now * 1000) + Math.max(1, Math.round(milliseconds * 1000))
    agenda.set(tick, [...(agenda.get(tick) ?? []), work])
  }
  const machine = (free: number) => ({ free, used: 0, waiting: [] as (() => void)[] })
  function use(on: ReturnType<typeof machine>, milliseconds: number, done: () => void): void {
    if (on.free === 0) return void on.waiting.push(() => use(on, milliseconds, done))
    on.free--
    on.used += milliseconds
    later(milliseconds, () => {
      on.free++
      done()
      on.waiting.shift()?.()
    })
  }
  type Batch = { readonly writes: readonly number[]; committedAt?: number }
  const latencies: number[] = []
  const lags: number[] = []
  const followers = Array.from({ length: plan.followers }, () => machine(1))
  const notifyMilliseconds = 50 / (plan.isOwnShard ? plan.instances / plan.shards : plan.instances)
  const shards = Array.from({ length: plan.shards }, (_, index) => ({
    server: machine(plan.cores),
    follower: followers[index % plan.followers] as ReturnType<typeof machine>,
    /** In the order of ids. */
    log: [] as Batch[],
    /** How far its follower has come: a cursor has this number for each shard. */
    position: 0,
    isRead: false,
    isFlushed: false,
    isNotified: false,
    unflushed: [] as (() => void)[],
  }))
  type Shard = (typeof shards)[number]

  /** Commits that come while the log is written are written together next. */
  function flush(shard: Shard): void {
    const commits = shard.unflushed.splice(0)
    shard.isFlushed = commits.length > 0
    if (commits.length > 0)
      later(commitMilliseconds, () => {
        for (const commit of commits) commit()
        flush(shard)
        if (!shard.isNotified) later(notifyMilliseconds, () => follow(shard))
        shard.isNotified = true
      })
  }
  /** Reads a page up to the horizon, which is before the first batch that is not committed. */
  function follow(shard: Shard): void {
    shard.isNotified = false
    const start = shard.position
    let events = 0
    for (let next = shard.log[start]; !shard.isRead && next?.committedAt && events < pageEvents; ) {
      events += next.writes.length
      next = shard.log[++shard.position]
    }
    if (events === 0) return
    shard.isRead = true
    const pages = events / pageEvents / 1000
    use(shard.server, feed.server * pages, () =>
      use(shard.follower, feed.own * pages, () => {
        for (const { committedAt = 0 } of shard.log.slice(start, shard.position)) lags.push(now - committedAt)
        shard.isRead = false
        follow(shard)
      }),
    )
  }
  /** As store/postgres/batch.ts: half of what waits after three turns (0.5 ms), and four batches at a time. */
  function createBatcher(shard: Shard) {
    const waiting: number[] = []
    let [inFlight, isScheduled] = [0, false]
    function schedule(): void {
      if (isScheduled || waiting.length === 0 || inFlight === 4) return
      isScheduled = true
      later(0.5, () => {
        const batch: Batch = { writes: waiting.splice(0, Math.min(Math.max(waiting.length / 2, 32), 200)) }
        isScheduled = false
        inFlight++
        shard.log.push(batch)
        use(shard.server, (cpu.batch + cpu.row * batch.writes.length) / 1000, () => {
          shard.unflushed.push(() => {
            batch.committedAt = now
            for (const since of batch.writes) latencies.push(now - since)
            inFlight--
            schedule()
          })
          if (!shard.isFlushed) flush(shard)
        })
        schedule()
      })
    }
    return () => {
      waiting.push(now)
      schedule()
    }
  }
  const instances = Array.from({ length: plan.instances }, () => shards.map(createBatcher))
  function arrive(): void {
    const i = Math.floor(random() * plan.instances)
    instances[i]?.[plan.isOwnShard ? i % plan.shards : Math.floor(random() * plan.shards)]?.()
    if (now < duration) later((-Math.log(1 - random()) / plan.rate) * 1000, arrive)
  }
  later(0, arrive)
  for (let tick = 0; agenda.size > 0; tick++) {
    now = tick / 1000
    for (const work of agenda.get(tick) ?? []) work()
    agenda.delete(tick)
  }

  const servers = shards.map(({ server }) => server)
  const batches = shards.flatMap(({ log }) => log)
  if (lags.length < batches.length) throw new Error('the follower has missed events')
  const of = (values: number[]) => {
    values.sort((a, b) => a - b)
    return [0.5, 0.99].map((share) => values[Math.floor(values.length * share)]?.toFixed(0)).join(', ')
  }
  const busy = (machines: ReturnType<typeof machine>[], cores: number) =>
    `${((machines.reduce((sum, { used }) => sum + used, 0) / machines.length / cores / duration) * 100).toFixed(0)} %`
  return [
    (latencies.length / batches.length).toFixed(1),
    busy(servers, plan.cores),
    of(latencies),
    ((batches.length * wal.batch + latencies.length * wal.row) / plan.shards / duration / 1000).toFixed(1),
    busy(followers, 1),
    of(lags),
  ]
}
