/** The type test is part of what `tsc` checks, and a drift from the service's schemas fails it. */
import assert from 'node:assert/strict'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Folder, Program } from '../support/process.ts'
import { projectFile, root } from '../support/project.ts'
import { testInFull } from '../support/scope.ts'

const tsc = join(root, 'node_modules/.bin/tsc')
const drifts = [
  ['client/src/types.ts', 'categoryId: bigint', 'categoryId: bigint | number'],
  ['src/errors.ts', 'request_timeout: [408,', 'request_timeout: [425,'],
] as const

testInFull('the types of the client are those of the service, and a difference in either fails [D319]', async () => {
  using folder = new Folder()
  for (const part of [
    'src',
    'client/src',
    'conform/src',
    'test/client/types.test-d.ts',
    'tsconfig.json',
    'package.json',
  ])
    cpSync(join(root, part), join(folder.path, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  const check = () => new Program([tsc, '--noEmit'], { cwd: folder.path }).ended

  assert.deepEqual(await check().then(({ code, stdout }) => [code, stdout]), [0, ''])
  for (const [file, from, to] of drifts) {
    const text = projectFile(file)
    assert.ok(text.includes(from), file)
    writeFileSync(join(folder.path, file), text.replace(from, to))
    const { code, stdout } = await check()
    assert.notEqual(code, 0, to)
    assert.match(stdout, /types\.test-d\.ts/)
    writeFileSync(join(folder.path, file), text)
  }
})
