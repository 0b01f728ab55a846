/** `npm run bench:peers`: the service and its peers, each against a bare server and against each other, in one run. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, contest, markdown, median, rowsOf } from './contest.ts'
import { preparePeers } from './peer.ts'
import { loadsOf, type OperationName, operations, petstore, startLimits } from './requests.ts'
import { root, runtimes, type Server } from './server.ts'
import { onStage } from './stage.ts'

const count = 100_000

await onStage(async (stage) => {
  const template = join(stage.folder, 'template.db')
  const key = await stage.fill(`sqlite:${template}`, count)
  const started: [server: Server, dialect: typeof petstore][] = []
  for (const [name, runtime] of Object.entries(runtimes)) {
    const url = `sqlite:${stage.copyOf(template, name)}`
    started.push([await stage.service(name, runtime, url, { key }), petstore])
  }
  for (const { name, command, options, dialect } of preparePeers(stage, count, key))
    started.push([await stage.start(name, command, options), dialect])
  const limits = await startLimits(stage, started[0]?.[0] as Server)
  const limitLoads = loadsOf(stage, count)
  const all = started.map(([server, dialect]) => ({ server, loads: loadsOf(stage, count, dialect) }))
  const contendersOf = (operation: OperationName): Contender[] => [
    { ...limits[operation], load: limitLoads[operation] },
    ...all.map(({ server, loads }) => ({ name: server.name, servers: [server], load: loads[operation] })),
  ]
  const events = operations.map((name) => ({ name, contenders: contendersOf(name) }))
  const samples = await contest(events, stage.pace)

  const names = started.map(([{ name }]) => name)
  const rows = rowsOf(samples)
  /** How many times the rate of a peer the service reaches; the median of the rounds. */
  const times = operations.flatMap((operation) => {
    const ratesOf = (name: string) =>
      rows.find(({ event, contender }) => event === operation && contender === name)?.rates ?? []
    return names.slice(2).map((peer) => {
      const others = ratesOf(peer)
      const of = (name: string) => median(ratesOf(name).map((rate, round) => rate / (others[round] ?? NaN)))
      return { operation, peer, times: Object.keys(runtimes).map(of) }
    })
  })
  const title = 'Requests a second, as a part of what bare Node reaches'
  stage.report('peers', title, names, samples, { animals: count, versions: versions(), times })
  const lines = times.map(({ operation, peer, times }) => [operation, peer, ...times.map((n) => n.toFixed(1))])
  process.stdout.write(`${markdown(['operation', 'times as many as', ...Object.keys(runtimes)], lines)}\n`)
})

function versions(): Record<string, string> {
  const packages = ['express', '@nestjs/core', 'better-sqlite3', 'json-server', '@stoplight/prism-cli']
  const ofPackage = (name: string): string => {
    const folder = name === '@stoplight/prism-cli' ? 'node_modules' : 'bench/node_modules'
    return JSON.parse(readFileSync(join(root, folder, name, 'package.json'), 'utf8')).version
  }
  return Object.fromEntries(packages.map((name) => [name, ofPackage(name)]))
}
