/** The program as one executable, which needs no other file and contains the pages. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createReadStream, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { Folder, node, Program, Served } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { after, before, describeInFull, test } from '../harness/scope.ts'
import { isToken } from '../src/model/key.ts'

describeInFull('the executable', () => {
  const built = new Folder()
  const file = join(built.path, 'petstore')
  before(() => {
    const said = execFileSync(node, [join(root, 'build/binary.ts'), file], { cwd: built.path, encoding: 'utf8' })
    assert.match(said, /\/petstore: \d+ MB\n$/)
  })
  after(() => built[Symbol.dispose]())

  /** The program runs in an empty folder, on a machine without Node. */
  const alone = (folder: Folder) => ({ env: { PATH: '/usr/bin:/bin' }, cwd: folder.path })
  const start = (folder: Folder, ...args: string[]) =>
    Served.start(alone(folder).env, { program: [file], args, cwd: folder.path })

  test('The executable is one file, knows its version, and has the rules of the interface', async () => {
    using folder = new Folder()
    assert.deepEqual(readdirSync(built.path), ['petstore'])
    const { version } = JSON.parse(projectFile('package.json'))
    assert.equal(await new Program([file, '--version'], alone(folder)).succeeded, `${version}\n`)
    assert.match(await new Program([file, 'conform', '--list'], alone(folder)).succeeded, /auth\.valid: /)
  })

  test('The executable serves from an empty folder, using keys that it has created', async () => {
    using folder = new Folder()
    await using served = await start(folder)
    await served.until(/no API key yet; create one: (\S+) keys create/)
    assert.match(served.stdout, new RegExp(`create one: ${file} keys create`))
    const made = await new Program([file, 'keys', 'create', '--name', 'x'], alone(folder)).succeeded
    const key = made.trim()
    assert.ok(isToken(key))
    const body = { name: 'Rex', categoryId: 7 }
    assert.equal((await served.call('POST', '/pets', { key, body })).status, 201)
    assert.match((await served.call('GET', '/pets', { key })).text, /^\[\{"id":1,"name":"Rex"/)
    assert.equal((await served.end('SIGTERM')).code, 0)
    assert.ok(existsSync(join(folder.path, 'petstore.db')))
  })

  test('The executable contains the reference and all its files, unchanged', async () => {
    using folder = new Folder()
    await using served = await start(folder)
    const { origin } = new URL(served.url)
    // The pages of the reference contain their style sheet.
    for (const [name, files] of Object.entries({ docs: ['docs.js'], shop: ['shop.js', 'shop.css'] })) {
      const page = await (await fetch(`${origin}/${name}`)).text()
      const links = [...page.matchAll(new RegExp(`"/?(${name}/[^"?]+)\\?v=[^"]+"`, 'g'))].map(([, path = '']) => path)
      for (const path of links) assert.equal((await fetch(`${origin}/${path}`)).status, 200, path)
      for (const file of files) {
        assert.ok(links.includes(`${name}/${file}`), links.join())
        assert.equal(await (await fetch(`${origin}/${name}/${file}`)).text(), projectFile(`pages/${file}`))
      }
    }
    for (const path of ['openapi.json', 'client.tgz', 'docs/guides.md'])
      assert.equal((await fetch(`${origin}/${path}`)).status, 200, path)
  })

  test('The executable reads no .env that happens to be in the folder', async () => {
    using folder = new Folder()
    writeFileSync(join(folder.path, '.env'), 'PORT=many\n')
    const { code, stderr } = await new Program([file, 'keys', 'list'], alone(folder)).ended
    assert.equal(code, 1, stderr)
    assert.match(stderr, /^petstore: There is no database/)
  })

  test('The executable is below 60 MB when compressed', async () => {
    let bytes = 0
    for await (const chunk of createReadStream(file).pipe(createGzip())) bytes += chunk.length
    assert.ok(bytes > 10e6 && bytes < 60e6, `${bytes} of ${statSync(file).size}`)
  })
})
