/**
 * The code samples of the document run like a reader would run them, with the ids of the examples filled in, against a
 * service in which these exist.
 */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { call } from '../../harness/call.ts'
import { silentLog } from '../../harness/log.ts'
import { type DocumentedOperation, type Node, operationsOf } from '../../harness/openapi.ts'
import { eventually } from '../../harness/patience.ts'
import { Folder, makeKey, node, Program, testWith } from '../../harness/process.ts'
import { after, before, isFull, some } from '../../harness/scope.ts'
import { operations } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { scopes } from '../../src/model/key.ts'
import { openApiJson } from '../../src/reference/openapi.ts'
import { type Service, startService } from '../../src/server/service.ts'
import { systemTime } from '../../src/time.ts'

const javaScript = "for (const file of process.argv.slice(1)) { console.log('--- ' + file); await import(file) }"
const python = 'import runpy, sys\nfor file in sys.argv[1:]:\n  print("\\n--- " + file)\n  runpy.run_path(file)'
const shell = 'for file; do echo "--- $file"; . "$file"; echo; done'
/** The shell replaces itself with the last program, so that a signal reaches it. */
const go = `for file; do go build -o "$file.out" "$file"; echo "--- $file"; shift
  [ $# -gt 0 ] || exec "$file.out"; "$file.out"; echo; done`
/**
 * How samples of each kind are run: the files run one after another in one process, each after a line with its name.
 */
const kinds = [
  { label: 'curl', needs: ['bash', 'curl'], program: ['bash', '-ec', shell, 'bash'] },
  { label: 'JavaScript', needs: [], program: [node, '--input-type=module', '-e', javaScript] },
  { label: 'Client', needs: ['npm'], program: [node, '--input-type=module', '-e', javaScript] },
  { label: 'Python', needs: ['python3'], program: ['python3', '-uc', python] },
  { label: 'Go', needs: ['bash', 'go'], program: ['bash', '-ec', go, 'bash'] },
]

const extensionOf = (label: string): string => (label === 'Go' ? '.go' : '.mjs')

function sampleOf({ publicUrl }: Service, id: string, label: string) {
  const servers = [{ url: publicUrl, description: '' }]
  const document: Node = JSON.parse(openApiJson(operations, { servers, now: Date.now() }))
  const operation = operationsOf(document).find((each) => each.id === id) as DocumentedOperation
  const found = operation.node['x-codeSamples'].find((each: Node) => each.label === label)
  return { operation, source: found?.source }
}

/** Stands for an id wherever a sample changes something. */
const nobody = 999_999_999_999

const withIds = ({ node }: DocumentedOperation, source: string) => {
  const inPath = (node.parameters ?? []).filter((each: Node) => each.in === 'path')
  const ids = [...inPath.map(({ example }: Node) => example), 42]
  return source.replaceAll(String(nobody), () => String(ids.shift()))
}

/** This operation does not end by itself, so it comes last. */
const streamed = 'streamEvents'

