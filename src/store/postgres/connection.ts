/** One connection to one server of a DATABASE_URL. */
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import { Client, type ClientConfig, type QueryResult } from 'pg'
import type { PostgresUrl, ServerAddress } from '../../config/database-url.ts'
import type { SqlValue } from '../shared-sql.ts'
import { StoreUnavailable } from '../store.ts'
import { endsConnection } from './errors.ts'

export interface ConnectionSettings {
  readonly target: PostgresUrl
  /** Which of the target's servers; undefined for the one that the driver finds. */
  readonly address: ServerAddress | undefined
  readonly isEncrypted: boolean
  /** Settings of the session that the driver sends with the login. */
  readonly session: Pick<ClientConfig, 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout'>
  /** How long connecting may take. */
  readonly milliseconds: number
}

export class Connection extends Client {
  readonly socket: Socket
  /** Lost, or no longer fit for other work. */
  isLost = false
  readonly #mustWrite: boolean
  readonly #timer: NodeJS.Timeout

  constructor({ target, address, isEncrypted, session, milliseconds }: ConnectionSettings) {
    const { user, password, database, parameters } = target
    const socket = new Socket()
    super({
      ...address,
      user,
      password,
      database,
      ssl: isEncrypted && tlsOf(target),
      ...startupSettings(parameters, session),
      // A socket of our own can be destroyed while a statement is under way.
      stream: () => socket,
      // In a dead network, Linux ends the connection after 12 minutes.
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000,
      // A statement may be sent while another runs.
      pipeline: true,
    })
    this.socket = socket
    this.#mustWrite = target.mustWrite
    const late = () => socket.destroy(new Error(`the server did not let us in within ${milliseconds} ms`))
    this.#timer = setTimeout(late, milliseconds).unref()
    // Statements under way are rejected too.
    this.on('error', () => {}).once('end', () => clearTimeout(this.#timer))
  }

  /** Once connected. Rejects if the server is read-only though it must write; a hot standby is, too. */
  async begin(isJitOff: boolean): Promise<void> {
    const [, [row]] = await Promise.all([
      isJitOff ? this.send('SET jit = off') : [],
      this.#mustWrite ? this.send<{ transaction_read_only: string }>('SHOW transaction_read_only') : [],
    ])
    clearTimeout(this.#timer)
    if (row?.transaction_read_only === 'on')
      throw new Error('the server is read-only (a standby, or default_transaction_read_only)')
  }

  /** Statements run in the order of sending; one with a name is prepared once. Resolves with the rows of the last. */
  async send<Row>(text: string, values: readonly SqlValue[] = [], name?: string): Promise<Row[]> {
    try {
      const result: QueryResult | QueryResult[] = await this.query({ text, values: values as SqlValue[], name })
      return (Array.isArray(result) ? result.at(-1) : result).rows
    } catch (error) {
      if (!endsConnection(error)) throw error
      this.isLost = true
      throw new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** What a URL sets is stronger than our own settings; the driver passes the latter under their names only. */
function startupSettings(
  { application_name = 'petstore', options = '', ...others }: PostgresUrl['parameters'],
  session: ConnectionSettings['session'],
): ClientConfig {
  const own = Object.entries(session).filter(([name]) => !(name in others))
  const flags = Object.entries(others).map(([name, value]) => `-c ${name}=${value.replace(/[\s\\]/g, '\\$&')}`)
  return { application_name, options: [options, ...flags].join(' ').trim(), ...Object.fromEntries(own) }
}

function tlsOf({ sslMode, sslRootCert }: PostgresUrl): ConnectionOptions {
  return {
    ...(sslRootCert === undefined ? {} : { ca: readFileSync(sslRootCert) }),
    rejectUnauthorized: sslMode.startsWith('verify-') || (sslMode === 'require' && sslRootCert !== undefined),
    checkServerIdentity: (host, certificate) =>
      sslMode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  }
}
