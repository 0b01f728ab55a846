/**
 * Plants each fault of faults.txt in a copy of src/, and finds the first seed that sees it:
 * npm run test:simulation-faults -- [--seeds N] [--only PART] [--write]
 */
import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { faultsIn, withPlanted } from '../support/planted.ts'
import { putRows } from '../support/results-table.ts'

const { values } = parseArgs({
  options: {
    /** How many are tried before a fault counts as not seen. */
    seeds: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    /** Puts the table into docs/reliability.md. */
    write: { type: 'boolean', default: false },
  },
})

/** The first seed that sees it, and the promise that it finds broken; undefined if none does. */
async function firstSeedIn(folder: string): Promise<[seed: string, promise: string] | undefined> {
  try {
    const args = ['test/simulation/run.ts', '--seeds', values.seeds]
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1e8 })
    return undefined
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string }
    const [, seed, what = ''] = /^seed (\d+) failed at step \d+: (?:\w+: )?(.*)$/m.exec(stderr) ?? []
    if (seed === undefined) throw error
    return [seed, what.split(':')[0] as string]
  }
}

const head = '| fault | first seed | the promise that it breaks |\n|---|---|---|'
process.stdout.write(`${head}\n`)
const lines: string[] = []
const faults = faultsIn('test/simulation/faults.txt').map((fault) => ({
  ...fault,
  what: fault.title.replace(/^\w+ /, ''),
}))
for (const { what, ...fault } of faults) {
  if (!what.includes(values.only)) continue
  const seen = await withPlanted(fault, firstSeedIn)
  if (!seen) process.exitCode = 1
  const [seed, promise] = seen ?? [`not seen in ${values.seeds}`, '']
  const line = `| ${what} | ${seed} | ${promise} |`
  process.stdout.write(`${line}\n`)
  lines.push(line)
}
if (values.write)
  putRows(
    'docs/reliability.md',
    'faults',
    head,
    lines,
    faults.map(({ what }) => what),
  )
