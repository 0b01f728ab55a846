/** The built package on Bun and in a browser. test/client/released.test.ts runs it on Node. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, flags, lackOfChromium } from '../../harness/chromium.ts'
import { freshCategory } from '../../harness/expect.ts'
import { bun, Folder, node, Program } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { anySeed } from '../../harness/random.ts'
import { after, before, describeInFull, test, unless } from '../../harness/scope.ts'
import { TestService } from '../../harness/service.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { FaultProxy } from './support/fault-proxy.ts'
import { compileCommonJs, compileReadme, type Installed, installClient } from './support/package.ts'
import type { Surroundings } from './support/scenario.ts'

const seed = anySeed()
describeInFull(`the client, as built (TEST_SEED=${seed})`, () => {
  let installed: Installed
  let service: TestService
  let apiKey: string
  let proxy: FaultProxy
  const started = new AsyncDisposableStack()
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
    started.adopt(pages.listen(0, '127.0.0.1'), (server) => void server.close())
    await once(pages, 'listening')
    const building = installClient()
    const { env } = started.use(new Folder())
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    service = started.adopt(await TestService.start({ ...env, CORS_ORIGINS: origin }), (each) => each.stop())
    apiKey = await service.makeKey({ scopes: [...defaultScopes, 'events:read', 'webhooks:write'] })
    proxy = started.use(await FaultProxy.start(service.port, seed))
    installed = started.adopt(await building, ({ remove }) => remove())
  })
  after(() => started.disposeAsync())

  const surroundings = (): Surroundings => ({
    baseUrl: `${service.url}/v1`,
    faultyUrl: proxy.url,
    apiKey,
    category: String(freshCategory()),
  })
  const runsOn = (name: string, runtime: string) =>
    test(`The client runs on ${name}`, async () => {
      await new Program([runtime, join(installed.path, 'run.js'), JSON.stringify(surroundings())]).succeeded
    })

  runsOn('Bun', bun)

  test('The programs in the README of the client compile and run', async () => {
    const stdout = await new Program([node, await compileReadme(installed, surroundings())]).succeeded
    assert.match(stdout, /someone was faster/)
  })

  test('CommonJS can require the client, and TypeScript then finds its types', async () => {
    assert.equal(await new Program([node, await compileCommonJs(installed)]).succeeded, '0 NotFoundError\n')
    // This checks what `moduleResolution: node10` reads, which this TypeScript does not support any more.
    const { main, types, exports } = JSON.parse(projectFile('client/package.json'))
    assert.deepEqual({ types, default: main }, exports['.'])
  })

  test('The client is smaller than 7 KB minified and compressed, and its errors then keep their names', async () => {
    const entry = join(installed.client, 'dist/index.js')
    const stdout = await new Program([bun, 'build', '--minify', entry]).succeeded
    assert.ok(gzipSync(stdout).length < 7_000, `${gzipSync(stdout).length} bytes`)
    const bundle = join(installed.path, 'bundle.js')
    writeFileSync(bundle, stdout)
    const { NotFoundError, ConnectionError } = await import(bundle)
    assert.notEqual(NotFoundError.name, 'NotFoundError')
    assert.match(new NotFoundError('none').stack, /^NotFoundError: none\n/)
    assert.match(String(new ConnectionError('cut')), /^ConnectionError: cut$/)
  })

  unless(lackOfChromium, () =>
    test('The client runs in Chromium', async () => {
      const playwright = await import('playwright-core')
      await using browser = await playwright.chromium.launch({ executablePath: chromium, args: flags })
      const tab = await browser.newPage()
      await tab.goto(origin)
      const outcome = await tab.evaluate(`run(${JSON.stringify(surroundings())})`)
      assert.equal(outcome, 'done')
      const { baseUrl } = surroundings()
      // This is the same page under a name that CORS_ORIGINS does not contain.
      await tab.goto(origin.replace('127.0.0.1', 'localhost'))
      const message = await tab.evaluate(`refusal(${JSON.stringify({ baseUrl, apiKey, maxRetries: 0 })})`)
      assert.match(`${message}`, /The cause may be CORS: the operator must list http:\/\/localhost:\d+ in CORS_ORIGINS/)
    }),
  )
})

const page = `<!doctype html>
<script type="importmap">{ "imports": { "petstore-client": "/node_modules/petstore-client/dist/index.js" } }</script>
<script>
  async function run(surroundings) {
    const { scenario } = await import('/scenario.js')
    await scenario(await import('petstore-client'), surroundings)
    return 'done'
  }
  async function refusal(options) {
    const { PetStore } = await import('petstore-client')
    return new PetStore(options).me().catch(({ message }) => message)
  }
</script>`
