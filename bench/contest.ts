/** Runs contenders against each other in interleaved rounds, and makes of the readings one table of medians and ratios. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, measure, type Reading } from './load.ts'
import { answers, type Server } from './server.ts'

/** One server, or several that share the work. */
export interface Service {
  readonly name: string
  readonly servers: readonly Server[]
  /** What they stand on, where that is to be seen by itself: the hundredths of a second that it used. */
  readonly database?: { readonly ticks: number }
}
/** A service that is asked one kind of request. */
export interface Contender extends Service {
  /** Made anew each time; gets what the first contender of the event reached in this round. */
  readonly load: (round: number, first: Reading | undefined) => Load | Promise<Load>
  /** Those of the pace unless given. */
  readonly connections?: number
  /** Whether `/livez` is asked meanwhile, ten times a second, each time on a new connection. */
  readonly isProbed?: boolean
}
export interface Event {
  readonly name: string
  readonly contenders: readonly Contender[]
  /** Whether the first contender comes first in each round. */
  readonly isInOrder?: boolean
}
export interface Pace {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** What was found of a contender in one round. */
export interface Sample extends Reading {
  readonly event: string
  readonly contender: string
  /** Microseconds of processor time for each request that was answered with 2xx: of its servers, and of the database. */
  readonly cpu: number
  readonly databaseCpu: number
  /** Resident after the round, in megabytes. */
  readonly memory: number
  /** The longest that `/livez` took on a new connection, in milliseconds. */
  readonly newConnection: number
}

export async function contest(events: readonly Event[], { rounds, seconds, connections }: Pace): Promise<Sample[]> {
  const samples: Sample[] = []
  const total = events.flatMap(({ contenders }) => contenders).length * rounds
  for (let round = 0; round < rounds; round++)
    for (const { name, contenders, isInOrder } of events) {
      let first: Reading | undefined
      // In turns forwards and backwards, so that none always follows the same one.
      for (const contender of round % 2 && !isInOrder ? contenders.toReversed() : contenders) {
        const part = Math.round((100 * samples.length) / total)
        say(`${part} %  round ${round + 1} of ${rounds}: ${name}, ${contender.name}`)
        const { servers, database } = contender
        const size = { connections: contender.connections ?? connections, seconds }
        const settled = () => Promise.all(servers.map((server) => server.settled()))
        const used = () => [servers.reduce((sum, { ticks }) => sum + ticks, 0), database?.ticks ?? 0] as const
        // The first touch of a page or a function is not what is measured.
        if (round === 0)
          await measure(await contender.load(round, first), servers, { ...size, seconds: 1 }).then(settled)
        const load = await contender.load(round, first)
        await settled()
        const before = used()
        const [reading, newConnection] = await probing(
          contender.isProbed ? servers[0]?.port : undefined,
          measure(load, servers, size),
        )
        first ??= reading
        const memory = servers.reduce((sum, server) => sum + server.memory, 0)
        await settled()
        const after = used()
        const each = (index: 0 | 1) => ((after[index] - before[index]) * 10_000) / (reading.rate * seconds)
        const found = { ...reading, cpu: each(0), databaseCpu: each(1), memory, newConnection }
        samples.push({ event: name, contender: contender.name, ...found })
      }
    }
  say('')
  return samples
}

async function probing(port: number | undefined, work: Promise<Reading>): Promise<[Reading, number]> {
  const waits: Promise<number>[] = []
  let isOver = port === undefined
  const ending = work.finally(() => (isOver = true))
  while (!isOver) {
    const began = performance.now()
    waits.push(answers(`http://127.0.0.1:${port}/livez`).then((is) => (is ? performance.now() - began : Infinity)))
    await sleep(100)
  }
  return [await ending, Math.max(0, ...(await Promise.all(waits)))]
}

/** Medians of the rounds. */
export interface Row extends Sample {
  /** Of each round. */
  readonly rates: readonly number[]
  /** To the first contender of the event, of the ratios within each round; and where it lies. */
  readonly ratio: number
  readonly spread: readonly [number, number]
  readonly cpuRatio: number
  readonly cpuSpread: readonly [number, number]
}

export function rowsOf(samples: readonly Sample[]): Row[] {
  return [...Map.groupBy(samples, ({ event }) => event).values()].flatMap((ofEvent) => {
    const groups = [...Map.groupBy(ofEvent, ({ contender }) => contender).values()]
    return groups.map((own): Row => {
      const ratiosOf = (field: 'rate' | 'cpu') =>
        own.map((sample, n) => sample[field] / (groups[0]?.[n]?.[field] ?? NaN))
      const of = (field: Exclude<keyof Sample, 'event' | 'contender'>) => median(own.map((sample) => sample[field]))
      const [rates, cpus] = [ratiosOf('rate'), ratiosOf('cpu')]
      return {
        ...(own[0] as Sample),
        ...{ rate: Math.round(of('rate')), refused: Math.round(of('refused')), p50: of('p50'), p99: of('p99') },
        ...{ cpu: of('cpu'), databaseCpu: of('databaseCpu') },
        memory: Math.max(...own.map(({ memory }) => memory)),
        newConnection: Math.max(...own.map(({ newConnection }) => newConnection)),
        rates: own.map(({ rate }) => rate),
        ...{ ratio: median(rates), spread: spreadOf(rates), cpuRatio: median(cpus), cpuSpread: spreadOf(cpus) },
      }
    })
  })
}

/** The lowest and the highest. Of nine, the second of each: whatever the noise is like, they enclose the true median in 96 of 100 runs. */
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

/** To the hundredth, or further where that would show nothing. */
export const figure = (ratio: number): string => (ratio < 0.01 ? ratio.toPrecision(1) : ratio.toFixed(2))

/** The line that tells how far it is. */
export function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${text}` : text && `${text}\n`)
}

/** Columns that say nothing of any row are left out. */
export function table(rows: readonly Row[]): string {
  const within = (ratio: number, spread: readonly number[]) => `${figure(ratio)} (${spread.map(figure).join('–')})`
  const columns: Record<string, (row: Row) => string> = {
    operation: ({ event }) => event,
    server: ({ contender }) => contender,
    'requests/s': ({ rate }) => String(rate),
    ratio: ({ ratio, spread }) => within(ratio, spread),
    'CPU µs': ({ cpu }) => cpu.toFixed(0),
    'its ratio': ({ cpuRatio, cpuSpread }) => within(cpuRatio, cpuSpread),
    'CPU µs, database': ({ databaseCpu }) => (databaseCpu ? databaseCpu.toFixed(0) : ''),
    'p50 ms': ({ p50 }) => p50.toFixed(2),
    'p99 ms': ({ p99 }) => p99.toFixed(2),
    '503/s': ({ refused }) => (refused ? String(refused) : ''),
    'new connection ms': ({ newConnection }) => (newConnection ? newConnection.toFixed(0) : ''),
    MB: ({ memory }) => memory.toFixed(0),
  }
  const used = Object.entries(columns).filter(([, cell]) => rows.some(cell))
  return markdown(
    used.map(([name]) => name),
    rows.map((row) => used.map(([, cell]) => cell(row))),
  )
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}
