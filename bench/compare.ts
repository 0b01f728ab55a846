/**
 * `npm run bench:compare REF`: this checkout and another commit in one run, on SQLite or on PostgreSQL, and which
 * operations changed beyond the noise.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execute } from '../harness/postgres.ts'
import { filesOf } from '../src/store/sqlite/file.ts'
import { contest, type Event, rowsOf, type Sample, type Service, table } from './contest.ts'
import { addAnimals, loadsOf, operations, ordersOf } from './requests.ts'
import { node, root, type Server, say, startService, stopServers } from './server.ts'
import { onStage, type Stage } from './stage.ts'

const count = 100_000

await onStage(
  async (stage) => {
    const [ref] = stage.args
    if (!ref) throw new Error('Name a commit to compare with: npm run bench:compare HEAD~10')
    const databases = stage.flags.postgres ? await postgresDatabases(stage) : sqliteDatabases(stage)
    const contenders = [
      await prepare(databases, 'other', ref, checkOut(stage, ref)),
      await prepare(databases, 'this', 'this checkout', root),
    ]
    const loads = loadsOf(stage, count)
    const samples: Sample[] = []
    // There are several starts, because the speed of a process differs by about 3 % depending on where its code and
    // data lie in memory.
    for (let starts = stage.quick ? 1 : 3; starts > 0; starts--) {
      const services: Service[] = []
      for (const { database, name, cwd, key } of contenders) {
        const servers = [await startService(name, await databases.copyOf(database), { key, cwd })]
        services.push({ name, servers, database: databases.server })
      }
      const events = operations.map((operation): Event => {
        const contenders = services.map((service) => ({ ...service, load: loads[operation] }))
        return { name: operation, contenders }
      })
      const orders = services.map((service) => ({
        ...service,
        load: ordersOf(service.servers[0] as Server, stage.pace.seconds, count + 1),
      }))
      events.push({ name: 'POST /store/orders', contenders: orders })
      samples.push(...(await contest(events, stage.pace)))
      await stopServers()
    }
    report(ref, samples)
  },
  { postgres: { type: 'boolean' } },
)

function report(ref: string, samples: readonly Sample[]): void {
  const rows = rowsOf(samples)
  process.stdout.write(`${table(rows)}\n`)
  for (const { event, rates, spread, cpuSpread } of rows)
    for (const [what, [low, high]] of Object.entries({ 'requests/s': spread, 'CPU µs': cpuSpread }))
      if (rates.length >= 9 && (low > 1 || high < 1))
        process.stdout.write(`${event}: ${low > 1 ? 'more' : 'fewer'} ${what} than ${ref}, beyond the noise\n`)
}

/** The databases of the two commits, each identified by a word. */
interface Databases {
  urlOf(name: string): string | Promise<string>
  /** Returns the URL of a database with the same content to which a start may write. */
  copyOf(name: string): string | Promise<string>
  /** The server of both databases, if there is one. */
  readonly server?: Service['database']
}

function sqliteDatabases(stage: Stage): Databases {
  const fileOf = (name: string): string => join(stage.folder, `${name}.db`)
  return {
    urlOf: (name) => `sqlite:${fileOf(name)}`,
    copyOf(name) {
      const copy = `${name}-copy`
      for (const file of filesOf(fileOf(copy))) rmSync(file, { force: true })
      return `sqlite:${stage.copyOf(fileOf(name), copy)}`
    },
  }
}

async function postgresDatabases(stage: Stage): Promise<Databases> {
  const server = await stage.postgres()
  const urlOf = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const create = async (name: string, template: string): Promise<string> => {
    await execute(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await execute(server.url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
    return urlOf(name)
  }
  return {
    urlOf: (name) => create(`bench_${name}`, 'template1'),
    copyOf: (name) => create(`bench_${name}_copy`, `bench_${name}`),
    server,
  }
}

/** Checks out a commit into a folder of this run, with the packages of this checkout, or its own if they differ. */
function checkOut(stage: Stage, ref: string): string {
  const folder = join(stage.folder, 'checkout')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  git('worktree', 'add', '--detach', folder, ref)
  stage.atEnd(async () => void git('worktree', 'remove', '--force', folder))
  const lockOf = (checkout: string) => readFileSync(join(checkout, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else {
    say(`installing the packages of ${ref}`)
    execFileSync('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' })
  }
  return folder
}

/** Makes a database with animals using the commit itself, which knows its own tables. */
async function prepare(databases: Databases, database: string, name: string, cwd: string) {
  const url = await databases.urlOf(database)
  const create = ['bin/petstore.js', 'keys', 'create', '--name', 'bench']
  const env = { ...process.env, DATABASE_URL: url }
  const key = execFileSync(node, create, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const server = await startService(name, url, { key, cwd })
  await addAnimals(server, count)
  await server.stop()
  return { database, name, cwd, key }
}
