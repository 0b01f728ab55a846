/**
 * Faults that this project has had, each made again in a copy of src/, and the first seed that sees it:
 * npm run test:simulation-faults -- [--seeds N] [--only PART]
 */
import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { faultsIn, withPlanted } from '../support/planted.ts'

async function firstSeedIn(folder: string, seeds: string): Promise<string> {
  try {
    const args = ['test/simulation/run.ts', '--seeds', seeds]
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1e8 })
    return '| not found | |'
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string }
    const [, seed, what = ''] = /^seed (\d+) failed at step \d+: \w+: (.*)$/m.exec(stderr) ?? []
    if (seed === undefined) return `| ${stderr} | |`
    return `| ${seed} | ${what.split(':')[0]} |`
  }
}

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, only: { type: 'string', default: '' } },
})
process.stdout.write('| fault | cured by | seen at seed | by |\n|---|---|---|---|\n')
for (const fault of faultsIn('test/simulation/faults.txt')) {
  const [, cure, what = ''] = /^(\w+) (.*)$/.exec(fault.title) ?? []
  if (!what.includes(values.only)) continue
  const seen = await withPlanted(fault, (folder) => firstSeedIn(folder, values.seeds))
  process.stdout.write(`| ${what} | ${cure} ${seen}\n`)
}
