/** The built package, wherever it says it runs: Node, Node 20, Bun and a browser. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { defaultScopes } from '../../src/model/key.ts'
import { freshCategory } from '../support/expect.ts'
import { bun, node, Program } from '../support/process.ts'
import { node20, onPath } from '../support/runtimes.ts'
import { describeInFull } from '../support/scope.ts'
import { TestService, targets } from '../support/service.ts'
import { FaultProxy, seeded } from './support/fault-proxy.ts'
import { compileReadme, type Installed, installClient } from './support/package.ts'
import type { Surroundings } from './support/scenario.ts'

const seed = Math.floor(Math.random() * 2 ** 32)
const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

describeInFull(`the client, as built (seed ${seed})`, () => {
  let installed: Installed
  let removeDatabase: () => Promise<void>
  let service: TestService
  let apiKey: string
  let proxy: FaultProxy
  const pages = createServer(async (incoming, outgoing) => {
    const path = (incoming.url ?? '').replace(/^\/$/, '/index.html')
    if (path === '/index.html') outgoing.setHeader('Content-Type', 'text/html').end(page)
    else
      await readFile(join(installed.path, path)).then(
        (bytes) => outgoing.setHeader('Content-Type', 'text/javascript').end(bytes),
        () => outgoing.writeHead(404).end(),
      )
  })
  let origin: string

  before(async () => {
    pages.listen(0, '127.0.0.1')
    await once(pages, 'listening')
    const building = installClient()
    const [target] = targets
    assert.ok(target)
    const database = await target.database()
    removeDatabase = database.remove
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    service = await TestService.start(target.runtime, { DATABASE_URL: database.url, CORS_ORIGINS: origin })
    apiKey = await service.makeKey({ scopes: [...defaultScopes, 'events:read'] })
    proxy = await FaultProxy.start(service.port, seeded(seed))
    installed = await building
  })
  after(async () => {
    pages.close()
    await proxy[Symbol.asyncDispose]()
    await service.stop()
    await removeDatabase()
    installed.remove()
  })

  const surroundings = (): Surroundings => ({
    baseUrl: `${service.url}/v1`,
    faultyUrl: proxy.url,
    apiKey,
    category: String(freshCategory()),
  })
  const runsOn = (name: string, runtime: string) =>
    test(`runs on ${name}`, async () => {
      const program = new Program([runtime, join(installed.path, 'run.js'), JSON.stringify(surroundings())])
      const { code, stderr } = await program.ended
      assert.equal(code, 0, stderr)
    })

  runsOn('Node', node)
  runsOn('Bun', bun)
  const old = node20()
  if (old) runsOn('Node 20', old)
  else console.log('not defined, as no Node 20 is on the path: the client runs on Node 20')

  test('the programs in its README compile and run', async () => {
    const { code, stdout, stderr } = await new Program([node, await compileReadme(installed, surroundings())]).ended
    assert.equal(code, 0, stderr)
    assert.match(stdout, /someone was faster/)
  })

  test('comes to less than 5 KB, bundled and compressed', async () => {
    const entry = join(installed.path, 'node_modules/petstore-client/dist/index.js')
    const { code, stdout, stderr } = await new Program([bun, 'build', '--minify', entry]).ended
    assert.equal(code, 0, stderr)
    assert.ok(gzipSync(stdout).length < 5_000, `${gzipSync(stdout).length} bytes`)
  })

  const [executablePath] = onPath('chromium')
  if (executablePath || process.env.CI)
    test('runs in Chromium', async () => {
      assert.ok(executablePath, 'no Chromium is on the path')
      const browser = await chromium.launch({ executablePath, args: chromiumFlags })
      try {
        const tab = await browser.newPage()
        await tab.goto(origin)
        const outcome = await tab.evaluate(`run(${JSON.stringify(surroundings())})`)
        assert.equal(outcome, 'done')
      } finally {
        await browser.close()
      }
    })
  else console.log('not defined, as no Chromium is on the path (apt install chromium): the client runs in Chromium')
})

const page = `<!doctype html>
<script type="importmap">{ "imports": { "petstore-client": "/node_modules/petstore-client/dist/index.js" } }</script>
<script>
  async function run(surroundings) {
    const { scenario } = await import('/scenario.js')
    await scenario(await import('petstore-client'), surroundings)
    return 'done'
  }
</script>`
