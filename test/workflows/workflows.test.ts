/** The workflows: each is run as the table has it, and the document that is made of it is read by others' tools. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe } from 'node:test'
import { walkThrough } from '../../build/guides.ts'
import { scopes } from '../../src/model/key.ts'
import { runWorkflow } from '../../src/workflows/run.ts'
import { type Workflow, workflows } from '../../src/workflows/workflows.ts'
import { setClock, withClock } from '../support/database-clock.ts'
import { eventually } from '../support/load.ts'
import { command, Folder, node, Program } from '../support/process.ts'
import { projectFile, root } from '../support/project.ts'
import { after, before, test, testInFull } from '../support/scope.ts'
import { onEveryTarget, onOneTarget, type TestService, targets } from '../support/service.ts'

const all: readonly [string, Workflow][] = Object.entries(workflows)

/** What a receiver of webhooks was sent, by type of event. */
const received: string[] = []
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  received.push(JSON.parse(body).type)
  response.writeHead(204).end()
})
before(() => once(receiver.listen(0, '127.0.0.1'), 'listening'))
after(() => receiver.close())

async function setClocks(service: TestService, now: number): Promise<void> {
  await service.setClock(now)
  await setClock(service.databaseUrl, now)
}

/** Inputs for every workflow; the clock of the service stands still. */
async function inputsFor(service: TestService) {
  const now = Date.now()
  await setClocks(service, now)
  const apiKey = await service.makeKey({ scopes })
  const { stdout } = await command(['keys', 'rotate', apiKey], { DATABASE_URL: service.databaseUrl })
  const { port } = receiver.address() as AddressInfo
  const heldUntil = new Date(now + 30_000).toISOString()
  return { apiKey, newKey: stdout.trim(), url: `http://127.0.0.1:${port}/`, heldUntil }
}

const settings = { WEBHOOKS_ALLOW: '127.0.0.1' }

onEveryTarget(
  'A workflow does what its table says [D445 D448]',
  (service) => {
    let inputs: Awaited<ReturnType<typeof inputsFor>>
    before(async () => {
      inputs = await inputsFor(service())
    })
    for (const [id, workflow] of all)
      test(`${id}: ${workflow.title}`, async () => {
        const scopes = Object.values(workflow.steps).flatMap(({ operation }) => operation.scope ?? [])
        const apiKey = id === 'rotateKey' ? inputs.apiKey : await service().makeKey({ scopes })
        let waits = 0
        const outputs = await runWorkflow(
          workflow,
          { ...inputs, apiKey },
          {
            baseUrl: `${service().url}/v1`,
            fetch,
            async again() {
              waits++
              await setClocks(service(), Date.parse(inputs.heldUntil) + waits * 1_000)
              await service().passSeconds(1)
              return true
            },
          },
        )
        assert.deepEqual(Object.keys(outputs), Object.keys(workflow.steps))
        if (id === 'reservation') assert.ok(waits > 0, 'the order was held until its time')
        if (id === 'webhook') assert.deepEqual(received.splice(0), ['webhook.test', 'pet.created'])
      })
  },
  settings,
  targets.map((target) => ({ ...target, database: withClock({ name: '', open: target.database }).open })),
)

describe('The table of workflows', () => {
  for (const [id, { steps, inputs = {} }] of all)
    test(`${id} names what its operations declare, and uses its inputs`, () => {
      for (const { operation, parameters = {}, body = {} } of Object.values(steps)) {
        const { params = {}, query = {}, body: { schema } = { schema: { properties: {} } } } = operation
        for (const name of Object.keys(parameters)) assert.ok(name in params || name in query, name)
        for (const name of Object.keys(body)) assert.ok(name in schema.properties, name)
        assert.equal(operation.deprecated, undefined)
      }
      for (const name of Object.keys(inputs)) assert.ok(JSON.stringify(steps).includes(name), `${name} is not used`)
    })
})

test('The guides walk through the workflows as the table has them; `npm run build:pages` writes it [D445]', () => {
  assert.ok(projectFile('docs/guides.md').includes(walkThrough))
})

onOneTarget(
  'The document at /arazzo.json',
  (service) => {
    const folder = new Folder()
    const file = join(folder.path, 'arazzo.json')
    let document: string
    after(() => folder[Symbol.dispose]())
    before(async () => {
      document = (await service().call('GET', '//arazzo.json', { key: null })).text
      writeFileSync(join(folder.path, 'openapi.json'), (await service().call('GET', '//openapi.json')).text)
    })
    const redocly = (command: string, env = {}): Program => {
      // Redocly would ask for a newer version of itself, and tell its makers that it ran.
      const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
      return new Program([node, join(root, 'node_modules/@redocly/cli/bin/cli.js'), command, file], {
        env: { ...quiet, ...env },
        cwd: folder.path,
      })
    }

    test('has no fault that Redocly finds, which would find one [D445]', async () => {
      writeFileSync(file, document)
      await redocly('lint').succeeded
      writeFileSync(file, document.replace('"successCriteria"', '"successCriterion"'))
      assert.match((await redocly('lint').ended).stdout, /`successCriterion` is not expected here/)
    })

    testInFull('is what `redocly respect` can run, every workflow of it [D445]', async () => {
      writeFileSync(file, document)
      const inputs = await inputsFor(service())
      const { ended } = redocly('respect', {
        // In the environment rather than among the arguments, where every user of the machine could read the keys.
        REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
        REDOCLY_CLI_RESPECT_SERVER: `petstore=${service().url}/v1`,
      })
      const key = await service().makeKey({ scopes: ['metrics:read'] })
      // Only this workflow reads an order, when it has found the animal reserved.
      const isRead = /petstore_requests_total\{[^}]*"GET"[^\n]*"\/v1\/store\/orders\/\{orderId\}"/
      const held = eventually(
        () => service().call('GET', '//metrics', { key }),
        ({ text }) => isRead.test(text),
      )
      await Promise.race([held, ended])
      await service().setClock(Date.parse(inputs.heldUntil))
      const { code, stdout, stderr } = await ended
      const said = stdout + stderr
      assert.equal(code, 0, said)
      assert.match(said, new RegExp(`Workflows: ${all.length} passed, ${all.length} total`))
      for (const key of [inputs.apiKey, inputs.newKey]) assert.ok(!said.includes(key), 'the key is not shown')
    })
  },
  settings,
)
