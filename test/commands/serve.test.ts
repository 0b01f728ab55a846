/**
 * The service as the real program. The first start helps its user to begin, keys work while it runs, and a failed start
 * is reported in one line.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { eventually } from '../../harness/patience.ts'
import { command, done, Folder, fails, makeKey, node, Program, Served, testWith } from '../../harness/process.ts'
import { test } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { openFile } from '../../harness/stores.ts'
import { isToken } from '../../src/model/key.ts'

const hint = 'there is no API key yet; create one: npx --no-install petstore keys create --name NAME'

async function keyCount(folder: Folder): Promise<number> {
  const store = openFile(folder.database)
  const { length } = await store.keys.list()
  await store.close()
  return length
}

describe('petstore serve', () => {
  test('The first start says how to create a key, a new key works immediately, and a revoked key stops immediately', async () => {
    using folder = new Folder()
    await using served = await Served.start(folder.env)
    await served.until(/no API key yet[^\n]*\n/)
    assert.equal((await served.call('GET', '/pets')).status, 401)
    assert.equal(await keyCount(folder), 0)
    const [key, other] = [await makeKey(folder.env), await makeKey(folder.env)]
    const { status, text } = await served.call('GET', '/pets', { key })
    assert.deepEqual([status, text], [200, '[]'])
    await done(['keys', 'revoke', key], folder.env)
    const answer = await eventually(
      () => served.call('GET', '/pets', { key }),
      ({ status }) => status !== 200,
    )
    assert.deepEqual([answer.status, answer.json.code], [401, 'invalid_api_key'])
    assert.equal((await served.call('GET', '/pets', { key: other })).status, 200)
    const { code, stdout, stderr } = await served.end('SIGTERM')
    assert.deepEqual([code, stderr], [0, ''])
    assert.doesNotMatch(stdout, /pst_/)
    const warnings = served.log.filter(({ level }) => level !== 30).map(({ level, msg }) => [level, msg])
    assert.deepEqual(warnings, [[40, hint]])
  })
})

testWith(['script', 'curl'], 'petstore serve shows a key once on a terminal [decision 10]', async () => {
  using folder = new Folder()
  /**
   * The program runs on its own terminal, whose keyboard is standard input. It replaces the shell that `script` starts,
   * because a waiting shell may answer Ctrl-C with its own exit code.
   */
  const line = ['script', '-qec', `exec '${node}' '${main}' serve`, '/dev/null']
  const start = () => new Program(line, { env: { ...folder.env, PORT: '0' } })
  const stopped = async (program: Program) => {
    program.type('\u0003')
    const { code, stdout } = await program.ended
    assert.equal(code, 0, stdout)
    return stdout
  }
  await using program = start()
  const [, request = ''] = await program.until(/^ *(curl [^\r\n]+)\r?\n[\s\S]*Ctrl-C/m)
  const [, token = ''] = /^ *(pst_\w+)\r?$/m.exec(program.stdout) ?? []
  assert.ok(isToken(token))
  assert.match(program.stdout, /http:\/\/127\.0\.0\.1:\d+\/shop\r?\n/)
  assert.match(program.stdout, /The reference is at http:\/\/127\.0\.0\.1:\d+\/docs\r?\n/)
  assert.equal(await new Program(['sh', '-c', request]).succeeded, '[]\n')
  await program.until(/INFO.*GET \/v1\/pets 200 [\d.]+ ms.*requestId:[^\r\n]*\r?\n/)
  assert.equal((await stopped(program)).split(token).length - 1, 2, 'alone, and in the curl line')

  await using later = start()
  const [text] = await later.until(/^[^\r\n]*the service is ready[^\r\n]*\r?\n/m)
  assert.match(text, /INFO.*the service is ready.*http:\/\/127\.0\.0\.1:\d+\/v1.*http:\/\/127\.0\.0\.1:\d+\/docs/)
  assert.doesNotMatch(await stopped(later), /pst_|curl/)
  assert.equal(await keyCount(folder), 1)
  assert.match((await command(['keys', 'list'], folder.env)).stdout, / orders:write events:read /)
})

describe('petstore serve does not start', () => {
  test('petstore serve reports in one line, with exit code 1, a port in use or an address that this machine lacks', async () => {
    using folder = new Folder()
    await using served = await Served.start(folder.env)
    const taken = `Port ${served.port} on 127.0.0.1 is in use. Stop the other program, or set PORT to another.`
    await fails(['serve'], { ...folder.env, PORT: String(served.port) }, taken)
    // The address is from the block that RFC 5737 reserves for documentation.
    const foreign = { ...folder.env, PORT: '0', HOST: '192.0.2.1' }
    await fails(['serve'], foreign, /^petstore: Cannot listen on 192\.0\.2\.1, port 0: .+\n$/)
  })

  test('petstore serve reports in one line, with exit code 1, a file that it cannot use, and does not touch it [decision 25]', async () => {
    using folder = new Folder()
    await makeKey(folder.env)
    // The header stays intact, so the file looks like a database, but the schema after it is damaged.
    const bytes = readFileSync(folder.database).fill(0xa5, 100)
    writeFileSync(folder.database, bytes)
    const said = new RegExp(`^petstore: [^\\n]*${folder.database}[^\\n]*corrupt[^\\n]*\\n$`)
    await fails(['serve'], { ...folder.env, PORT: '0' }, said)
    assert.ok(readFileSync(folder.database).equals(bytes))
  })
})
