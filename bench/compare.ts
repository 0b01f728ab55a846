/** `npm run bench:compare REF`: this checkout and another commit in one run, and which operations changed beyond the noise. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { removeFiles } from '../src/store/sqlite/file.ts'
import { type Contender, contest, type Event, figure, markdown, type Row, ratiosOf } from './contest.ts'
import { median } from './load.ts'
import { loadsOf, operations, petstore } from './requests.ts'
import { bun, node, root, serviceCommand, serviceOptions, stopServers } from './server.ts'
import { onStage, type Stage } from './stage.ts'

const count = 100_000
const here = 'this checkout'
/** Of all services: a process has a speed of its own, by some 3 %, from where its code and data happen to lie. */
const starts = 3
/** After each start. Of nine ratios, the second lowest and the second highest enclose the true median in 96 of 100 runs, whatever the noise is like. */
const rounds = 3

const options = {
  connections: { type: 'string', default: '64' },
  runtimes: { type: 'string', default: 'node,bun' },
  seconds: { type: 'string', default: '2' },
} as const

await onStage(async (stage, flags, [ref]) => {
  if (!ref) {
    process.stderr.write('Name a commit to compare with: npm run bench:compare HEAD~10\n')
    process.exitCode = 2
    return
  }
  const checkouts = { [ref]: checkOut(stage, ref), [here]: root }
  const runtimes = Object.entries({ node, bun }).filter(([name]) => String(flags.runtimes).split(',').includes(name))
  const loads = loadsOf(petstore, stage.folder, count)

  const templates: { name: string; checkout: string; file: string; key: string }[] = []
  for (const [name, checkout] of Object.entries(checkouts)) {
    const file = join(stage.folder, `${templates.length}.db`)
    templates.push({ name, checkout, file, key: await fillWith(checkout, file) })
  }

  /** Of each operation on each runtime, the other commit and this checkout, with processes and databases of their own. */
  async function startAll(): Promise<Event[]> {
    const services: (Omit<Contender, 'load'> & { readonly runtime: string })[] = []
    for (const { name, checkout, file, key } of templates)
      for (const [runtime, program] of runtimes) {
        const database = `${file}-${runtime}.db`
        removeFiles(database)
        copyFileSync(file, database)
        const settings = { ...serviceOptions(`sqlite:${database}`), cwd: checkout }
        const server = await stage.start(`${name} on ${runtime}`, serviceCommand(program), settings)
        services.push({ name, runtime, servers: [server], key })
      }
    return operations.flatMap((operation) =>
      runtimes.map(([runtime]) => ({
        name: `${operation}, ${runtime}`,
        contenders: services
          .filter((service) => service.runtime === runtime)
          .map((service) => ({ ...service, load: loads[operation] })),
      })),
    )
  }

  const pace = { rounds, seconds: stage.quick ? 1 : Number(flags.seconds), connections: Number(flags.connections) }
  const rows: Row[] = []
  for (let start = 0; start < (stage.quick ? 1 : starts); start++) {
    rows.push(...(await contest(await startAll(), pace)))
    await stopServers()
  }
  const lines = [...Map.groupBy(rows, ({ event }) => event)].map(([name, ofEvent]) => {
    const of = (contender: string) => {
      const own = ofEvent.filter((row) => row.contender === contender)
      const middle = (field: 'rate' | 'p50' | 'p99') => median(own.map((row) => row[field]))
      return { rates: own.flatMap(({ rates }) => rates), rate: middle('rate'), p50: middle('p50'), p99: middle('p99') }
    }
    const [before, after] = [of(ref), of(here)]
    const ratios = ratiosOf(after.rates, before.rates).toSorted((a, b) => a - b)
    const [low = 0, high = 0] = [ratios[1], ratios.at(-2)]
    return [
      name,
      String(before.rate),
      String(after.rate),
      figure(median(ratios)),
      `${figure(low)}–${figure(high)}`,
      stage.quick ? '' : low > 1 ? 'faster' : high < 1 ? 'slower' : '',
      `${before.p50.toFixed(2)} → ${after.p50.toFixed(2)}`,
      `${before.p99.toFixed(2)} → ${after.p99.toFixed(2)}`,
    ]
  })
  const head = ['operation', ref, 'now', 'ratio', 'within', 'changed', 'p50 ms', 'p99 ms']
  process.stdout.write(`${markdown(head, lines)}\n`)
  if (stage.quick) process.stdout.write('A quick run has three rounds: too few to tell a change from noise.\n')
}, options)

/** The files of a commit in a folder of this run, with the packages of this checkout, or its own where they differ. */
function checkOut(stage: Stage, ref: string): string {
  const folder = join(stage.folder, 'checkout')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  git('worktree', 'add', '--detach', folder, ref)
  stage.atEnd(async () => void git('worktree', 'remove', '--force', folder))
  const lockOf = (checkout: string) => readFileSync(join(checkout, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' })
  return folder
}

/** By its own program, which knows its own tables. */
async function fillWith(checkout: string, file: string): Promise<string> {
  const { fill } = (await import(pathToFileURL(join(checkout, 'bench/server.ts')).href)) as typeof import('./server.ts')
  return fill(`sqlite:${file}`, count)
}
