/** `npm run bench:workers`: what a second process on the same SQLite file gives for each operation, and how two share the write lock. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { contest, say, table } from './contest.ts'
import { measure, median } from './load.ts'
import { loadsOf, operations, petstore } from './requests.ts'
import { bun, node, type Server, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

const count = 100_000
const runtimes = { Node: node, Bun: bun }

await onStage(async (stage) => {
  const template = join(stage.folder, 'template.db')
  const key = await stage.fill(`sqlite:${template}`, count)
  /** The kernel puts processes and load on all cores, as it does where the service runs. */
  async function start(name: string, runtime: string, file: string, workers: number): Promise<Server> {
    const { env, ...options } = serviceOptions(`sqlite:${file}`)
    return stage.start(name, serviceCommand(runtime), {
      ...options,
      env: { ...env, WORKERS: String(workers) },
      core: 'any',
    })
  }
  const copy = (name: string): string => {
    const file = join(stage.folder, `${name}.db`)
    copyFileSync(template, file)
    return file
  }

  const loads = loadsOf(petstore, stage.folder, count)
  const services: { runtime: string; name: string; servers: Server[] }[] = []
  for (const [runtime, program] of Object.entries(runtimes))
    for (const workers of [1, 2]) {
      const name = `WORKERS=${workers}`
      services.push({ runtime, name, servers: [await start(name, program, copy(runtime + workers), workers)] })
    }
  const events = operations.flatMap((operation) =>
    Object.keys(runtimes).map((runtime) => ({
      name: `${operation}, ${runtime}`,
      contenders: services
        .filter((service) => service.runtime === runtime)
        .map(({ name, servers }) => ({ name, servers, key, load: loads[operation] })),
    })),
  )
  const rows = await contest(events, stage.pace)
  process.stdout.write(`${table(rows)}\n`)

  const shares: Record<string, number> = {}
  for (const [runtime, program] of Object.entries(runtimes)) {
    const file = copy(`${runtime}-shared`)
    const ports = [await start('one', program, file, 1), await start('the other', program, file, 1)].map(
      ({ port }) => port,
    )
    const ratios: number[] = []
    for (let round = 0; round < stage.pace.rounds; round++) {
      say(`two processes that write, ${runtime}, round ${round + 1} of ${stage.pace.rounds}`)
      const target = { key, seconds: stage.pace.seconds, connections: 32 }
      const both = await Promise.all(
        ports.map((port) => measure(loads['POST /pets'](round), { ...target, ports: [port] })),
      )
      const rates = both.map(({ rate }) => rate)
      ratios.push(Math.min(...rates) / rates.reduce((sum, rate) => sum + rate, 0))
    }
    shares[runtime] = median(ratios)
  }
  say('')
  process.stdout.write(
    `Of the writes of two processes, the share of the one that gets fewer: ${JSON.stringify(shares)}\n`,
  )
  stage.record('workers', { animals: count, shares, rows })
})
