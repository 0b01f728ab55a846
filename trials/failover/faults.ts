/**
 * Plants each fault of faults.txt in a copy of src/, and runs the case of test:ha that must notice it, two minutes
 * each: npm run test:ha-faults -- [--only PART]
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { faultsIn, withPlanted } from '../../harness/planted.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
for (const fault of faultsIn('trials/failover/faults.txt').filter(({ title }) => title.includes(values.only))) {
  const [what = ''] = fault.title.split(': ')
  const { stderr } = await withPlanted(fault, async (cwd) =>
    spawnSync(process.execPath, ['trials/failover/run.ts', '--case', what], { cwd, encoding: 'utf8' }),
  )
  const isSeen = stderr.includes('of the cases broke a promise')
  process.stdout.write(`${isSeen ? 'seen' : 'NOT SEEN'}: ${fault.title}\n`)
  if (isSeen) process.stdout.write(`${/ BROKEN: (.*)$/m.exec(stderr)?.[1]}\n`)
  else {
    process.stderr.write(stderr)
    process.exitCode = 1
  }
}
