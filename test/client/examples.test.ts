/** The programs in examples/, both in the checkout and copied beside the client that the service offers. */
import assert from 'node:assert/strict'
import { copyFileSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addPets } from '../../harness/expect.ts'
import { command, Folder, node, Program } from '../../harness/process.ts'
import { projectFile, root } from '../../harness/project.ts'
import { after, before, describeInFull, some, test } from '../../harness/scope.ts'
import { asProcess, TestService } from '../../harness/service.ts'
import { scopes } from '../../src/model/key.ts'

const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'

/** What each example that ends by itself prints. */
const printed = {
  'first-sale': 'Rex is reserved, with order \\d+\na second customer comes too late\nRex is sold\n',
  'take-back': 'order \\d+ of Mrs Novak, 555-0117 is returned\nRex is available\n',
  'extend-a-reservation': `(Bella is held until ${time}\n){2}Bella is available\n`,
  'follow-the-events': 'pet.created: Luna\n(pet.(updated|deleted): Luna was changed by the key test\n){2}',
  'receive-a-webhook': 'pet.created: Kiwi\n',
  'rotate-a-key': `the old key test ends at ${time}\nthe new key test ends at no time\n`,
  'busy-shop': 'orders in 1 s: \\{ placed: [1-9]\\d*, cancelled: \\d+, completed: [1-9]\\d*, returned: [1-9]\\d* \\}\n',
}

asProcess(
  'the example',
  (service) => {
    for (const [name, says] of some(Object.entries(printed), 3))
      test(`The example ${name} does what it says [decision 31]`, async () => {
        const key = await service().makeKey({ scopes })
        const env = { PETSTORE_URL: `${service().url}/v1`, PETSTORE_KEY: key, PETSTORE_NEW_KEY: '' }
        if (name === 'rotate-a-key') {
          const { stdout } = await command(['keys', 'rotate', key], { DATABASE_URL: service().databaseUrl })
          env.PETSTORE_NEW_KEY = stdout.trim()
        }
        const run = (each: string) =>
          new Program([process.execPath, join(root, 'examples/run.js'), each, '1'], { env }).succeeded
        // Only a sold animal can be returned.
        if (name === 'take-back') await run('first-sale')
        assert.match(await run(name), new RegExp(`^${says}$`))
      })
  },
  { WEBHOOKS_ALLOW: '127.0.0.1' },
)

test('examples/README.md lists every example, and npm run example says what is missing [decision 31]', async () => {
  const names = globSync('*.mjs', { cwd: join(root, 'examples') }).map((file) => file.slice(0, -4))
  assert.deepEqual([...Object.keys(printed), 'sync-a-catalogue'].sort(), names.toSorted())
  for (const name of names) assert.ok(projectFile('examples/README.md').includes(`[${name}](${name}.mjs)`), name)
  const { code, stderr } = await new Program(['npm', 'run', '--silent', 'example'], { cwd: root }).ended
  assert.equal(code, 2)
  assert.match(stderr, /^Name one of them: .*first-sale.*\nSet PETSTORE_KEY .*\n$/)
})

describeInFull('the examples, copied into an empty folder', () => {
  const elsewhere = new Folder()
  after(() => elsewhere[Symbol.dispose]())
  const at = (name: string) => join(elsewhere.path, `${name}.mjs`)

  before(async () => {
    for (const file of globSync('*.mjs', { cwd: join(root, 'examples') }))
      copyFileSync(join(root, 'examples', file), join(elsewhere.path, file))
    using folder = new Folder()
    await using service = await TestService.start(folder.env)
    const install = ['npm', 'install', '--no-audit', '--no-fund', `${service.url}/client.tgz`]
    await new Program(install, { cwd: elsewhere.path }).succeeded
  })

  test('The examples run with the client that is installed in their folder [decision 31]', async () => {
    using folder = new Folder()
    await using service = await TestService.start(folder.env)
    const env = { PETSTORE_URL: `${service.url}/v1`, PETSTORE_KEY: service.key }
    assert.match(await new Program([node, at('first-sale')], { env }).succeeded, /^Rex is reserved.*Rex is sold\n$/s)
  })

  test('The examples resume copying after they were killed, and start again when events were removed', async () => {
    using folder = new Folder()
    await using service = await TestService.start(folder.env)
    const path = join(folder.path, 'copy.db')
    const env = {
      PETSTORE_URL: `${service.url}/v1`,
      PETSTORE_KEY: await service.makeKey({ scopes: ['pets:read', 'events:read'] }),
    }
    const start = () => new Program([node, at('sync-a-catalogue'), path], { env })
    const kept = () => {
      using copy = new DatabaseSync(path)
      return copy.prepare('SELECT id, name, category_id AS categoryId, status FROM pets').all()
    }
    const expectCopy = async () => {
      const { json } = await service.call('GET', '/pets?limit=100')
      const rows = kept().map((row) => ({ ...row }))
      assert.deepEqual(rows, json)
    }
    /** Adds two animals, changes one and removes one, concurrently. */
    const change = async () => {
      const [first, second] = await addPets(service, 2)
      await service.call('PATCH', `/pets/${first}`, { body: { name: 'Max' } })
      await service.call('DELETE', `/pets/${second}`)
      return second
    }
    const changes = [change()]
    for (let round = 0; round < 3; round++) {
      await using copying = start()
      const from = round === 0 ? 'the list' : '\\d+-\\w+'
      await copying.until(new RegExp(`following from ${from}\n`))
      changes.push(change(), change())
      await copying.until(/pet.created/)
      // The program is killed in the middle of the changes.
    }
    await Promise.all(changes)
    await using copying = start()
    const last = await change()
    await copying.until(new RegExp(`pet.deleted ${last}\n`))
    await expectCopy()

    await copying.end('SIGKILL')
    {
      using copy = new DatabaseSync(path)
      copy.exec(`UPDATE position SET after = '${2 ** 52}-0'; DELETE FROM pets`)
    }
    await using again = start()
    await again.until(/following from the list\n/)
    await expectCopy()
  })
})
