/** Two PostgreSQL servers, of which one follows the other, and what an operator does with them. */
import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { CutNetwork } from './cut-network.ts'
import type { Load } from './load.ts'
import { eventually } from './patience.ts'
import { type PostgresServer, postgresDatabase, putFile, startPostgres } from './postgres.ts'
import { Trial } from './trial.ts'

const standbyName = 'standby'

export class Pair {
  primary: PostgresServer
  standby: PostgresServer
  /** Its address always leads to the primary, like that of a proxy. */
  readonly #network: CutNetwork
  #isFollowing = true

  private constructor(primary: PostgresServer, standby: PostgresServer, network: CutNetwork) {
    this.primary = primary
    this.standby = standby
    this.#network = network
  }

  static async start(): Promise<Pair> {
    const primary = await startPostgres()
    await set(primary, 'fsync', 'off')
    const standby = await startPostgres({ fill: (folder) => copyData(primary, folder) })
    return new Pair(primary, standby, await CutNetwork.to(primary.url))
  }

  async stop(): Promise<void> {
    this.#network.close()
    for (const server of [this.primary, this.standby]) {
      // Nobody needs the data any more, so this does not wait for an orderly end.
      await server.kill()
      await server.stop()
    }
  }

  /** Returns the address of a database on the server that is currently the primary. */
  url(database: string): string {
    const url = new URL(this.#network.through(this.primary.url))
    url.pathname = database
    return url.href
  }

  /** Creates a database on the primary, starts two instances, and puts load on both. */
  async startTrial(env: Record<string, string> = {}): Promise<Trial> {
    const { url } = await postgresDatabase(this.primary.url)
    const DATABASE_URL = this.url(new URL(url).pathname.slice(1))
    return Trial.start({ DATABASE_URL, LOG_LEVEL: 'info', LOG_SAMPLE: '0', ...env }, 2)
  }

  /** Builds the standby again if it is no longer one. If it is synchronous, commits wait for it once this resolves. */
  async follow({ isSynchronous }: { isSynchronous: boolean }): Promise<void> {
    if (!this.#isFollowing) {
      await this.standby.kill()
      for (const name of readdirSync(this.standby.folder)) rmSync(join(this.standby.folder, name), { recursive: true })
      await copyData(this.primary, this.standby.folder)
      await this.standby.start()
      this.#isFollowing = true
    }
    await set(this.primary, 'synchronous_standby_names', isSynchronous ? standbyName : '')
    const states = isSynchronous ? 'streaming sync' : 'streaming async'
    await this.#untilFollowers((followers) => followers.join() === states)
  }

  /** Keeps everything after this moment from the standby. */
  async stopFollowing(): Promise<void> {
    await set(this.standby, 'primary_conninfo', '')
    await this.#untilFollowers((followers) => followers.length === 0)
  }

  /** Makes the primary refuse writes while it keeps its connections. */
  async makeReadOnly(): Promise<void> {
    await set(this.primary, 'default_transaction_read_only', 'on')
  }

  /** Promotes the standby, which accepts writes when this resolves. */
  async promote(): Promise<void> {
    await withServer(this.standby, (sql) => sql`SELECT pg_promote()`)
    this.#network.leadTo(this.standby.url)
    ;[this.primary, this.standby] = [this.standby, this.primary]
    this.#isFollowing = false
  }

  async #untilFollowers(isRight: (followers: string[]) => boolean): Promise<void> {
    const ask = (sql: postgres.Sql) => sql`SELECT state || ' ' || sync_state AS states FROM pg_stat_replication`
    const followers = async () => (await withServer(this.primary, ask)).map(({ states }) => states as string)
    await eventually(followers, isRight)
  }
}

/** Copies the data of a running server for its standby, like pg_basebackup, which the binaries of the tests lack. */
async function copyData(primary: PostgresServer, folder: string): Promise<void> {
  const label = await withServer(primary, async (sql) => {
    await sql`SELECT pg_backup_start('standby', fast => true)`
    await promisify(execFile)('cp', ['-a', `${primary.folder}/.`, folder])
    const [backup] = await sql`SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)`
    return backup?.labelfile
  })
  rmSync(join(folder, 'postmaster.pid'))
  putFile(folder, 'backup_label', label)
  putFile(folder, 'standby.signal', '')
  const { hostname, port, username } = new URL(primary.url)
  const source = `host=${hostname} port=${port} user=${username} application_name=${standbyName}`
  putFile(folder, 'postgresql.auto.conf', `fsync = off\nprimary_conninfo = '${source}'\n`)
}

async function set(server: PostgresServer, name: string, value: string): Promise<void> {
  await withServer(server, async (sql) => {
    await sql.unsafe(`ALTER SYSTEM SET ${name} = '${value}'`)
    await sql`SELECT pg_reload_conf()`
  })
}

export async function withServer<T>({ url }: PostgresServer, work: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** The ways in which a primary is lost or given up. After each of them the standby is promoted. */
export const losses: Record<string, (pair: Pair, load: Load) => Promise<void>> = {
  killed: ({ primary }) => primary.kill(),
  'set to read-only': (pair) => pair.makeReadOnly(),
  async 'killed with writes that the standby has not confirmed'({ primary, standby }, load) {
    standby.freeze()
    await load.moreOf('503', 1)
    await primary.kill()
    standby.thaw()
  },
  frozen: async ({ primary }) => primary.freeze(),
}

/**
 * Loses the primary under load, promotes the standby, and returns the milliseconds from the promotion to the first
 * write.
 */
export async function failOver(pair: Pair, trial: Trial, loss: string): Promise<number> {
  const { load } = trial
  await pair.follow({ isSynchronous: true })
  await trial.alongside(load.more(50))
  await losses[loss]?.(pair, load)
  await trial.alongside(load.moreOf('503', 5))
  const promotedAt = performance.now()
  const written = load.more(1).then(() => performance.now() - promotedAt)
  await pair.promote()
  return trial.alongside(written)
}
