/** Commands in a folder that this user may only read. Commands that need no database, or only read one, work there. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { done, Folder, makeKey, Program, petstore } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { node } from '../../harness/runtimes.ts'
import { few, testInFull } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'

// Root may write everywhere, so the program then runs as another user.
const user = process.getuid?.() === 0 ? { uid: 65534 } : {}

describe('in a folder that this user may only read', () => {
  const folder = new Folder()
  const cwd = join(folder.path, 'read-only')
  before(async () => {
    chmodSync(folder.path, 0o755)
    mkdirSync(cwd)
    await makeKey(folder.env)
    await done(['backup', join(cwd, 'backup.db')], folder.env)
    writeFileSync(join(cwd, 'rows.csv'), 'name,categoryId\nRex,1\n')
    for (const name of readdirSync(cwd)) chmodSync(join(cwd, name), 0o444)
    chmodSync(cwd, 0o555)
  })
  after(() => {
    chmodSync(cwd, 0o755)
    folder[Symbol.dispose]()
  })
  const run = (args: readonly string[], env: Record<string, string> = {}) => petstore(args, { env, cwd, ...user })

  testInFull('petstore openapi writes the document to standard output in a read-only folder', async () => {
    const { code, stdout, stderr } = await run(['openapi', '--output', '-'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(stdout, projectFile('openapi.json'))
  })

  testInFull('petstore import --dry-run checks the rows in a read-only folder', async () => {
    const { code, stderr } = await run(['import', 'rows.csv', '--dry-run'])
    assert.deepEqual([code, stderr], [0, '1 row is valid; 0 rows were rejected.\n'])
  })

  testInFull('petstore sandbox runs in a read-only folder', async () => {
    await using sandbox = new Program([node, main, 'sandbox'], { env: { PORT: '0' }, cwd, ...user })
    await sandbox.until(/The sandbox is at http/)
    assert.equal((await sandbox.end('SIGTERM')).code, 0)
  })

  test('A backup in a read-only folder can be checked, listed, exported and copied', async () => {
    const env = { DATABASE_URL: 'sqlite:backup.db' }
    const copy = join(folder.path, 'copy.db')
    chmodSync(folder.path, 0o777)
    for (const args of [
      ['check'],
      ['keys', 'list'],
      ['export'],
      ['copy', '--from', env.DATABASE_URL, '--to', `sqlite:${copy}`],
    ]) {
      const { code, stderr } = await run(args, env)
      assert.equal(code, 0, stderr)
    }
    assert.deepEqual(readdirSync(cwd), ['backup.db', 'rows.csv'])
  })

  test('A command that writes to a database in a read-only folder is refused in one line, which names the folder', async () => {
    for (const args of few([['migrate'], ['serve'], ['keys', 'create', '--name', 'x'], ['import', 'rows.csv']]))
      for (const [name, place] of [
        ['new.db', cwd],
        ['backup.db', cwd],
        ['none/new.db', join(cwd, 'none')],
        ['rows.csv/new.db', join(cwd, 'rows.csv')],
      ] as const) {
        const { code, stderr } = await run(args, { DATABASE_URL: `sqlite:${name}`, PORT: '0' })
        const fault = `Cannot open ${name}: ${place} is not a folder that this user can write to.`
        assert.deepEqual([code, stderr], [1, `petstore: ${fault}\n`])
      }
  })
})
