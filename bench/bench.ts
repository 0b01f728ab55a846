/** `npm run bench`: the service on Node and on Bun against a bare server that does nothing, in one run on this machine. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { contest, say, table } from './contest.ts'
import { againstLimits } from './limits.ts'
import { median } from './load.ts'
import { bars, withRates } from './picture.ts'
import { operations } from './requests.ts'
import { bun, node, Server, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

const count = 100_000
const runtimes = { 'petstore on Node': node, 'petstore on Bun': bun }

await onStage(async (stage) => {
  const starts = stage.quick ? 2 : 7
  const template = join(stage.folder, 'template.db')
  const key = await stage.fill(`sqlite:${template}`, count)

  const services: Server[] = []
  const start: Record<string, number> = {}
  for (const [name, runtime] of Object.entries(runtimes)) {
    const database = join(stage.folder, `${services.length}.db`)
    copyFileSync(template, database)
    const options = serviceOptions(`sqlite:${database}`)
    const times: number[] = []
    for (let i = 1; i < starts; i++) {
      say(`starting ${name}, ${i} of ${starts}`)
      const server = await Server.start(name, serviceCommand(runtime), options)
      times.push(server.startMilliseconds)
      await server.stop()
    }
    const server = await stage.start(name, serviceCommand(runtime), options)
    start[name] = Math.round(median([...times, server.startMilliseconds]))
    services.push(server)
  }

  const events = await againstLimits(stage, services, key, count)

  const rows = await contest(events, stage.pace)
  process.stdout.write(
    `${table(rows)}\n\nFirst answer after the start (median of ${starts}): ${JSON.stringify(start)} ms\n`,
  )
  const title = 'Requests a second, as a part of what bare Node reaches'
  stage.record(
    'results',
    { animals: count, start, rows },
    bars(title, operations, Object.keys(runtimes), withRates(rows)),
  )
})
