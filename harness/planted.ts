/** Faults that are planted into a copy of the project, to see whether a test notices them. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFile, root } from './project.ts'

export interface Fault {
  readonly title: string
  /** The path in src/. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

const read = (block: string): Fault => {
  const [title = '', file = '', ...lines] = block.trim().split('\n')
  const marked = (mark: string) => lines.flatMap((line) => (line[0] === mark ? [line.slice(2)] : [])).join('\n')
  return { title, file, find: marked('-'), replace: marked('+') }
}

/** Reads the faults in a file of the project, whose first paragraph explains them. */
export const faultsIn = (path: string): readonly Fault[] => projectFile(path).split('\n\n').slice(1).map(read)

/** Returns the text with the fault in it, and throws if the original text has changed. */
export function planted(text: string, { title, find, replace }: Fault): string {
  if (!text.includes(find)) throw new Error(`"${title}" finds nothing to replace`)
  return text.replaceAll(find, () => replace)
}

/** The folders that are copied. A linked program would run the files in the project instead of those in the copy. */
const copied = ['bin', 'src', 'test', 'harness', 'trials']

/** Runs `work` with a copy of the project that contains the fault. */
export async function withPlanted<T>(fault: Fault, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fault-'))
  try {
    for (const name of readdirSync(root))
      if (![...copied, '.git'].includes(name)) symlinkSync(join(root, name), join(folder, name))
    for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
    const file = join(folder, 'src', fault.file)
    writeFileSync(file, planted(readFileSync(file, 'utf8'), fault))
    return await work(folder)
  } finally {
    // A process that was killed may still be writing into it.
    rmSync(folder, { recursive: true, maxRetries: 10 })
  }
}
