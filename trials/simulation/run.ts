/**
 * Runs seeds: npm run test:simulation -- --seeds N [--seed S] [--until STEP] [--trace] [--hours H]
 * In real time: npm run test:simulation -- --real SQLite|PostgreSQL [--seeds N] [--seed S] [--kills N] [--answers N]
 * [--trace]
 */
import { parseArgs } from 'node:util'
import { databases } from '../../harness/databases.ts'
import { runReal } from '../../harness/simulation/real.ts'
import { type Outcome, simulate } from '../../harness/simulation/simulate.ts'
import { globalSetup, globalTeardown } from '../../test/support/global-setup.ts'
import { Progress, shown } from '../long/item.ts'

/** A shop that receives almost one request per second. */
const busyDay = {
  pause: 40_000,
  staff: 2,
  buyers: 3,
  crashes: 24,
  stops: 12,
  fullDisks: 12,
  locks: 12,
  crowds: 12,
  clockJumps: 0,
  nights: 0,
  imports: 24,
}

export function reportOf({ seed, failure, lines, steps }: Outcome, hours?: string): string {
  const day = hours === undefined ? '' : ` --hours ${hours}`
  return [
    ...lines.slice(-20),
    `seed ${seed} failed at step ${steps}: ${failure instanceof Error ? failure.stack : failure}`,
    `again: npm run test:simulation -- --seed ${seed}${day} --trace --until ${steps}`,
  ].join('\n')
}

if (import.meta.main) await main()

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      until: { type: 'string' },
      trace: { type: 'boolean', default: false },
      hours: { type: 'string' },
      hashes: { type: 'boolean', default: false },
      real: { type: 'string' },
      kills: { type: 'string', default: '3' },
      answers: { type: 'string', default: '120' },
    },
  })
  const first = Number(values.seed)
  const count = Number(values.seeds)
  const onLine = values.trace ? (line: string) => process.stdout.write(`${line}\n`) : undefined
  if (values.real !== undefined)
    return runInRealTime(values.real, first, count, {
      kills: Number(values.kills),
      answers: Number(values.answers),
      onLine,
    })
  const day = values.hours === undefined ? undefined : { ...busyDay, minutes: Number(values.hours) * 60 }
  const progress = new Progress('simulation', Number.POSITIVE_INFINITY)
  const total = { seconds: 0, steps: 0, requests: 0, events: 0, deliveries: 0, crashes: 0 }
  const began = performance.now()
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(
      {
        seed,
        until: values.until === undefined ? undefined : Number(values.until),
        onLine,
      },
      day,
    )
    if (values.hashes) process.stdout.write(`${seed} ${outcome.hash}\n`)
    if (outcome.failure) {
      progress.end(reportOf(outcome, values.hours))
      process.exit(1)
    }
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += outcome[name]
    progress.tell(seed - first + 1, count)
  }
  const seconds = (performance.now() - began) / 1000
  const seen = Object.entries(total).map(([name, count]) => `${shown(count)} ${name}`)
  progress.end(`${shown(count)} seeds from ${first}, no violation in ${seconds.toFixed(1)} s: ${seen.join(', ')}`)
}

async function runInRealTime(
  name: string,
  first: number,
  count: number,
  options: { kills: number; answers: number; onLine: ((line: string) => unknown) | undefined },
): Promise<void> {
  const database = databases.find((each) => each.name === name)
  if (!database) throw new Error(`--real is ${databases.map((each) => each.name).join(' or ')}`)
  const progress = new Progress(name, Number.POSITIVE_INFINITY)
  if (name === 'PostgreSQL') await globalSetup()
  try {
    for (let seed = first; seed < first + count; seed++) {
      const { answers, events, troubles } = await runReal(database, { ...options, seed })
      const met = [...troubles].map(([trouble, times]) => `${times} × ${trouble}`)
      progress.end([`seed ${seed}: ${answers} answers, ${events} events`, ...met].join(', '))
    }
  } catch (error) {
    progress.end((error as Error).message)
    process.exitCode = 1
  } finally {
    await globalTeardown()
  }
}
