/** `npm run bench:peers`: the service and its peers, each against a bare server and against each other, in one run. */
import { join } from 'node:path'
import { contest, markdown, median, rowsOf, type Service } from './contest.ts'
import { packages, preparePeers } from './peer.ts'
import { againstLimits, type Dialect, operations } from './requests.ts'
import { runtimes, start, startService } from './server.ts'
import { fill, onStage } from './stage.ts'

const count = 100_000
const ours = Object.keys(runtimes)

await onStage(async (stage) => {
  const template = join(stage.folder, 'template.db')
  const key = await fill(`sqlite:${template}`, count)
  const services: (Service & { dialect?: Dialect })[] = []
  for (const [name, runtime] of Object.entries(runtimes)) {
    const url = `sqlite:${stage.copyOf(template, name)}`
    services.push({ name, servers: [await startService(name, runtime, url, { key })] })
  }
  for (const { name, command, options, dialect } of preparePeers(stage, count, key))
    services.push({ name, servers: [await start(name, command, options)], dialect })
  const samples = await contest(await againstLimits(stage, count, services), stage.pace)

  const names = services.map(({ name }) => name)
  const rows = rowsOf(samples)
  /** How many times the rate of a peer the service reaches; the median of the rounds. */
  const times = operations.flatMap((operation) => {
    const ratesOf = (name: string) =>
      rows.find(({ event, contender }) => event === operation && contender === name)?.rates ?? []
    return names.slice(ours.length).map((peer) => {
      const others = ratesOf(peer)
      const timesOf = (name: string) => median(ratesOf(name).map((rate, round) => rate / (others[round] ?? NaN)))
      return { operation, peer, times: ours.map(timesOf) }
    })
  })
  const lines = times.map(({ operation, peer, times }) => [operation, peer, ...times.map((n) => n.toFixed(1))])
  process.stdout.write(`${markdown(['operation', 'times as many as', ...ours], lines)}\n\n`)
  const title = 'Requests a second, as a part of what bare Node reaches'
  stage.report('peers', title, names, samples, { animals: count, packages: packages(), times })
})
