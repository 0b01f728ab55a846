/**
 * Plants each fault of faults.txt, or with --real those of faults-real.txt, in a copy of src/, and finds the first seed
 * that sees it: npm run test:simulation-faults -- [--real] [--seeds N] [--only PART] [--write]
 */
import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { faultsIn, withPlanted } from '../../harness/planted.ts'
import { putRows } from '../../harness/results-table.ts'
import { globalSetup, globalTeardown } from '../../test/support/global-setup.ts'

const { values } = parseArgs({
  options: {
    /** Runs in real time, against processes. */
    real: { type: 'boolean', default: false },
    /**
     * The number of seeds that are tried before a fault counts as not seen. The default is 1,000, or 12 in real time.
     */
    seeds: { type: 'string' },
    only: { type: 'string', default: '' },
    /** Writes the table into docs/simulation-faults.md. */
    write: { type: 'boolean', default: false },
  },
})
const { seeds = values.real ? '12' : '1000' } = values

/** Returns the first seed that sees the fault, with the promise that it finds broken, or undefined if none does. */
async function firstSeedIn(
  folder: string,
  driver: readonly string[],
): Promise<[seed: string, promise: string] | undefined> {
  try {
    const args = ['trials/simulation/run.ts', '--seeds', seeds, ...driver]
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1e8 })
    return undefined
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string }
    const seen = /^seed (\d+) (?:failed at step \d+|on \w+ failed): (?:\w+: )?(.*)$/m.exec(stderr)
    if (!seen) throw error
    const [, seed, what = ''] = seen
    return [seed as string, what.split(':')[0] as string]
  }
}

const head = '| fault | first seed | the promise that it breaks |\n|---|---|---|'
const [file, table] = values.real ? ['faults-real.txt', 'faults-real'] : ['faults.txt', 'faults']
const faults = faultsIn(`trials/simulation/${file}`).map((fault) => ({
  ...fault,
  what: values.real ? fault.title : fault.title.replace(/^\w+ /, ''),
  driver: values.real ? ['--real', fault.title.split(':')[0] as string, '--kills', '1', '--answers', '1000'] : [],
}))
const lines: string[] = []
if (values.real) await globalSetup()
process.stdout.write(`${head}\n`)
try {
  for (const { what, driver, ...fault } of faults) {
    if (!what.includes(values.only)) continue
    const seen = await withPlanted(fault, (folder) => firstSeedIn(folder, driver))
    if (!seen) process.exitCode = 1
    const [seed, promise] = seen ?? [`not seen in ${seeds}`, '']
    const line = `| ${what} | ${seed} | ${promise} |`
    process.stdout.write(`${line}\n`)
    lines.push(line)
  }
} finally {
  await globalTeardown()
}
if (values.write)
  putRows(
    'docs/simulation-faults.md',
    table,
    head,
    lines,
    faults.map(({ what }) => what),
  )
