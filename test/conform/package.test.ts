/** The package petstore-conform as others use it: packed, installed in an empty folder without a network, and run. */
import assert from 'node:assert/strict'
import { version } from '../../conform/src/version.ts'
import { installPacked, type Packed } from '../../harness/packed.ts'
import { bun, Folder, Program } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { lackOfNode20, node20 } from '../../harness/runtimes.ts'
import { after, before, describeInFull, test, unless } from '../../harness/scope.ts'
import { TestService } from '../../harness/service.ts'

describeInFull('the package petstore-conform', () => {
  const folder = new Folder()
  let packed: Packed
  let service: TestService
  before(async () => {
    packed = await installPacked('conform')
    service = await TestService.inProcess(folder.env)
  })
  after(async () => {
    await service.stop()
    packed.remove()
    folder[Symbol.dispose]()
  })

  const main = 'node_modules/petstore-conform/dist/main.js'
  for (const [name, program] of [
    ['npx', ['npx', '--no-install', '--offline', 'petstore-conform']],
    ['Bun', [bun, main]],
  ] as const)
    test(`The package petstore-conform checks a service, run by ${name}`, async () => {
      const options = { cwd: packed.path, env: { PETSTORE_KEY: service.key } }
      const stdout = await new Program([...program, `${service.url}/v1`, '--level', 'core'], options).succeeded
      assert.match(stdout, /^Level core: \d+ passed, 0 failed, 0 not checked, 1 skipped\.\n$/m)
      const { code, stderr } = await new Program([...program, 'nowhere'], options).ended
      assert.equal(code, 2)
      assert.match(stderr, /\bpetstore-conform: "nowhere" is no base address .*\nSee: petstore-conform --help\n$/)
    })

  test('The reports of the package petstore-conform contain its version [decision 1]', () => {
    assert.equal(JSON.parse(projectFile('conform/package.json')).version, version)
  })

  unless(lackOfNode20(), () =>
    test('On Node 20, the package petstore-conform says that it needs a newer Node', async () => {
      const { code, stderr } = await new Program([node20() ?? '', main, 'nowhere'], { cwd: packed.path }).ended
      assert.equal(code, 2)
      assert.match(stderr, /^petstore-conform: Node 22 or newer is needed; this is v20\.[\d.]+\.\n$/)
    }),
  )
})
