/** Runs contenders against each other in interleaved rounds, and makes of the readings one table of medians and ratios. */
import { type Load, measure, median, type Reading } from './load.ts'
import type { Server } from './server.ts'

/** One server, or several that share the work, asked one kind of request; the load is made anew each time. */
export interface Contender {
  readonly name: string
  readonly servers: readonly Server[]
  readonly key: string
  readonly load: (round: number) => Load
}
export interface Event {
  readonly name: string
  readonly contenders: readonly Contender[]
}

export interface Row {
  readonly event: string
  readonly contender: string
  /** Requests a second, the median of the rounds. */
  readonly rate: number
  /** Of each round. */
  readonly rates: readonly number[]
  /** To the first contender of the event, the median of the ratios within each round. */
  readonly ratio: number
  /** The lowest and the highest of those ratios. */
  readonly spread: readonly [number, number]
  readonly p50: number
  readonly p99: number
  /** The most resident memory after a round, in megabytes. */
  readonly memory: number
}

export interface Pace {
  readonly rounds: number
  readonly seconds: number
  /** 64 unless given. */
  readonly connections?: number
}

export async function contest(events: readonly Event[], { rounds, seconds, connections = 64 }: Pace): Promise<Row[]> {
  const readings = new Map<Contender, Reading[]>()
  const memory = new Map<Contender, number>()
  const all = events.flatMap(({ contenders }) => contenders)
  const total = all.length * rounds
  let done = 0
  for (let round = 0; round < rounds; round++)
    // In turns forwards and backwards, so that none always follows the same one.
    for (const event of events)
      for (const contender of round % 2 ? event.contenders.toReversed() : event.contenders) {
        say(
          `${Math.round((100 * done++) / total)} %  round ${round + 1} of ${rounds}: ${event.name}, ${contender.name}`,
        )
        const { servers, key } = contender
        const target = { ports: servers.map(({ port }) => port), key, connections }
        const settled = () => Promise.all(servers.map((server) => server.settled()))
        // The first touch of a page or a function is not what is measured.
        if (round === 0) await measure(contender.load(round), { ...target, seconds: 1 }).then(settled)
        const reading = await measure(contender.load(round), { ...target, seconds })
        readings.set(contender, [...(readings.get(contender) ?? []), reading])
        const resident = servers.reduce((sum, server) => sum + server.memory, 0)
        memory.set(contender, Math.max(memory.get(contender) ?? 0, resident))
        await settled()
      }
  say('')
  return events.flatMap((event) =>
    event.contenders.map((contender): Row => {
      const own = readings.get(contender) ?? []
      const rates = own.map(({ rate }) => rate)
      const first = (readings.get(event.contenders[0] as Contender) ?? []).map(({ rate }) => rate)
      const ratios = ratiosOf(rates, first)
      return {
        event: event.name,
        contender: contender.name,
        rate: Math.round(median(rates)),
        rates,
        ratio: median(ratios),
        spread: [Math.min(...ratios), Math.max(...ratios)],
        p50: median(own.map(({ p50 }) => p50)),
        p99: median(own.map(({ p99 }) => p99)),
        memory: memory.get(contender) ?? 0,
      }
    }),
  )
}

/** Each round's rate to the other's of the same round. */
export const ratiosOf = (rates: readonly number[], others: readonly number[]): number[] =>
  rates.map((rate, round) => rate / (others[round] ?? Number.NaN))

/** To the hundredth, or further where that would show nothing. */
export const figure = (ratio: number): string => (ratio < 0.01 ? ratio.toPrecision(1) : ratio.toFixed(2))

/** The line that tells how far it is. */
export function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${text}` : text && `${text}\n`)
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.event,
    row.contender,
    String(row.rate),
    figure(row.ratio),
    row.spread.map(figure).join('–'),
    row.p50.toFixed(2),
    row.p99.toFixed(2),
    row.memory.toFixed(0),
  ])
  return markdown(['operation', 'server', 'requests/s', 'ratio', 'spread', 'p50 ms', 'p99 ms', 'MB'], cells)
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}
