/** Runs contenders against each other in interleaved rounds, and makes a table of medians and ratios. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, measure, type Reading, type Size } from './load.ts'
import { answers, type Server, say, untilIdle } from './server.ts'

/** One server, or several that share the work. */
export interface Service {
  readonly name: string
  readonly servers: readonly Server[]
  /** The database server, if its processor time is measured separately, in hundredths of a second. */
  readonly database?: { readonly ticks: () => number } | undefined
}
/** A service that receives one kind of request. */
export interface Contender extends Service {
  /** Makes the load of a round. It receives the result of the first contender of the event in this round. */
  readonly load: (round: number, first: Reading | undefined) => Load | Promise<Load>
  /** The number of connections. The default is that of the pace. */
  readonly connections?: number
  /** Whether `/livez` is requested meanwhile, ten times a second, each time on a new connection. */
  readonly isProbed?: boolean
}
export interface Event {
  readonly name: string
  readonly contenders: readonly Contender[]
  /** Whether the first contender comes first in each round. */
  readonly isInOrder?: boolean
}
export interface Pace extends Size {
  readonly rounds: number
}

/** The result of a contender in one round. */
export interface Sample extends Reading {
  readonly event: string
  readonly contender: string
  /**
   * The microseconds of processor time for each request that was answered with 2xx, of its servers and of the database.
   */
  readonly cpu: number
  readonly databaseCpu: number
  /** The resident memory after the round, in megabytes. */
  readonly memory: number
  /** The longest time for `/livez` on a new connection, in milliseconds. */
  readonly newConnection: number
}

export async function contest(events: readonly Event[], pace: Pace): Promise<Sample[]> {
  const samples: Sample[] = []
  const total = events.flatMap(({ contenders }) => contenders).length * pace.rounds
  for (let round = 0; round < pace.rounds; round++)
    for (const { name: event, contenders, isInOrder } of events) {
      let first: Reading | undefined
      // The order alternates, so that no contender always follows the same one.
      for (const contender of round % 2 && !isInOrder ? contenders.toReversed() : contenders) {
        const { name, servers, database, load, connections = pace.connections, isProbed } = contender
        const part = Math.round((100 * samples.length) / total)
        say(`${part} %  round ${round + 1} of ${pace.rounds}: ${event}, ${name}`)
        // The first round is not measured, because it includes the first use of pages and functions.
        if (round === 0) await measure(await load(round, first), servers, { connections, seconds: 1 })
        const ready = await load(round, first)
        const idle = () => Promise.all([...servers, ...(database ? [database] : [])].map(untilIdle))
        await idle()
        const used = () => [servers.reduce((sum, { ticks }) => sum + ticks(), 0), database?.ticks() ?? 0] as const
        const before = used()
        const work = measure(ready, servers, { connections, seconds: pace.seconds })
        const newConnection = isProbed ? await longestWait(servers[0]?.port, work) : 0
        const reading = await work
        const memory = servers.reduce((sum, server) => sum + server.memory(), 0)
        await idle()
        const [cpu = 0, databaseCpu = 0] = used().map(
          (ticks, n) => ((ticks - (before[n] ?? 0)) * 10_000) / (reading.rate * pace.seconds),
        )
        first ??= reading
        samples.push({ event, contender: name, ...reading, cpu, databaseCpu, memory, newConnection })
      }
    }
  say('')
  return samples
}

/**
 * Returns the longest time in milliseconds for `/livez` on a new connection, ten times a second while the work lasts.
 */
async function longestWait(port: number | undefined, work: Promise<unknown>): Promise<number> {
  const waits: Promise<number>[] = []
  let isOver = false
  work.finally(() => (isOver = true)).catch(() => {})
  while (!isOver) {
    const began = performance.now()
    waits.push(answers(`http://127.0.0.1:${port}/livez`).then((is) => (is ? performance.now() - began : Infinity)))
    await sleep(100)
  }
  return Math.max(...(await Promise.all(waits)))
}

export type Row = ReturnType<typeof rowsOf>[number]

/** Returns medians of the rounds. Ratios are to the first contender of the event in the same round. */
export function rowsOf(samples: readonly Sample[]) {
  return [...Map.groupBy(samples, ({ event }) => event)].flatMap(([event, ofEvent]) => {
    const groups = [...Map.groupBy(ofEvent, ({ contender }) => contender)]
    return groups.map(([contender, own]) => {
      const of = (field: Exclude<keyof Sample, 'event' | 'contender'>, all = own) => all.map((sample) => sample[field])
      const ratiosOf = (field: 'rate' | 'cpu') => {
        const others = of(field, groups[0]?.[1])
        return of(field).map((value, round) => value / (others[round] ?? NaN))
      }
      return {
        event,
        contender,
        rate: Math.round(median(of('rate'))),
        rates: of('rate'),
        ratio: median(ratiosOf('rate')),
        spread: spreadOf(ratiosOf('rate')),
        cpu: median(of('cpu')),
        cpuRatio: median(ratiosOf('cpu')),
        cpuSpread: spreadOf(ratiosOf('cpu')),
        databaseCpu: median(of('databaseCpu')),
        p50: median(of('p50')),
        p99: median(of('p99')),
        refused: median(of('refused')),
        newConnection: Math.max(...of('newConnection')),
        memory: Math.max(...of('memory')),
      }
    })
  })
}

/**
 * Returns the lowest and the highest ratio. Of nine, it returns the second of each: whatever the noise, they enclose
 * the true median in 96 of 100 runs.
 */
function spreadOf(ratios: readonly number[]): [number, number] {
  const sorted = ratios.toSorted((a, b) => a - b)
  const out = sorted.length < 9 ? 0 : 1
  return [sorted[out] ?? NaN, sorted.at(-1 - out) ?? NaN]
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = NaN, high = NaN] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return (low + high) / 2
}

/** Writes a ratio with two decimals, or more if these would be zero. */
export const figure = (ratio: number): string => (ratio < 0.01 ? ratio.toPrecision(1) : ratio.toFixed(2))

/** Writes a table. Columns that are empty in every row are left out. */
export function table(rows: readonly Row[]): string {
  const within = (ratio: number, spread: readonly number[]) => `${figure(ratio)} (${spread.map(figure).join('–')})`
  const short = (value: number) => String(Number(value.toPrecision(3)))
  const whole = (value: number) => (value ? value.toFixed(0) : '')
  const columns: Record<string, (row: Row) => string> = {
    operation: ({ event }) => event,
    server: ({ contender }) => contender,
    'requests/s': ({ rate }) => String(rate),
    ratio: ({ ratio, spread }) => within(ratio, spread),
    'CPU µs': ({ cpu }) => whole(cpu),
    'its ratio': ({ cpuRatio, cpuSpread }) => within(cpuRatio, cpuSpread),
    'CPU µs, database': ({ databaseCpu }) => whole(databaseCpu),
    'p50 ms': ({ p50 }) => short(p50),
    'p99 ms': ({ p99 }) => short(p99),
    '503/s': ({ refused }) => whole(refused),
    'new connection ms': ({ newConnection }) => whole(newConnection),
    MB: ({ memory }) => whole(memory),
  }
  const used = Object.entries(columns).filter(([, cell]) => rows.some(cell))
  const head = used.map(([name]) => name)
  const cells = rows.map((row) => used.map(([, cell]) => cell(row)))
  return markdown(head, cells)
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}
