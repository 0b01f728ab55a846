/** Runs seeds: npm run test:simulation -- --seeds N [--seed S] [--until STEP] [--trace] [--hours H] */
import { parseArgs } from 'node:util'
import { Progress, shown } from '../long/item.ts'
import { type Outcome, simulate } from './simulate.ts'

/** A shop with nearly a request a second. */
const busyDay = {
  pause: 40_000,
  staff: 2,
  buyers: 3,
  crashes: 24,
  stops: 12,
  fullDisks: 12,
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
    },
  })
  const first = Number(values.seed)
  const count = Number(values.seeds)
  const day = values.hours === undefined ? undefined : { ...busyDay, minutes: Number(values.hours) * 60 }
  const progress = new Progress('simulation', Number.POSITIVE_INFINITY)
  const total = { seconds: 0, steps: 0, requests: 0, events: 0, deliveries: 0, crashes: 0 }
  const began = performance.now()
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(
      {
        seed,
        until: values.until === undefined ? undefined : Number(values.until),
        onLine: values.trace ? (line) => process.stdout.write(`${line}\n`) : undefined,
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
