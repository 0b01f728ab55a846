/** `npm run bench:latency`: how long one client alone waits, compared with a bare server, and for a new animal with a bare commit. */
import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { contest, figure, markdown, type Row } from './contest.ts'
import { againstLimits } from './limits.ts'
import { median, pinned } from './load.ts'
import { bars } from './picture.ts'
import { type OperationName, operations } from './requests.ts'
import { bun, node, root, type Server, serviceCommand, serviceOptions } from './server.ts'
import { onStage } from './stage.ts'

const count = 100_000
const runtimes = { 'petstore on Node': node, 'petstore on Bun': bun }
const names = Object.keys(runtimes)

await onStage(async (stage) => {
  const template = join(stage.folder, 'template.db')
  const key = await stage.fill(`sqlite:${template}`, count)
  const copy = (name: string): string => {
    const database = join(stage.folder, `${name}.db`)
    copyFileSync(template, database)
    return database
  }
  const services: Server[] = []
  for (const [name, runtime] of Object.entries(runtimes))
    services.push(await stage.start(name, serviceCommand(runtime), serviceOptions(`sqlite:${copy(name)}`)))
  const events = await againstLimits(stage, services, key, count)

  const bare = copy('bare')
  const commits: number[] = []
  const rows: Row[] = []
  // A bare commit before and after, as the disk has its moods.
  for (const part of [events, undefined]) {
    const [program = '', ...args] = pinned(0, [node, 'bench/commit.ts', bare])
    commits.push(Number(execFileSync(program, args, { cwd: root, encoding: 'utf8' })))
    if (part) rows.push(...(await contest(part, { ...stage.pace, connections: 1 })))
  }
  const commit = median(commits)

  const rowOf = (operation: OperationName, contender: string): Row => {
    const row = rows.find((row) => row.event === operation && row.contender === contender)
    if (!row) throw new Error(`nothing was measured of ${operation}, ${contender}`)
    return row
  }
  /** How many times as long as the bare server. */
  const timesOf = ({ event, p50 }: Row): number => p50 / rowOf(event as OperationName, 'LIMIT').p50
  const micros = (milliseconds: number): string => String(Math.round(milliseconds * 1000))
  const lines = rows.map((row) => [
    row.event,
    row.contender,
    micros(row.p50),
    figure(timesOf(row)),
    micros(row.p99),
    (row.p99 / row.p50).toFixed(1),
  ])
  const beyond = Object.fromEntries(
    names.map((name) => {
      const [post, get] = [rowOf('POST /pets', name), rowOf('GET /pets/{petId}', name)]
      return [name, ((post.p50 - get.p50) * 1000) / commit]
    }),
  )
  process.stdout.write(
    `${markdown(['operation', 'server', 'p50 µs', 'times LIMIT', 'p99 µs', 'p99 / p50'], lines)}\n\nA bare commit takes ${commit} µs. A new animal takes longer than reading one, in bare commits: ${names.map((name) => `${name} ${figure(beyond[name] ?? Number.NaN)}`).join(', ')}\n`,
  )
  const points = rows.map((row) => ({ ...row, ratio: timesOf(row), note: `${micros(row.p50)} µs` }))
  stage.record(
    'latency',
    { animals: count, commit, beyond, rows },
    bars('One client alone: median time to the answer, in times that of bare Node', operations, names, points),
  )
})
