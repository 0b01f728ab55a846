/** What every benchmark stands on: its options, databases and servers that are gone when it ends, and its results. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { issueKey } from '../src/keys/keys.ts'
import { defaultScopes } from '../src/model/key.ts'
import { wordsOf } from '../src/model/pet.ts'
import { columnsOf, rowsPerChunk } from '../src/store/bulk.ts'
import { openStore } from '../src/store/store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { type Pace, rowsOf, type Sample, say, table } from './contest.ts'
import { canPin, isInstalled, stopLoad } from './load.ts'
import { bars } from './picture.ts'
import { type AnimalAt, animal } from './requests.ts'
import { node, root, Server, type ServerOptions, stopServers, ticksOf } from './server.ts'

const options = {
  quick: { type: 'boolean' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  connections: { type: 'string' },
} as const
type Flags = Readonly<Record<string, unknown>>

export class Stage {
  readonly quick: boolean
  readonly pace: Pace
  readonly flags: Flags
  readonly args: readonly string[]
  readonly folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
  readonly #ends: (() => Promise<unknown>)[] = []
  #over: Promise<void> | undefined

  constructor(flags: Flags, args: readonly string[]) {
    this.flags = flags
    this.args = args
    this.quick = flags.quick === true
    const { rounds = this.quick ? 1 : 3, seconds = this.quick ? 2 : 3, connections = 64 } = flags
    this.pace = { rounds: Number(rounds), seconds: Number(seconds), connections: Number(connections) }
  }

  start(name: string, command: readonly string[], options: ServerOptions = {}): Promise<Server> {
    say(`starting ${name}`)
    return Server.start(name, command, options)
  }

  /** Starts the service as `npm start` and `npm run start:bun` do. */
  service(name: string, runtime: string, url: string, options: ServerOptions = {}): Promise<Server> {
    const flags = runtime === node ? ['--max-semi-space-size=8'] : []
    const env = { DATABASE_URL: url }
    return this.start(name, [runtime, ...flags, 'src/main.ts', 'serve'], { env, ready: '/livez', ...options })
  }

  /** A database of its own for whoever writes to it. */
  copyOf(file: string, name: string): string {
    const copy = join(this.folder, `${name}.db`)
    copyFileSync(file, copy)
    return copy
  }

  async postgres(settings: readonly string[] = []) {
    say('starting PostgreSQL')
    const { url, folder, stop } = await startPostgres({ settings })
    this.atEnd(stop)
    const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    return {
      url,
      get ticks() {
        return ticksOf(pid, true)
      },
    }
  }

  /** For what is not a server of this benchmark. */
  atEnd(end: () => Promise<unknown>): void {
    this.#ends.unshift(end)
  }

  /** Ends the servers, then what they stand on. */
  end(): Promise<void> {
    this.#over ??= (async () => {
      for (const end of [stopServers, ...this.#ends]) await end().catch((error) => process.stderr.write(`${error}\n`))
      rmSync(this.folder, { recursive: true, force: true })
    })()
    return this.#over
  }

  /** Fills a new database with animals; the answer is a key to it. */
  async fill(url: string, count: number, at: AnimalAt = animal, scopes = defaultScopes): Promise<string> {
    const store = await openStore({ url, connections: 10, timeoutMilliseconds: 60_000 })
    try {
      await store.bulk.import(async (write) => {
        for (let done = 0; done < count; done += rowsPerChunk) {
          if (done % (count / 10) === 0) say(`filling a store with ${count} animals: ${(100 * done) / count} %`)
          const rows = Array.from({ length: Math.min(rowsPerChunk, count - done) }, (_, i) => {
            const { name, categoryId, status } = at(done + i)
            const words = wordsOf(name).join(' ')
            const id = String(done + i + 1)
            const row: Record<string, string> = { id, name, words, category_id: String(categoryId), status, held: '0' }
            return columnsOf('pets').map((column) => row[column] ?? null)
          })
          await write({ table: 'pets', rows })
        }
        return { api_keys: 0, pets: count, orders: 0, events: 0, webhooks: 0 }
      })
      const asked = { name: 'bench', scopes, now: Date.now(), expiresAt: undefined }
      return (await issueKey(store.keys, asked)).token
    } finally {
      await store.close()
    }
  }

  /** Prints what was found and keeps it, with a picture of the `series`. */
  report(name: string, title: string, series: readonly string[], samples: readonly Sample[], also: object = {}): void {
    const rows = rowsOf(samples)
    process.stdout.write(`${table(rows)}\n${Object.keys(also).length > 0 ? `${JSON.stringify(also)}\n` : ''}`)
    this.record(name, { ...also, rows }, bars(title, series, rows))
  }

  /** Keeps what a full run at the usual pace found, and what it was found on. */
  record(name: string, results: object, picture?: string): void {
    if (Object.keys(this.flags).length > 0) {
      process.stdout.write('Not the usual run: the figures on record were left as they are.\n')
      return
    }
    const [{ model } = { model: process.arch }] = cpus()
    const machine = { processor: model, architecture: process.arch, cores: cpus().length, pinned: canPin }
    const bun = JSON.parse(readFileSync(join(root, 'node_modules/bun/package.json'), 'utf8')).version
    const kept = { machine, versions: { node: process.version, bun }, ...this.pace, ...results }
    writeFileSync(join(root, `bench/${name}.json`), `${JSON.stringify(kept, undefined, 2)}\n`)
    if (picture) writeFileSync(join(root, `bench/${name}.svg`), picture)
  }
}

/** Runs a benchmark; whatever becomes of it, nothing of it stays behind. */
export async function onStage(work: (stage: Stage) => Promise<void>, more: ParseArgsOptionsConfig = {}): Promise<void> {
  const { values, positionals } = parseArgs({ options: { ...options, ...more }, allowPositionals: true })
  if (!isInstalled('wrk')) throw new Error('The benchmark needs wrk; on Debian: apt-get install wrk')
  const stage = new Stage(values, positionals)
  const stop = async () => {
    stopLoad()
    await stage.end()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  // Who reads the output has gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stop)
  try {
    await work(stage)
  } finally {
    await stage.end()
  }
}
