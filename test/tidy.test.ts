/** What the linter cannot check in the code: plain words, and randomness that a seed repeats. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { projectFile, root } from '../harness/project.ts'

/**
 * Returns the lines of the files in these folders that match, except in the exempt files, each with what to do about
 * it.
 */
function linesWith(
  pattern: RegExp,
  folders: readonly string[],
  advice: string,
  exempt: readonly string[] = [],
): string[] {
  const files = String(execFileSync('git', ['ls-files', ...folders.map((folder) => `${folder}/*.ts`)], { cwd: root }))
  return files
    .trim()
    .split('\n')
    .filter((file) => !exempt.includes(file))
    .flatMap((file) =>
      projectFile(file)
        .split('\n')
        .flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}: ${line.trim()} — ${advice}`] : [])),
    )
}

test('No name or comment of the program is empty of meaning, such as "utils", or postpones work', () => {
  const vague = /(?<!node:)\b(?:TODO|FIXME|XXX|HACK|utils?|helpers?|misc|stuff|manager|somehow)\b/i
  assert.match(`// TO${'DO'}: think`, vague)
  const advice = 'name what it is or does; do the work, or leave it out'
  assert.deepEqual(linesWith(vague, ['src', 'client/src', 'conform/src'], advice), [])
})

test('A random decision in a test uses a seed from harness/random.ts', () => {
  const chance = /\bMath\.random\(|\brandomInt\(/
  assert.match(`const sides = 1 + Math.${'random'}()`, chance)
  // The other file looks for a free port.
  const exempt = ['harness/random.ts', 'harness/postgres.ts']
  assert.deepEqual(linesWith(chance, ['test', 'harness', 'trials'], 'draw from harness/random.ts', exempt), [])
})
