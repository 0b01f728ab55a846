/** `npm run test:long`: the checks whose figures are too large for every run of the tests. */
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../support/global-setup.ts'
import { anySeed } from '../support/random.ts'
import { rollingRestarts, slowClients } from './connections.long.ts'
import { kills, powerCuts } from './crashes.long.ts'
import { events } from './events.long.ts'
import { failovers } from './failovers.long.ts'
import { type Item, type ItemResult, Progress } from './item.ts'
import { type Row, table, writeTable } from './record.ts'
import { doubleSale, fuzzing, linearizability, model } from './stores.long.ts'

const items: Record<string, Item> = {
  'power-cuts': powerCuts,
  kills,
  failovers,
  events,
  'slow-clients': slowClients,
  'rolling-restarts': rollingRestarts,
  'double-sale': doubleSale,
  linearizability,
  model,
  fuzz: fuzzing,
}

const help = `Usage: npm run test:long -- [--only NAME] [--scale 0.1] [--seed N] [--minutes N] [--write]

  --only NAME     one item: ${Object.keys(items).join(', ')}; may be given several times
  --scale N       multiplies every number; 1 is the default
  --seed N        repeats a run
  --minutes N     what an item may take before it fails; 120 is the default
  --write         puts the results into docs/reliability.md
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(items) },
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(anySeed()) },
    minutes: { type: 'string', default: '120' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [seed, scale, minutes] = [Number(values.seed), Number(values.scale), Number(values.minutes)]
const unknown = values.only.filter((name) => !(name in items))
if (values.help || unknown.length > 0 || !(scale > 0) || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write(help)
  process.exit(values.help ? 0 : 2)
}

async function run(name: string): Promise<Row> {
  const progress = new Progress(name, minutes)
  const began = performance.now()
  const result: ItemResult = await (items[name] as Item)({ seed, scale, progress: progress.tell }).catch((error) => ({
    figure: String(error instanceof Error ? error.message : error).split('\n')[0] as string,
    ok: false,
  }))
  const row = { name, ...result, scale, seed, seconds: Math.round((performance.now() - began) / 1000) }
  progress.end(`${name}: ${result.ok ? '' : 'FAILED: '}${result.figure}`)
  return row
}

process.stderr.write(`seed ${seed}, scale ${scale}\n`)
await globalSetup()
const rows: Row[] = []
try {
  for (const name of values.only) rows.push(await run(name))
} finally {
  await globalTeardown()
}
process.stdout.write(`\n${table(rows)}\n`)
if (values.write) writeTable(rows)
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
