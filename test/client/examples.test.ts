/** The programs in examples/: in the checkout, and copied beside the client that the service hands out. */
import assert from 'node:assert/strict'
import { copyFileSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addPets } from '../support/expect.ts'
import { Folder, Program, runtimes } from '../support/process.ts'
import { root } from '../support/project.ts'
import { lackOfNode20, node20 } from '../support/runtimes.ts'
import { after, before, describeInFull, test, unless } from '../support/scope.ts'
import { TestService } from '../support/service.ts'

test('npm run example runs one, and says what is missing in a sentence each [D413]', async () => {
  using folder = new Folder()
  await using service = await TestService.start(process.execPath, folder.env)
  const env = { PETSTORE_URL: `${service.url}/v1`, PETSTORE_KEY: service.key }
  const command = ['npm', 'run', '--silent', 'example', 'fill-a-shop']
  assert.match(await new Program(command, { env, cwd: root }).succeeded, /^1: Rex, category 1\n/)
  const { code, stderr } = await new Program([node20() ?? process.execPath, join(root, 'examples/run.js')]).ended
  assert.equal(code, 2)
  assert.match(
    stderr,
    /^(?:In the checkout the examples need Node 24 .*\n)?Name one of them: .*sell-an-animal.*\nSet PETSTORE_KEY .*\n$/,
  )
})

describeInFull('the examples, copied into an empty folder', () => {
  const elsewhere = new Folder()
  after(() => elsewhere[Symbol.dispose]())
  const at = (name: string) => join(elsewhere.path, `${name}.mjs`)

  before(async () => {
    for (const file of globSync('*.mjs', { cwd: join(root, 'examples') }))
      copyFileSync(join(root, 'examples', file), join(elsewhere.path, file))
    using folder = new Folder()
    await using service = await TestService.start(process.execPath, folder.env)
    const install = ['npm', 'install', '--no-audit', '--no-fund', `${service.url}/client.tgz`]
    await new Program(install, { cwd: elsewhere.path }).succeeded
  })

  const old = node20() ?? ''
  for (const [name, runtime] of [...runtimes, ['Node 20', old] as const])
    unless(runtime === old ? lackOfNode20() : undefined, () =>
      test(`do what they say on ${name} [D413]`, async () => {
        using folder = new Folder()
        await using service = await TestService.start(process.execPath, folder.env)
        const env = { PETSTORE_URL: `${service.url}/v1`, PETSTORE_KEY: service.key }
        const run = (program: string) => new Program([runtime, at(program)], { env }).succeeded
        const full = '1: Rex, category 1\n2: Ada, category 1\n3: Whiskers, category 2\n'
        assert.equal(await run('fill-a-shop'), full)
        assert.equal(await run('fill-a-shop'), full, 'a second run adds nothing')
        const sales = await Promise.all([run('sell-an-animal'), run('sell-an-animal')])
        assert.equal(new Set(sales.map((sale) => sale.split(' ')[0])).size, 2, `two customers, two animals: ${sales}`)
        assert.match(await run('sell-an-animal'), /is sold/)
        assert.equal(await run('sell-an-animal'), 'nothing is left to sell\n')
        if (runtime !== old) return
        const { code, stderr } = await new Program([old, at('sync-a-catalogue')], { env }).ended
        assert.deepEqual([code, /^This example needs Node 22.*\n$/.test(stderr)], [2, true], stderr)
      }),
    )

  for (const [name, runtime] of runtimes)
    test(`keep a copy through kills, and start over when events were removed, on ${name}`, async () => {
      using folder = new Folder()
      await using service = await TestService.start(runtime, folder.env)
      const path = join(folder.path, 'copy.db')
      const env = {
        PETSTORE_URL: `${service.url}/v1`,
        PETSTORE_KEY: await service.makeKey({ scopes: ['pets:read', 'events:read'] }),
      }
      const start = () => new Program([runtime, at('sync-a-catalogue'), path], { env })
      const kept = () => {
        using copy = new DatabaseSync(path)
        return copy.prepare('SELECT id, name, category_id AS categoryId, status FROM pets').all()
      }
      const expectCopy = async () => {
        const { json } = await service.call('GET', '/pets?limit=100')
        const rows = kept().map((row) => ({ ...row }))
        assert.deepEqual(rows, json)
      }
      /** Adds two animals, changes one and takes one away, all at once. */
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
        // It is killed on the way out, in the middle of the changes.
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
