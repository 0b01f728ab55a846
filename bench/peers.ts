/** `npm run bench:peers` compares the service and its peers with a bare server and with each other, in one run. */
import { join } from 'node:path'
import { contest, markdown, rowsOf, type Service } from './contest.ts'
import bench from './package.json' with { type: 'json' }
import { preparePeers } from './peer.ts'
import { againstLimits, type Dialect, operations } from './requests.ts'
import { start, startService } from './server.ts'
import { fill, onStage } from './stage.ts'

const count = 100_000
const ours = 'petstore'

await onStage(async (stage) => {
  const template = join(stage.folder, 'template.db')
  const key = await fill(`sqlite:${template}`, count)
  const url = `sqlite:${stage.copyOf(template, ours)}`
  const services: (Service & { dialect?: Dialect })[] = [
    { name: ours, servers: [await startService(ours, url, { key })] },
  ]
  for (const { name, command, options, dialect } of preparePeers(stage, count, key))
    services.push({ name, servers: [await start(name, command, options)], dialect })
  const samples = await contest(await againstLimits(stage, count, services), stage.pace)

  const rows = rowsOf(samples)
  const rateOf = (operation: string, name: string): number =>
    rows.find(({ event, contender }) => event === operation && contender === name)?.rate ?? NaN
  const names = services.map(({ name }) => name)
  const lines = operations.flatMap((operation) =>
    names.slice(1).map((peer) => [operation, peer, (rateOf(operation, ours) / rateOf(operation, peer)).toFixed(1)]),
  )
  process.stdout.write(`${markdown(['operation', 'times as many as', ours], lines)}\n\n`)
  stage.report('peers', 'Requests a second, relative to bare Node', names, samples, { peers: bench.dependencies })
})
