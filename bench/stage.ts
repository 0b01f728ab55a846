/** What every benchmark needs: its options, databases that are removed when it ends, and its results. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { startPostgres } from '../harness/postgres.ts'
import { issueKey } from '../src/keys/keys.ts'
import { defaultScopes, type Scope } from '../src/model/key.ts'
import { rowsPerChunk } from '../src/store/bulk.ts'
import type { WriteChunk } from '../src/store/maintenance.ts'
import { openStore } from '../src/store/open.ts'
import { columnsOf, type TableName } from '../src/store/tables.ts'
import { systemTime } from '../src/time.ts'
import { type AnimalAt, animal } from './animals.ts'
import { rowsOf, type Sample, table } from './contest.ts'
import { canPin, isInstalled } from './cores.ts'
import { stopLoad } from './load.ts'
import { bars } from './picture.ts'
import { root, say, stopServers, ticksOf } from './server.ts'

export type Stage = ReturnType<typeof createStage>

function createStage(flags: Readonly<Record<string, unknown>>, args: readonly string[]) {
  const quick = flags.quick === true
  const { rounds = quick ? 1 : 3, seconds = quick ? 2 : 3, connections = 64 } = flags
  const pace = { rounds: Number(rounds), seconds: Number(seconds), connections: Number(connections) }
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
  const ends = [async () => rmSync(folder, { recursive: true, force: true })]
  let over: Promise<void> | undefined

  /** Stores the result of a full run at the usual pace, with the machine on which it was measured. */
  function record(name: string, results: object, picture?: string): void {
    if (Object.keys(flags).length > 0) {
      process.stdout.write('Not the usual run: the figures on record were left as they are.\n')
      return
    }
    const machine = { processor: cpus()[0]?.model, architecture: process.arch, cores: cpus().length, pinned: canPin }
    const kept = { machine, node: process.version, ...pace, ...results }
    writeFileSync(join(root, `bench/${name}.json`), `${JSON.stringify(kept, undefined, 2)}\n`)
    if (picture) writeFileSync(join(root, `bench/${name}.svg`), picture)
  }

  return {
    quick,
    pace,
    flags,
    args,
    folder,
    record,
    /** What was started last is ended first. */
    atEnd: (end: () => Promise<void>): void => void ends.unshift(end),
    /** Ends the servers, and then what they depend on. */
    end(): Promise<void> {
      over ??= (async () => {
        for (const end of [stopServers, ...ends]) await end().catch((error) => process.stderr.write(`${error}\n`))
      })()
      return over
    },

    /** Copies a database, for a server that writes to it. */
    copyOf(file: string, name: string): string {
      const copy = join(folder, `${name}.db`)
      copyFileSync(file, copy)
      return copy
    },

    async postgres(settings: readonly string[] = []) {
      say('starting PostgreSQL')
      const { url, folder: data, stop } = await startPostgres({ settings })
      ends.unshift(stop)
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      return { url, ticks: () => ticksOf(pid, true) }
    },

    /** Prints the results and stores them, with a picture of the `series`. */
    report(name: string, title: string, series: string[], samples: Sample[], also: object = {}): void {
      const rows = rowsOf(samples)
      process.stdout.write(`${table(rows)}\n${JSON.stringify(also)}\n`)
      record(name, { ...also, rows }, bars(title, series, rows))
    },
  }
}

/** Fills a new database with animals and with orders for them, and returns a key for it. */
export async function fill(
  url: string,
  count: number,
  { at = animal, orders = 0, orderAt = () => ({}), scopes = defaultScopes }: Filling = {},
): Promise<string> {
  const store = await openStore({
    time: systemTime,
    url,
    connections: 10,
    timeoutMilliseconds: 60_000,
    schema: 'migrate',
  })
  try {
    await store.bulk.import(async (write) => {
      await writeRows(write, 'pets', count, (n) => {
        const { name, categoryId, status } = at(n)
        return { name, category_id: String(categoryId), status }
      })
      await writeRows(write, 'orders', orders, orderAt)
      return { api_keys: 0, pets: count, orders, events: 0, webhooks: 0 }
    })
    return (await issueKey(store.keys, { name: 'bench', scopes, now: Date.now(), expiresAt: undefined })).token
  } finally {
    await store.close()
  }
}

/** Returns the columns of a row. Its id is one more than its position. */
type RowAt = (n: number) => Readonly<Record<string, string>>
interface Filling {
  readonly at?: AnimalAt
  readonly orders?: number
  readonly orderAt?: RowAt
  readonly scopes?: readonly Scope[]
}

async function writeRows(write: WriteChunk, table: TableName, count: number, at: RowAt): Promise<void> {
  for (let done = 0; done < count; done += rowsPerChunk) {
    if (done % (count / 10) === 0) say(`filling a store with ${count} ${table}: ${(100 * done) / count} %`)
    const rows = Array.from({ length: Math.min(rowsPerChunk, count - done) }, (_, i) => {
      const row: Readonly<Record<string, string>> = { id: String(done + i + 1), ...at(done + i) }
      return columnsOf(table).map((column) => row[column] ?? null)
    })
    await write({ table, rows })
  }
}

/** Runs a benchmark, and removes everything of it afterwards, whatever happens. */
export async function onStage(work: (stage: Stage) => Promise<void>, more: ParseArgsOptionsConfig = {}): Promise<void> {
  const number = { type: 'string' } as const
  const options = { quick: { type: 'boolean' }, rounds: number, seconds: number, connections: number, ...more } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (!isInstalled('wrk')) throw new Error('The benchmark needs wrk; on Debian: apt-get install wrk')
  const stage = createStage(values, positionals)
  const stop = async () => {
    stopLoad()
    await stage.end()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  // The reader of the output has gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stop)
  try {
    await work(stage)
  } finally {
    await stage.end()
  }
}
