/** `npm run test:long` runs the checks whose numbers are too large for every run of the tests. */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { root } from '../../harness/project.ts'
import { anySeed } from '../../harness/random.ts'
import { putRows } from '../../harness/results-table.ts'
import { globalSetup, globalTeardown } from '../../test/support/global-setup.ts'
import { rollingRestarts, slowClients } from './connections.ts'
import { type Item, type ItemResult, Progress, shown } from './item.ts'
import {
  doubleSale,
  expiry,
  failovers,
  fuzzing,
  linearizability,
  model,
  powerCuts,
  realTime,
  simulation,
} from './items.ts'

const items: Record<string, Item> = {
  'power-cuts': powerCuts,
  failovers,
  'slow-clients': slowClients,
  'rolling-restarts': rollingRestarts,
  'double-sale': doubleSale,
  expiry,
  linearizability,
  simulation,
  'real-time': realTime,
  model,
  fuzz: fuzzing,
}

const help = `Usage: npm run test:long -- [--only NAME] [--scale 0.1] [--seeds N] [--seed N] [--minutes N] [--write]

  --only NAME     one item: ${Object.keys(items).join(', ')}; may be given several times
  --scale N       multiplies every number; 1 is the default
  --seeds N       seeds of the simulation; 1,000 at scale 1
  --seed N        repeats a run
  --minutes N     what an item may take before it fails; 120 is the default
  --write         puts the results into docs/reliability.md
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(items) },
    scale: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    seed: { type: 'string', default: String(anySeed()) },
    minutes: { type: 'string', default: '120' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [seed, scale, minutes] = [Number(values.seed), Number(values.scale), Number(values.minutes)]
const seeds = values.seeds === undefined ? undefined : Number(values.seeds)
const unknown = values.only.filter((name) => !(name in items))
if (values.help || unknown.length > 0 || !(scale > 0) || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write(help)
  process.exit(values.help ? 0 : 2)
}

const table = '| trial | result | scale | seed | took | commit | machine |\n|---|---|---|---|---|---|---|'
/** The commit is empty without git. */
const commit = (
  spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout ?? ''
).trim()
const machine = `${cpus().length} cores of ${cpus()[0]?.model}`

/** Runs an item, and returns its line of the table. */
async function run(name: string): Promise<{ ok: boolean; line: string }> {
  const progress = new Progress(name, minutes)
  const began = performance.now()
  const { figure, ok }: ItemResult = await (items[name] as Item)({ seed, scale, seeds, progress: progress.tell }).catch(
    (error) => ({ figure: String(error instanceof Error ? error.message : error).split('\n')[0] as string, ok: false }),
  )
  progress.end(`${name}: ${ok ? '' : 'FAILED: '}${figure}`)
  const seconds = Math.round((performance.now() - began) / 1000)
  const cells = [name, `${ok ? '' : '**failed**: '}${figure}`, scale, seed, `${shown(seconds)} s`, commit, machine]
  return { ok, line: `| ${cells.join(' | ')} |` }
}

/**
 * Writes each result into docs/reliability.md in place of the one before. Items that were not run keep their results.
 */
function write(lines: readonly string[]): void {
  putRows('docs/reliability.md', 'test:long', table, lines, Object.keys(items))
}

process.stderr.write(`seed ${seed}, scale ${scale}\n`)
await globalSetup()
const rows: { ok: boolean; line: string }[] = []
try {
  for (const name of values.only) rows.push(await run(name))
} finally {
  await globalTeardown()
}
const lines = rows.map(({ line }) => line)
process.stdout.write(`\n${[table, ...lines].join('\n')}\n`)
if (values.write) write(lines)
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
