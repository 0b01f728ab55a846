/** `node bench/conform.ts`: holds the service and its peers against the rules of the interface, and writes the table in docs/conformance.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { levels, rules } from '../src/conform/rules.ts'
import { type Check, run, type Sent } from '../src/conform/run.ts'
import { createSend } from '../src/conform/send.ts'
import { markdown, say } from './contest.ts'
import { installPeers, preparePeers } from './peer.ts'
import { bun, node, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

/** The part of the widely known Swagger Petstore that has something like the three operations, in our own words. */
const swagger = (): object => {
  const schema = { $ref: '#/components/schemas/Pet' }
  const content = (of: object) => ({ content: { 'application/json': { schema: of } } })
  const ok = (of: object) => ({ 200: { description: 'OK', ...content(of) }, 400: { description: 'Bad' } })
  const parameter = (name: string, where: string, of: object) => [{ name, in: where, required: true, schema: of }]
  const status = { type: 'string', enum: ['available', 'pending', 'sold'] }
  const byId = parameter('petId', 'path', { type: 'integer', format: 'int64' })
  return {
    openapi: '3.0.4',
    info: { title: 'Swagger Petstore', version: '1.0.0' },
    paths: {
      '/pet': { post: { requestBody: content(schema), responses: ok(schema) } },
      '/pet/findByStatus': {
        get: { parameters: parameter('status', 'query', status), responses: ok({ type: 'array', items: schema }) },
      },
      '/pet/{petId}': { get: { parameters: byId, responses: { ...ok(schema), 404: { description: 'Not found' } } } },
    },
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'apiKey', name: 'api_key', in: 'header' } },
      schemas: {
        Pet: {
          type: 'object',
          required: ['name', 'photoUrls'],
          properties: {
            id: { type: 'integer', format: 'int64' },
            name: { type: 'string' },
            photoUrls: { type: 'array', items: { type: 'string' } },
            status,
          },
        },
      },
    },
  }
}
/** Its paths and its key, as far as they are like ours. */
const asSwagger = (sent: Sent): Sent => ({
  ...sent,
  url: sent.url
    .replace(/\/pets(?=[/]|$)/, '/pet')
    .replace(/\/pets\?/, '/pet/findByStatus?')
    .replace(/\/pet$/, sent.method === 'GET' ? '/pet/findByStatus?status=available' : '/pet'),
  headers: sent.headers.map(([name, value]) =>
    name === 'Authorization' ? ['api_key', value.replace('Bearer ', '')] : [name, value],
  ),
})

await onStage(async (stage) => {
  installPeers()
  const key = await stage.fill(`sqlite:${join(stage.folder, 'store.db')}`, 1)
  const document = join(stage.folder, 'swagger.json')
  writeFileSync(document, JSON.stringify(swagger()))
  const options = serviceOptions(`sqlite:${join(stage.folder, 'store.db')}`)
  const peers = preparePeers(stage.folder, 200, key)
  const prism = peers.find(({ name }) => name === 'Prism')
  const all = [
    { name: 'petstore on Node', command: serviceCommand(node), options, animals: '/v1/pets' },
    { name: 'petstore on Bun', command: serviceCommand(bun), options, animals: '/v1/pets' },
    ...peers.map(({ dialect, ...peer }) => ({
      ...peer,
      name: peer.name === 'Prism' ? "Prism's mock of our document" : peer.name,
      animals: dialect.animals,
    })),
    {
      name: "Swagger Petstore's interface (Prism's mock of it)",
      command: prism?.command.map((word) => (word === 'openapi.json' ? document : word)) ?? [],
      options: prism?.options ?? {},
      animals: '/pets',
      change: asSwagger,
    },
  ]
  const rows: string[][] = []
  for (const { name, command, options, animals, ...rest } of all) {
    const server = await stage.start(name, command, { ...options, core: 'any' })
    say(`checking ${name}`)
    const client = createSend({ bytesMax: 2 ** 22, timeoutMilliseconds: 5_000 })
    const change = 'change' in rest ? rest.change : (sent: Sent) => sent
    const checks: Check[] = []
    await run({
      ...{
        url: `http://127.0.0.1:${server.port}${animals.slice(0, -'/pets'.length)}`,
        key,
        rules,
        demanded: 'full',
        wait,
        clock: Date.now,
      },
      send: (sent) => client(change(sent)),
      until: Date.now() + 300_000,
      report: (check) => checks.push(check),
    })
    client.close()
    await server.stop()
    const share = levels.map((level) => {
      const held = checks.filter((check) => check.level === level && check.status !== 'skip')
      return held.length === 0 ? '–' : `${held.filter(({ status }) => status === 'pass').length} of ${held.length}`
    })
    rows.push([name, ...share])
  }
  const table = markdown(['service', ...levels], rows)
  const narrow = table.replace(/ +/g, ' ').replace(/-{3,}/g, '---')
  const page = new URL('../docs/conformance.md', import.meta.url)
  const text = readFileSync(page, 'utf8').replace(/(?<=<!-- others -->\n).*(?=<!-- end -->)/s, () => `\n${narrow}\n\n`)
  writeFileSync(page, text)
  process.stdout.write(`${table}\n`)
})
