/** One connection to one server of a DATABASE_URL. */

import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import { Client, type ClientConfig, type QueryResult } from 'pg'
import type { PostgresUrl } from '../../config/database-url.ts'
import type { Time } from '../../time.ts'
import type { SqlValue } from '../shared-sql.ts'
import { StoreUnavailable } from '../store.ts'
import { endsConnection } from './errors.ts'

export class Connection extends Client {
  /** Our own, as it can then be destroyed while a statement is under way. */
  readonly socket: Socket
  /** Lost, or no longer fit for other work. */
  isLost = false
  readonly #cancelLogin: () => void
  /** Whether an operator has cancelled the wait of a commit for its standby, of which the server only warns. */
  #isUnreplicated = false

  constructor(config: ClientConfig, time: Time, loginMilliseconds: number) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
    const late = () => socket.destroy(new Error(`the server did not let us in within ${loginMilliseconds} ms`))
    this.#cancelLogin = time.after(loginMilliseconds, late)
    // Statements under way are rejected too.
    this.on('error', () => {}).once('end', this.#cancelLogin)
    this.on('notice', ({ routine }) => (this.#isUnreplicated ||= routine === 'SyncRepWaitForLSN'))
  }

  /** Rejects if the server is read-only though it must write; a hot standby is, too. */
  async begin({ mustWrite }: PostgresUrl, isOwnSession: boolean): Promise<void> {
    if (isOwnSession) await this.send('SET jit = off')
    if (mustWrite) {
      const [row] = await this.send<{ transaction_read_only: string }>('SHOW transaction_read_only')
      if (row?.transaction_read_only === 'on')
        throw new Error('the server is read-only (a standby, or default_transaction_read_only)')
    }
    this.#cancelLogin()
  }

  /** Statements run in the order of sending; one with a name is prepared once. Resolves with the rows of the last. */
  async send<Row>(text: string, values: readonly SqlValue[] = [], name?: string): Promise<Row[]> {
    try {
      const result: QueryResult | QueryResult[] = await this.query({ text, values: values as SqlValue[], name })
      if (this.#isUnreplicated) throw new Error('the wait of a commit for its standby was cancelled')
      return (Array.isArray(result) ? result.at(-1) : result).rows
    } catch (error) {
      if (!endsConnection(error)) throw error
      this.isLost = true
      throw new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** What the URL sets is stronger than `timeouts`. */
export function configOf(target: PostgresUrl, timeouts: ClientConfig): ClientConfig {
  const { user, password, database } = target
  const { application_name = 'petstore', options = '', ...others } = target.parameters
  const flags = Object.entries(others).map(([name, value]) => `-c ${name}=${value.replace(/[\s\\]/g, '\\$&')}`)
  return {
    user,
    password,
    database,
    application_name,
    options: [options, ...flags].join(' ').trim(),
    ...Object.fromEntries(Object.entries(timeouts).filter(([name]) => !(name in others))),
    // In a dead network, Linux then ends the connection after 12 minutes.
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    // A statement may be sent while another runs.
    pipeline: true,
  }
}

export function tlsOf({ sslMode, sslRootCert }: PostgresUrl): ConnectionOptions | false {
  if (sslMode === 'disable') return false
  return {
    ...(sslRootCert === undefined ? {} : { ca: readFileSync(sslRootCert) }),
    rejectUnauthorized: sslMode.startsWith('verify-') || (sslMode === 'require' && sslRootCert !== undefined),
    checkServerIdentity: (host, certificate) =>
      sslMode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  }
}
