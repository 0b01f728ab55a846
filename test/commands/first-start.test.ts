/** The first start on an empty store helps its user in: with a key at a terminal, with a line that says how elsewhere. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isToken } from '../../src/model/key.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { Folder, makeKey, Program, petstore, runtimes, Served, testWith } from '../support/process.ts'
import { some } from '../support/scope.ts'
import { main } from '../support/service.ts'

const hint = 'there is no API key yet; create one: npx --no-install petstore keys create --name NAME'

async function keyCount(folder: Folder): Promise<number> {
  const store = openSqlite(folder.database)
  const { length } = await store.keys.list()
  await store.close()
  return length
}

for (const [name, runtime] of some(runtimes)) {
  describe(`without a terminal, on ${name}`, () => {
    test('the first start says in one line how to make a key, and makes none', async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env, { runtime })
      await served.until(/no API key yet[^\n]*\n/)
      const { code, stdout, stderr } = await served.end('SIGTERM')
      assert.equal(code, 0)
      assert.equal(stderr, '')
      assert.doesNotMatch(stdout, /pst_/)
      assert.deepEqual(
        served.log.filter(({ level }) => level !== 30).map(({ level, msg }) => [level, msg]),
        [[40, hint]],
      )
      assert.equal(await keyCount(folder), 0)
    })

    test('a start on a store that has a key does not mention keys', async () => {
      using folder = new Folder()
      await makeKey(folder.env)
      await using served = await Served.start(folder.env, { runtime })
      const { stdout } = await served.end('SIGTERM')
      assert.doesNotMatch(stdout, /key/i)
    })
  })

  test(`every start says where the reference is, on ${name} [D231]`, async () => {
    using folder = new Folder()
    const reference = 'https://pets.example/shop/docs'
    for (const _start of ['first', 'second']) {
      await using served = await Served.start(
        { ...folder.env, PUBLIC_URL: 'https://pets.example/shop/v1' },
        { runtime },
      )
      assert.equal(served.log[0]?.reference, reference)
      await served.end('SIGTERM')
    }
  })

  describe(`at a terminal, on ${name}`, () => {
    /**
     * `petstore serve` on a terminal of its own, whose keyboard is standard input. It takes the place of the shell that
     * `script` starts: a shell that waits may answer Ctrl-C with a code of its own.
     */
    const atTerminal = (folder: Folder) =>
      new Program(['script', '-qec', `exec '${runtime}' '${main}' serve`, '/dev/null'], {
        env: { ...folder.env, PORT: '0' },
      })

    testWith(
      ['script', 'curl'],
      'the first start shows a key once, with a curl line that works when pasted [D230]',
      async () => {
        using folder = new Folder()
        await using program = atTerminal(folder)
        const [, line = ''] = await program.until(/^ *(curl [^\r\n]+)\r?\n[\s\S]*Ctrl-C/m)
        const [, token = ''] = /^ *(pst_\w+)\r?$/m.exec(program.stdout) ?? []
        assert.ok(isToken(token))
        assert.equal(program.stdout.split(token).length - 1, 2, 'alone, and in the curl line')
        assert.match(program.stdout, /http:\/\/127\.0\.0\.1:\d+\/shop\r?\n/)

        assert.match(program.stdout, /The reference is at http:\/\/127\.0\.0\.1:\d+\/docs\r?\n/)

        await using curl = new Program(['sh', '-c', line])
        const { code, stdout } = await curl.ended
        assert.deepEqual([code, stdout], [0, '[]\n'])
        await program.until(/INFO.*GET \/v1\/pets 200 [\d.]+ ms.*"requestId":[^\r\n]*\r?\n/)

        program.type('\u0003')
        const ended = await program.ended
        assert.equal(ended.code, 0, ended.stdout)
        assert.equal(ended.stdout.split(token).length - 1, 2, 'never again')
        assert.equal(await keyCount(folder), 1)
      },
    )

    testWith(['script'], 'a later start shows no key and makes none', async () => {
      using folder = new Folder()
      await makeKey(folder.env)
      await using program = atTerminal(folder)
      await program.until(/the service is ready/)
      program.type('\u0003')
      const { code, stdout } = await program.ended
      assert.equal(code, 0, stdout)
      assert.doesNotMatch(stdout, /pst_|curl/)
      assert.equal(await keyCount(folder), 1)
    })

    testWith(['script'], 'the log is made for reading', async () => {
      using folder = new Folder()
      await makeKey(folder.env)
      await using program = atTerminal(folder)
      const [, text = ''] = await program.until(/^([^\r\n]*the service is ready[^\r\n]*)\r?\n/m)
      assert.doesNotMatch(text, /^\{/)
      assert.match(text, /INFO.*the service is ready.*http:\/\/127\.0\.0\.1:\d+\/v1.*http:\/\/127\.0\.0\.1:\d+\/docs/)
    })
  })
}

testWith(['script'], 'a key is printed alone at a terminal, too', async () => {
  using folder = new Folder()
  const command = `'${process.execPath}' '${main}' keys create --name me 2>/dev/null`
  await using program = new Program(['script', '-qec', command, '/dev/null'], { env: folder.env })
  const { stdout } = await program.ended
  assert.ok(isToken(stdout.trim()))
  assert.equal((await petstore(['keys', 'list'], { env: folder.env })).stdout.split('\n').length, 3)
})
