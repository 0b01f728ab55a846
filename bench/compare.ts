/** `npm run bench:compare REF`: this checkout and another commit in one run, and which operations changed beyond the noise. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Contender, contest, figure, markdown, ratiosOf } from './contest.ts'
import { median } from './load.ts'
import { loadsOf, operations, petstore } from './requests.ts'
import { bun, node, root, serviceCommand, serviceOptions } from './server.ts'
import { onStage, type Stage } from './stage.ts'

const count = 100_000
/** Of nine ratios, the second lowest and the second highest enclose the true median in 96 of 100 runs, whatever the noise is like. */
const rounds = 9

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
  const checkouts = { [ref]: checkOut(stage, ref), 'this checkout': root }
  const runtimes = Object.entries({ node, bun }).filter(([name]) => String(flags.runtimes).split(',').includes(name))
  const loads = loadsOf(petstore, stage.folder, count)

  const services: (Omit<Contender, 'load'> & { readonly runtime: string })[] = []
  for (const [name, checkout] of Object.entries(checkouts)) {
    const template = join(stage.folder, `${services.length}.db`)
    const key = await fillWith(checkout, template)
    for (const [runtime, program] of runtimes) {
      const database = `${template}-${runtime}.db`
      copyFileSync(template, database)
      const settings = { ...serviceOptions(`sqlite:${database}`), cwd: checkout }
      const server = await stage.start(`${name} on ${runtime}`, serviceCommand(program), settings)
      services.push({ name, runtime, servers: [server], key })
    }
  }

  const events = operations.flatMap((operation) =>
    runtimes.map(([runtime]) => ({
      name: `${operation}, ${runtime}`,
      contenders: services
        .filter((service) => service.runtime === runtime)
        .map((service) => ({ ...service, load: loads[operation] })),
    })),
  )
  const pace = {
    rounds: stage.quick ? 3 : rounds,
    seconds: stage.quick ? 1 : Number(flags.seconds),
    connections: Number(flags.connections),
  }
  const rows = await contest(events, pace)
  const lines = events.map(({ name }) => {
    const [before, after] = rows.filter(({ event }) => event === name)
    if (!before || !after) throw new Error(`nothing was measured of ${name}`)
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

/** The files of a commit in a folder of this run, with the packages of this checkout. */
function checkOut(stage: Stage, ref: string): string {
  const folder = join(stage.folder, 'checkout')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  git('worktree', 'add', '--detach', folder, ref)
  stage.atEnd(async () => void git('worktree', 'remove', '--force', folder))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** By its own program, which knows its own tables. */
async function fillWith(checkout: string, file: string): Promise<string> {
  const { fill } = (await import(pathToFileURL(join(checkout, 'bench/server.ts')).href)) as typeof import('./server.ts')
  return fill(`sqlite:${file}`, count)
}
