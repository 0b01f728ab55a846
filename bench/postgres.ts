/** `npm run bench:postgres`: the service on a PostgreSQL of its own, as one instance and as two, against a bare server. */
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { startPostgres } from '../test/support/postgres.ts'
import { contest, say, table } from './contest.ts'
import { startLimits } from './limits.ts'
import { canPin } from './load.ts'
import { loadsOf, operations, petstore } from './requests.ts'
import { bun, node, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

const count = 100_000
const cores = availableParallelism()

await onStage(async (stage) => {
  // PostgreSQL takes over what this process may use: every core but the service's.
  if (canPin)
    execFileSync('taskset', ['-c', '-p', `1-${cores - 1}`, String(process.pid)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  say('starting PostgreSQL')
  const postgres = await startPostgres()
  stage.atEnd(() => postgres.stop())
  const key = await stage.fill(postgres.url, count)

  const options = serviceOptions(postgres.url)
  const first = await stage.start('petstore on Node', serviceCommand(node), options)
  // With two cores there is none left for a second instance, and it shares the first one's.
  const core = cores > 2 ? 2 : 0
  const second = await stage.start('petstore on Node, the second', serviceCommand(node), { ...options, core })
  const other = await stage.start('petstore on Bun', serviceCommand(bun), options)
  const limitOf = await startLimits(stage, first, key)

  const loads = loadsOf(petstore, stage.folder, count)
  const events = operations.map((name) => ({
    name,
    contenders: [
      limitOf(name),
      { name: 'one instance on Node', servers: [first], key },
      { name: 'two instances on Node', servers: [first, second], key },
      { name: 'one instance on Bun', servers: [other], key },
    ].map((contender) => ({ ...contender, load: loads[name] })),
  }))

  const rows = await contest(events, stage.pace)
  process.stdout.write(`${table(rows)}\n`)
  stage.record('postgres', { animals: count, rows })
})
