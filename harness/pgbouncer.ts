/**
 * A real pgbouncer in transaction mode in front of PostgreSQL, so that connections to the server change hands with each
 * transaction.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * True with TEST_PGBOUNCER=1, which `npm run test:pgbouncer` sets. Then the service and the stores of the tests reach
 * PostgreSQL through a pgbouncer, and the statements of the tests themselves do not. That run leaves out some files of
 * test/postgres: `connections` cuts connections, which would then be those to pgbouncer, and `servers`, `replication`
 * and `instances` need what pgbouncer hides, such as which server is behind it, TLS, whether the server accepts writes,
 * and notices.
 */
export const viaPgbouncer = process.env.TEST_PGBOUNCER === '1'

/** The settings that the service needs behind a pgbouncer. */
export const pgbouncerSettings: Record<string, string> = viaPgbouncer ? { DATABASE_PREPARE: 'false' } : {}

export interface Pgbouncer {
  /** Returns the URL of the same database through the pgbouncer. */
  through(url: string): string
  stop(): Promise<void>
}

/** pgbouncer refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/**
 * Starts a pgbouncer that has fewer connections to each database than clients ask for. It refuses the settings that a
 * client sends at its login, except for the `ignored` ones.
 */
export async function startPgbouncer(server: string, ownPort: number, ignored = ''): Promise<Pgbouncer> {
  const { hostname, port, username } = new URL(server)
  const folder = mkdtempSync(join(tmpdir(), 'petstore-pgbouncer-'))
  chmodSync(folder, 0o755)
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${username}" ""\n`)
  const settings = `[databases]
* = host=${hostname} port=${port} auth_user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 6
max_client_conn = 500
server_login_retry = 1
${ignored && `ignore_startup_parameters = ${ignored}`}
`
  writeFileSync(join(folder, 'pgbouncer.ini'), settings)
  const program = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...unprivileged,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(program, 'exit')
  await new Promise<void>((resolve, reject) => {
    let log = ''
    program.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes('process up')) resolve()
    })
    exited.then(() => reject(new Error(`pgbouncer did not start:\n${log}`)), reject)
  })
  return {
    through(url) {
      const own = new URL(url)
      own.port = String(ownPort)
      return own.href
    },
    async stop() {
      program.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
