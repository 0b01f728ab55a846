/** What a postgres:// URL says, as libpq reads it: one host or several, Unix sockets, TLS, and which server will do. */
import { existsSync } from 'node:fs'

/** Where a server listens; a host that begins with a slash is the folder of a Unix socket. */
interface ServerAddress {
  readonly host: string
  readonly port: number
}

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof sslModes)[number]

export interface PostgresUrl {
  /** In the order in which they are tried; empty if the URL names no host. */
  readonly addresses: readonly ServerAddress[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly sslMode: SslMode
  /** A file with the certificates to trust; without one, those that the runtime trusts. */
  readonly sslRootCert: string | undefined
  /** Whether the server must accept writes: not be in recovery, nor be set to read-only. */
  readonly mustWrite: boolean
  /** All other parameters of the query, as settings of the session. */
  readonly parameters: Readonly<Record<string, string>>
}

/** The message continues a sentence that begins with the name of the setting, and never shows a password. */
export class DatabaseUrlFault extends Error {
  override readonly name = 'DatabaseUrlFault'
}

const attributes = ['any', 'primary', 'read-write']
/** Parameters of libpq that are refused: ignoring them would change the meaning of the URL. */
const unsupported = [
  'ssl',
  'sslcert',
  'sslkey',
  'sslcrl',
  'sslpassword',
  'hostaddr',
  'service',
  'passfile',
  'requiressl',
]

export function readPostgresUrl(url: string): PostgresUrl {
  const [, authority = '', path = '', search = ''] =
    /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/s.exec(url) ?? fail('is not a postgres:// URL')
  const at = authority.lastIndexOf('@')
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(authority.slice(0, Math.max(at, 0))) ?? []
  const query = new Map(new URLSearchParams(search))
  const take = (name: string): string | undefined => {
    const value = query.get(name)
    query.delete(name)
    return value || undefined
  }

  const inQuery = take('host')
  const port = readPort(take('port') ?? '5432')
  const hosts = (inQuery ?? authority.slice(at + 1)).split(',').filter((host, _, all) => host || all.length > 1)
  const mode = take('sslmode') ?? 'disable'
  const sslMode =
    sslModes.find((known) => known === mode) ?? fail(`has an sslmode that is none of ${sslModes.join(', ')}`)
  const rootCert = take('sslrootcert')
  if (rootCert && rootCert !== 'system' && !existsSync(rootCert)) fail('names a file in sslrootcert that is not there')
  const attribute = take('target_session_attrs') ?? 'any'
  if (!attributes.includes(attribute)) fail(`has target_session_attrs that are none of ${attributes.join(', ')}`)
  for (const name of unsupported) if (query.has(name)) fail(`has ${name}=…, which is not supported`)
  return {
    addresses: hosts.map((host) => readServerAddress(host, port)),
    user: take('user') ?? (decode(user) || undefined),
    password: take('password') ?? (password === undefined ? undefined : decode(password)),
    database: take('dbname') ?? (decode(path) || undefined),
    sslMode,
    sslRootCert: rootCert === 'system' ? undefined : rootCert,
    mustWrite: attribute !== 'any',
    parameters: Object.fromEntries(query),
  }
}

function readServerAddress(text: string, defaultPort: number): ServerAddress {
  const [, inBrackets, bare, port] = /^(?:\[([0-9a-f:.%]+)\]|([^:[\]\s]+))(?::([^:]*))?$/i.exec(text) ?? []
  const host = inBrackets ?? (bare && decode(bare))
  if (!host) return fail('has a host that is neither a name, an address, an IPv6 address in brackets nor a folder')
  return { host, port: port ? readPort(port) : defaultPort }
}

function readPort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65535 ? port : fail('has a port that is no whole number from 1 to 65535')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return fail('has a % that does not begin an escape such as %2F')
  }
}

function fail(message: string): never {
  throw new DatabaseUrlFault(message)
}
