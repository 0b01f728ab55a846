/**
 * Three PostgreSQL servers under Patroni, each in a network namespace of its own, with etcd, haproxy and pgbouncer
 * beside them:
 * Debian's packages as an operator would run them. This process must have a network and a mount namespace of its own
 * (trials/failover/run.ts sees to it).
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'

/** The required programs, with their Debian packages. */
export const needed = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  ip: 'iproute2',
  unshare: 'util-linux',
  postgres: 'postgresql',
}

const own = '10.79.0.1'
const control = '10.79.1.1'
const serversBin = '/usr/lib/postgresql'
/** Returns the newest version of PostgreSQL that is installed with its server. */
export const serverVersion = (): string | undefined =>
  (existsSync(serversBin) ? readdirSync(serversBin) : [])
    .filter((version) => existsSync(join(serversBin, version, 'bin/postgres')))
    .sort((a, b) => Number(b) - Number(a))[0]

/** Runs a command as the user that owns the data, because none of the programs runs as root. */
const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--']

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' })

export class Node {
  readonly name: string
  readonly address: string
  readonly #number: number
  readonly #folder: string
  #patroni: ChildProcess | undefined

  constructor(number: number, folder: string) {
    this.#number = number
    this.name = `h${number}`
    this.address = `10.79.0.1${number}`
    this.#folder = join(folder, this.name)
    ip('netns', 'add', this.name)
    for (const [bridge, network] of [
      ['data', '10.79.0'],
      ['control', '10.79.1'],
    ] as const) {
      ip('link', 'add', `${bridge}${number}`, 'type', 'veth', 'peer', 'name', bridge, 'netns', this.name)
      ip('link', 'set', `${bridge}${number}`, 'master', bridge, 'up')
      ip('-n', this.name, 'addr', 'add', `${network}.1${number}/24`, 'dev', bridge)
      ip('-n', this.name, 'link', 'set', bridge, 'up')
    }
    ip('-n', this.name, 'link', 'set', 'lo', 'up')
    mkdirSync(this.#folder)
    writeFileSync(join(this.#folder, 'patroni.json'), JSON.stringify(this.#settings()))
    execFileSync('chown', ['-R', 'postgres:postgres', this.#folder])
  }

  /** The last output of Patroni, if it has ended by itself. */
  get failure(): string | undefined {
    const isEnded = this.#patroni?.exitCode !== null && this.#patroni !== undefined
    return isEnded ? readFileSync(join(this.#folder, 'log'), 'utf8').split('\n').slice(-20).join('\n') : undefined
  }

  start(): void {
    const log = createWriteStream(join(this.#folder, 'log'), { flags: 'a' })
    const command = ['netns', 'exec', this.name, ...asPostgres, 'patroni', join(this.#folder, 'patroni.json')]
    this.#patroni = spawn('ip', command, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#patroni.stdout?.pipe(log)
    this.#patroni.stderr?.pipe(log)
  }

  /** Ends everything that runs on the machine, like a power cut. */
  kill(): void {
    this.#signal('SIGKILL', this.#pids())
  }

  /** Ends only PostgreSQL, which Patroni starts again. */
  crash(): void {
    this.#signal('SIGKILL', [Number(readFileSync(join(this.#folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])])
  }

  pause(): void {
    this.#signal('SIGSTOP', this.#pids())
  }

  resume(): void {
    this.#signal('SIGCONT', this.#pids())
  }

  link(network: 'data' | 'control', state: 'up' | 'down'): void {
    ip('link', 'set', `${network}${this.#number}`, state)
  }

  links(state: 'up' | 'down'): void {
    this.link('data', state)
    this.link('control', state)
  }

  /** Returns what Patroni says about it, or undefined if Patroni does not answer. */
  async ask(path: string): Promise<{ status: number; json: Record<string, unknown> } | undefined> {
    try {
      const response = await fetch(`http://${this.address}:8008${path}`, { signal: AbortSignal.timeout(500) })
      return { status: response.status, json: (await response.json()) as Record<string, unknown> }
    } catch {
      return undefined
    }
  }

  #pids(): number[] {
    return ip('netns', 'pids', this.name).trim().split('\n').filter(Boolean).map(Number)
  }

  #signal(signal: NodeJS.Signals, pids: readonly number[]): void {
    for (const pid of pids)
      try {
        process.kill(pid, signal)
      } catch {
        // The process has ended by itself, like the children of a killed server do.
      }
  }

  #settings(): unknown {
    const version = serverVersion()
    return {
      scope: 'petstore',
      name: this.name,
      restapi: { listen: `${this.address}:8008`, connect_address: `${this.address}:8008` },
      etcd3: { hosts: [`${control}:2379`] },
      bootstrap: {
        dcs: {
          // This is the shortest time that Patroni accepts.
          ttl: 20,
          loop_wait: 1,
          retry_timeout: 3,
          synchronous_mode: true,
          postgresql: {
            use_pg_rewind: true,
            parameters: {
              max_connections: 200,
              wal_sender_timeout: '5s',
              wal_receiver_timeout: '5s',
              wal_keep_size: '512MB',
            },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { auth: 'trust' }, 'data-checksums'],
      },
      postgresql: {
        listen: `${this.address}:5432`,
        connect_address: `${this.address}:5432`,
        bin_dir: join(serversBin, version ?? '', 'bin'),
        data_dir: join(this.#folder, 'data'),
        authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
        pg_hba: ['local all all trust', 'host all all 10.79.0.0/24 trust', 'host replication all 10.79.0.0/24 trust'],
        pgpass: join(this.#folder, 'pgpass'),
        parameters: { unix_socket_directories: this.#folder },
      },
      watchdog: { mode: 'off' },
    }
  }
}

/** The ways in which an instance finds the primary. */
export const ways = {
  haproxy: { at: `${own}:5000`, settings: {} },
  pgbouncer: { at: `${own}:6432`, settings: { DATABASE_PREPARE: 'false' } },
} as const
export type Way = keyof typeof ways

const haproxySettings = `defaults
    mode tcp
    timeout connect 1s
    timeout check 1s
    timeout client 1h
    timeout server 1h
listen petstore
    bind ${own}:5000
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${[1, 2, 3].map((n) => `    server h${n} 10.79.0.1${n}:5432 check port 8008`).join('\n')}
`

const pgbouncerSettings = `[databases]
* = host=${own} port=5000 user=postgres
[pgbouncer]
listen_addr = ${own}
listen_port = 6432
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_login_retry = 1
`

interface Standby {
  readonly application_name: string
  readonly state: string
  readonly sync_state: string
}
const isSync = ({ sync_state }: Standby): boolean => sync_state === 'sync'

async function followersOf(primary: Node | undefined): Promise<Standby[]> {
  const all = (await primary?.ask('/primary'))?.json.replication as Standby[] | undefined
  return all?.filter(({ state }) => state === 'streaming') ?? []
}

/** Names one server, because a search among all of them would wait for one that is cut off. */
function connectTo({ address }: Node, database: string): Sql {
  const url = `postgres://postgres@${address}/${database}`
  return postgres(url, { max: 1, target_session_attrs: 'primary', fetch_types: false, onnotice: () => {} })
}

/** A server that has lost its position may have to copy everything. */
const wholeMilliseconds = 300_000

export class Cluster {
  readonly nodes: readonly Node[]
  readonly #folder: string
  readonly #programs: ChildProcess[] = []
  #isBroken = false

  private constructor(folder: string) {
    this.#folder = folder
    for (const [bridge, address] of [
      ['data', own],
      ['control', control],
    ] as const) {
      ip('link', 'add', bridge, 'type', 'bridge')
      ip('addr', 'add', `${address}/24`, 'dev', bridge)
      ip('link', 'set', bridge, 'up')
    }
    this.#run('etcd', [
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      `http://${control}:2379`,
      '--advertise-client-urls',
      `http://${control}:2379`,
      '--listen-peer-urls',
      `http://${control}:2380`,
    ])
    this.nodes = [1, 2, 3].map((number) => new Node(number, folder))
  }

  static async start(): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-ha-'))
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(folder, id('-u'), id('-g'))
    ip('link', 'set', 'lo', 'up')
    const cluster = new Cluster(folder)
    try {
      for (const node of cluster.nodes) node.start()
      cluster.#run('haproxy', ['-f', cluster.#write('haproxy.cfg', haproxySettings)])
      cluster.#run('pgbouncer', [cluster.#write('pgbouncer.ini', pgbouncerSettings)])
      await cluster.whole()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** Stops everything, and keeps the logs if something that was awaited did not happen. */
  async stop(): Promise<void> {
    for (const node of this.nodes) node.kill()
    for (const program of this.#programs) program.kill('SIGKILL')
    await Promise.all(this.#programs.map((program) => program.exitCode ?? program.signalCode ?? once(program, 'exit')))
    if (!this.#isBroken) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Returns the server that accepts writes now. */
  async primary(): Promise<Node | undefined> {
    const answers = await Promise.all(this.nodes.map((node) => node.ask('/primary')))
    return this.nodes.find((_, index) => answers[index]?.status === 200)
  }

  /**
   * Resolves when there is a primary that two servers follow. Returns the primary, and the standby that commits wait
   * for, if they wait for one.
   */
  async whole(): Promise<{ primary: Node; standby: Node }> {
    for (const until = performance.now() + wholeMilliseconds; performance.now() < until; await sleep(200)) {
      const primary = await this.primary()
      const followers = await followersOf(primary)
      const isSynchronous = (await primary?.ask('/config'))?.json.synchronous_mode === true
      const name = (followers.find(isSync) ?? followers[0])?.application_name
      const standby = this.nodes.find((node) => node.name === name)
      if (primary && standby && followers.length === 2 && followers.some(isSync) === isSynchronous)
        return { primary, standby }
      const failed = this.nodes.find((node) => node.failure !== undefined)
      if (failed) throw this.#broken(`Patroni of ${failed.name} has ended: ${failed.failure}`)
    }
    throw this.#broken('the three servers did not become whole')
  }

  /** Resolves with the time at which a server other than `before` first accepted writes. */
  async untilOther(before: Node): Promise<number> {
    const others = this.nodes.filter((node) => node !== before)
    for (const until = performance.now() + wholeMilliseconds; performance.now() < until; await sleep(20)) {
      const answers = await Promise.all(others.map((node) => node.ask('/primary')))
      if (answers.some((answer) => answer?.status === 200)) return performance.now()
    }
    throw this.#broken('no other server became the primary')
  }

  async setSynchronous(isSynchronous: boolean): Promise<void> {
    const body = JSON.stringify({ synchronous_mode: isSynchronous })
    await fetch(`http://${(await this.whole()).primary.address}:8008/config`, { method: 'PATCH', body })
    await this.whole()
  }

  /** Hands over in order, like `patronictl switchover` does. */
  async switchOver(from: Node, to: Node): Promise<void> {
    const body = JSON.stringify({ leader: from.name, candidate: to.name })
    const response = await fetch(`http://${from.address}:8008/switchover`, { method: 'POST', body })
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`)
  }

  url(way: Way, database: string): string {
    return `postgres://postgres@${ways[way].at}/${database}`
  }

  /** Returns a connection to the server that is the primary now. */
  async connect(database: string): Promise<Sql> {
    const primary = await this.primary()
    if (!primary) throw new Error('no server is the primary')
    return connectTo(primary, database)
  }

  /** Runs `work` with a connection to the primary, once two servers follow it. */
  async withSql<T>(database: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const { primary } = await this.whole()
    const sql = connectTo(primary, database)
    try {
      return await work(sql)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  #broken(what: string): Error {
    this.#isBroken = true
    return new Error(`${what}; the logs are in ${this.#folder}`)
  }

  #write(name: string, text: string): string {
    const path = join(this.#folder, name)
    writeFileSync(path, text)
    return path
  }

  #run(file: string, args: readonly string[]): void {
    const log = createWriteStream(join(this.#folder, `${file}.log`))
    const program = spawn(asPostgres[0] as string, [...asPostgres.slice(1), file, ...args], { cwd: this.#folder })
    program.stdout.pipe(log)
    program.stderr.pipe(log)
    this.#programs.push(program)
  }
}
