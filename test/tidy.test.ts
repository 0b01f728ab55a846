/** The code is laid out for its reader: short lines, short functions, plain words. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { projectFile, root } from './support/project.ts'

const columnsMax = 120
const functionLinesMax = 70

/** Names and words that explain nothing, or put work off. */
const vague = /(?<!node:)\b(?:TODO|FIXME|XXX|HACK|utils?|helpers?|misc|stuff|manager|somehow)\b/i

interface Rule {
  /** The faults in a file, by line. */
  readonly faultsIn: (lines: readonly string[]) => readonly number[]
  readonly folders: readonly string[]
  /** A text that has a fault. */
  readonly planted: string
}

const everywhere = ['src', 'client', 'conform', 'bench', 'build', 'tools', 'test']
const program = ['src', 'client/src', 'conform/src']

const numbered = (lines: readonly string[], isFault: (line: string) => boolean): number[] =>
  lines.flatMap((line, i) => (isFault(line) ? [i + 1] : []))

/** A linter wants its comment on one line. */
const mayBeLong = (line: string): boolean => /biome-ignore/.test(line)

const indentOf = (line: string): number => line.length - line.trimStart().length

/**
 * Whether a function begins: its own line, or the last of its signature. The formatter gives every one the same form.
 */
const beginsFunction = (line: string): boolean => {
  const text = line.trim()
  if (!text.endsWith('{') || /^(?:if|for|while|switch|catch|\} else)\b/.test(text)) return false
  const signature =
    /^(?:export )?(?:async )?function\b|^\)(?:: .+)? \{$|^(?:async |static |#)*[\w#]+\(.*\)(?:: .+)? \{$/
  return text.endsWith('=> {') || signature.test(text)
}

/** Where functions begin that have too many lines of their own: those of functions within them do not count. */
function longFunctions(lines: readonly string[]): number[] {
  const open: { line: number; indent: number; own: number }[] = []
  const long: number[] = []
  for (const [i, line] of lines.entries()) {
    const innermost = open.at(-1)
    if (innermost && line.trim() !== '' && indentOf(line) <= innermost.indent) {
      open.pop()
      if (innermost.own > functionLinesMax) long.push(innermost.line)
    } else if (innermost) innermost.own++
    if (beginsFunction(line)) open.push({ line: i + 1, indent: indentOf(line), own: 0 })
  }
  return long.sort((a, b) => a - b)
}

const rules: Readonly<Record<string, Rule>> = {
  [`a line has at most ${columnsMax} columns`]: {
    faultsIn: (lines) => numbered(lines, (line) => [...line].length > columnsMax && !mayBeLong(line)),
    folders: everywhere,
    planted: `const long = ${'1 + '.repeat(30)}1`,
  },
  [`a function has at most ${functionLinesMax} lines of its own`]: {
    faultsIn: longFunctions,
    folders: program,
    planted: `function long() {\n${'  work()\n'.repeat(functionLinesMax + 1)}}\n`,
  },
  'no name or comment is vague, or puts work off': {
    faultsIn: (lines) => numbered(lines, (line) => vague.test(line)),
    folders: program,
    planted: `// TO${'DO'}: think`,
  },
}

const filesIn = (folders: readonly string[]): string[] =>
  String(execFileSync('git', ['ls-files', ...folders.map((folder) => `${folder}/*.ts`)], { cwd: root }))
    .trim()
    .split('\n')

describe('in the code', () => {
  for (const [title, { faultsIn, folders, planted }] of Object.entries(rules))
    test(title, () => {
      assert.ok(faultsIn(planted.split('\n')).length > 0, 'a planted fault is found')
      const faults = filesIn(folders).flatMap((file) =>
        faultsIn(projectFile(file).split('\n')).map((line) => `${file}:${line}`),
      )
      assert.deepEqual(faults, [])
    })
})

test('chance decides in a test only through a seed, which test/support/random.ts gives', () => {
  const chance = /\bMath\.random\(|\brandomInt\(/
  assert.match(`const sides = 1 + Math.${'random'}()`, chance)
  // The other file looks for a port that is free.
  const exempt = ['test/support/random.ts', 'test/support/postgres.ts']
  const faults = filesIn(['test']).filter((file) => !exempt.includes(file) && chance.test(projectFile(file)))
  assert.deepEqual(faults, [])
})