describe('Code samples', () => {
  const folder = new Folder()
  const seeded = join(folder.path, 'seeded.db')
  /** The folder contains nothing but the client that the service offers. */
  const cwd = join(folder.path, 'project')
  let key: string

  const start = (database: string): Promise<Service> =>
    startService(
      loadConfig({ DATABASE_URL: `sqlite:${database}`, PORT: '0', WEBHOOKS_ALLOW: '127.0.0.1' }),
      systemTime,
      silentLog,
    )

  before(async () => {
    key = await makeKey({ DATABASE_URL: `sqlite:${seeded}` }, ...scopes.flatMap((scope) => ['--scope', scope]))
    const service = await start(seeded)
    const ask = (method: string, path: string, body?: object) =>
      call(service.publicUrl, method, path, { key, ...(body && { body }) })
    // Nothing listens at this address, so a delivery fails immediately.
    for (let i = 0; i < 3; i++) await ask('POST', '/webhooks', { url: 'http://127.0.0.1:1/' })
    for (let i = 0; i < 43; i++) await ask('POST', '/pets', { name: 'Rex', categoryId: 1 })
    for (let petId = 1; petId <= 7; petId++) await ask('POST', '/store/orders', { petId })
    await ask('PUT', '/categories/1', { name: 'Dogs' })
    if (isFull)
      await eventually(
        () => ask('GET', '/webhooks/3/deliveries?limit=100'),
        ({ json }) => json.some(({ id }: Node) => id === 12),
      )
    for (const id of [1, 2, 3]) await ask('PATCH', `/webhooks/${id}`, { enabled: false })
    const install = ['npm', 'install', '--no-audit', '--no-fund', service.publicUrl.replace(/v1$/, 'client.tgz')]
    mkdirSync(cwd)
    if (isFull) await new Program(install, { cwd }).succeeded
    await service.stop()
  })
  after(() => folder[Symbol.dispose]())

  async function run({ label, program }: (typeof kinds)[number], ids: readonly string[]): Promise<void> {
    // Each kind has its own service, because one sample could remove what another one needs.
    await using services = new AsyncDisposableStack()
    const samples: { file: string; source: string; operation: DocumentedOperation; service: Service }[] = []
    for (const id of ids) {
      const place = join(cwd, `${label}-${id}`)
      copyFileSync(seeded, place)
      const service = await start(place)
      services.defer(() => service.stop())
      // Only a sold animal can be returned.
      if (id === 'returnOrder') await call(service.publicUrl, 'POST', '/store/orders/7/complete', { key })
      const { operation, source } = sampleOf(service, id, label)
      assert.ok(source.includes('PETSTORE_KEY'), source)
      const namesOne = operation.method !== 'GET' && (operation.path.includes('{') || id === 'placeOrder')
      assert.equal(source.includes(String(nobody)), namesOne, source)
      // Ending only the shell would leave the program that it waits for.
      const file = place + extensionOf(label)
      writeFileSync(file, label === 'curl' && id === streamed ? `exec ${source}` : withIds(operation, source))
      samples.push({ file, source, operation, service })
    }
    const files = samples.map(({ file }) => file)
    await using running = new Program([...program, ...files], { env: { PETSTORE_KEY: key }, cwd })
    const last = samples.at(-1)
    if (last?.operation.id === streamed) {
      // Compiling thirty programs in Go takes a minute on a busy machine.
      await running.until(new RegExp(`--- ${last.file}`), 'stdout', 400_000)
      const body = { name: 'Rex', categoryId: 1 }
      const add = () => call(last.service.publicUrl, 'POST', '/pets', { key, body })
      await eventually(add, () => running.stdout.includes('pet.created', running.stdout.indexOf(last.file)))
    } else await running.succeeded
    const outputs = new Map(running.stdout.split('--- ').map((part) => part.split(/\n(.*)/s, 2) as [string, string]))
    // The client throws errors and returns objects, which are not printed as JSON.
    for (const { file, source, operation } of samples)
      if (operation.id !== streamed && !source.includes('petstore-client'))
        expectAnswer(operation, outputs.get(file) ?? assert.fail(`${file} was not run: ${running.stderr}`))
  }

  for (const { label, needs, program } of some(kinds, 2).filter(({ label }) => label !== 'Client'))
    testWith(needs, `Code samples in ${label} show the message of a refusal`, async () => {
      await using services = new AsyncDisposableStack()
      const service = await start(seeded)
      services.defer(() => service.stop())
      const file = join(cwd, `refused${extensionOf(label)}`)
      writeFileSync(file, sampleOf(service, 'getPet', label).source)
      const env = { PETSTORE_KEY: 'none' }
      assert.match(await new Program([...program, file], { env, cwd }).succeeded, /"code":"invalid_api_key"/)
    })

  for (const kind of some(kinds, 2))
    testWith(kind.needs, `Code samples in ${kind.label} do what the document says [decision 30]`, async () => {
      const all = operations.map(({ id }) => id).filter((id) => id !== streamed)
      await run(kind, isFull ? [...all, streamed] : ['createPet', 'updatePet', 'listOrders', 'createWebhook'])
    })
})

const document: Node = JSON.parse(openApiJson(operations, { servers: [], now: 0 }))
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')

/** Fails unless the output is a successful response as the document describes it. */
function expectAnswer({ id, node }: DocumentedOperation, output: string): void {
  const [success]: Node[] = Object.values(node.responses)
  const body = output.replace(/^(?:2\d\d |HTTP\/1\.1 2\d\d [\s\S]*?\r\n\r\n)/, '').trim()
  assert.notEqual(body, output.trim(), `${id}: no status`)
  if (!success.content || body === '') {
    assert.deepEqual([success.content, body], [undefined, ''], id)
    return
  }
  const { schema } = success.content['application/json']
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  assert.ok(ajv.validate(rooted, JSON.parse(body)), `${id}: ${ajv.errorsText()}: ${body}`)
}
