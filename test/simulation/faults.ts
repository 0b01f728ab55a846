/**
 * Faults that this project has had, each made again in a copy of src/, and the first seed that sees it:
 * node test/simulation/faults.ts [--seeds N] [--only PART]
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { projectFile, root } from '../support/project.ts'

interface Fault {
  readonly what: string
  /** The commit that has cured it. */
  readonly cure: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const read = (block: string): Fault => {
  const [title = '', file = '', ...lines] = block.trim().split('\n')
  const [cure = ''] = title.split(' ', 1)
  const marked = (mark: string) => lines.flatMap((line) => (line[0] === mark ? [line.slice(2)] : [])).join('\n')
  return { cure, what: title.slice(cure.length + 1), file, find: marked('-'), replace: marked('+') }
}

const [, ...blocks] = projectFile('test/simulation/faults.txt').split('\n\n')
export const faults: readonly Fault[] = blocks.map(read)

/** The text with the fault in it; throws if it has moved. */
export function planted(text: string, { what, find, replace }: Fault): string {
  if (!text.includes(find)) throw new Error(`"${what}" finds nothing to replace`)
  return text.replaceAll(find, () => replace)
}

/** A copy of the project with the fault in it, in which seeds run until one sees it. */
async function firstSeedOf(fault: Fault, seeds: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fault-'))
  try {
    for (const name of readdirSync(root))
      if (!['src', 'test', '.git'].includes(name)) symlinkSync(join(root, name), join(folder, name))
    for (const name of ['src', 'test']) cpSync(join(root, name), join(folder, name), { recursive: true })
    const file = join(folder, 'src', fault.file)
    writeFileSync(file, planted(readFileSync(file, 'utf8'), fault))
    const args = ['test/simulation/run.ts', '--seeds', String(seeds)]
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1e8 })
    return '| not found | |'
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string }
    const [, seed, what = ''] = /^seed (\d+) failed at step \d+: \w+: (.*)$/m.exec(stderr) ?? []
    if (seed === undefined) return `| ${stderr} | |`
    return `| ${seed} | ${what.split(':')[0]} |`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '1000' }, only: { type: 'string', default: '' } },
  })
  process.stdout.write('| fault | cured by | seen at seed | by |\n|---|---|---|---|\n')
  for (const fault of faults.filter(({ what }) => what.includes(values.only)))
    process.stdout.write(`| ${fault.what} | ${fault.cure} ${await firstSeedOf(fault, Number(values.seeds))}\n`)
}
