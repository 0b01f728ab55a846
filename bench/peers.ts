/** `npm run bench:peers`: the service and its peers, each against a bare server and against each other, in one run. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, contest, markdown, type Row, ratiosOf, say, table } from './contest.ts'
import { startLimits } from './limits.ts'
import { median } from './load.ts'
import { observe, type Work } from './observe.ts'
import { installPeers, type Peer, peerVersions, preparePeers } from './peer.ts'
import { bars, withRates } from './picture.ts'
import { loadsOf, type OperationName, operations, petstore } from './requests.ts'
import { bun, node, type Server, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

const count = 100_000
const runtimes = { 'petstore on Node': node, 'petstore on Bun': bun }

await onStage(async (stage) => {
  installPeers()
  const template = join(stage.folder, 'template.db')
  const key = await stage.fill(`sqlite:${template}`, count)
  const services = Object.entries(runtimes).map(([name, runtime]): Peer => {
    const database = join(stage.folder, `${name}.db`)
    copyFileSync(template, database)
    const options = serviceOptions(`sqlite:${database}`)
    return { name, command: serviceCommand(runtime), options, dialect: petstore, durable: 'yes: synchronous=FULL' }
  })
  const all = [...services, ...preparePeers(stage.folder, count, key)]

  const servers: Server[] = []
  const work: Record<string, Work & { durable: string }> = {}
  const contenders: ((operation: OperationName) => Contender)[] = []
  for (const { name, command, options, dialect, durable } of all) {
    const server = await stage.start(name, command, options)
    servers.push(server)
    say(`looking at what ${name} does`)
    work[name] = { ...(await observe(server.port, dialect, key)), durable }
    const loads = loadsOf(dialect, stage.folder, count)
    contenders.push((operation) => ({ name, servers: [server], key, load: loads[operation] }))
  }
  const limitOf = await startLimits(stage, servers[0] as Server, key)
  const loads = loadsOf(petstore, stage.folder, count)
  const events = operations.map((name) => ({
    name,
    contenders: [{ ...limitOf(name), load: loads[name] }, ...contenders.map((contenderOf) => contenderOf(name))],
  }))

  const rows = await contest(events, stage.pace)
  const peers = all.slice(services.length).map(({ name }) => name)
  const times = operations.flatMap((operation) => peers.map((peer) => timesOf(rows, operation, peer)))
  process.stdout.write(`${table(rows)}\n\n${timesTable(times)}\n\n${workTable(work)}\n`)
  const title = 'Requests a second, as a part of what bare Node reaches'
  const names = all.map(({ name }) => name)
  stage.record(
    'peers',
    { animals: count, peers: peerVersions(), work, times, rows },
    bars(title, operations, names, withRates(rows)),
  )
})

/** How many times a peer's rate the service reaches, on each runtime; the median of the rounds. */
function timesOf(rows: readonly Row[], operation: OperationName, peer: string) {
  const ratesOf = (name: string) =>
    rows.find(({ event, contender }) => event === operation && contender === name)?.rates ?? []
  const times = Object.keys(runtimes).map((name) => median(ratiosOf(ratesOf(name), ratesOf(peer))))
  return { operation, peer, times }
}

function timesTable(all: readonly ReturnType<typeof timesOf>[]): string {
  const head = ['operation', 'times as many as', ...Object.keys(runtimes)]
  return markdown(
    head,
    all.map(({ operation, peer, times }) => [
      operation,
      peer,
      ...times.map((ratio) => (Number.isFinite(ratio) ? ratio.toFixed(1) : '∞')),
    ]),
  )
}

function workTable(work: Record<string, Work & { durable: string }>): string {
  const head = [
    'server',
    'animals a page',
    'API key',
    'input checked',
    'int64',
    'new animal kept',
    'ETag',
    'request id',
    'durable',
  ]
  return markdown(
    head,
    Object.entries(work).map(([name, { page, key, validation, int64, kept, etag, requestId, durable }]) => [
      name,
      String(page),
      key,
      validation,
      int64,
      kept,
      etag,
      requestId,
      durable,
    ]),
  )
}
