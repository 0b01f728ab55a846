/** Reads a postgres:// URL into the settings of a connection. */
import { parse, toClientConfig } from 'pg-connection-string'

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full']
const onePrimary =
  'name one host that always leads to the primary: a proxy such as HAProxy, a virtual address or a managed endpoint'

export interface PostgresUrl {
  /** The server and the login, in the form that the driver takes. */
  readonly server: ReturnType<typeof toClientConfig>
  /** All other parameters of the query are settings of the session, such as `search_path`. */
  readonly settings: Readonly<Record<string, string>>
}

/** The message continues a sentence that begins with the name of the setting, and never shows a password. */
export class DatabaseUrlFault extends Error {
  override readonly name = 'DatabaseUrlFault'
}

export function readPostgresUrl(url: string): PostgresUrl {
  const [, authority = '', search = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/s.exec(url) ?? []
  const query = new URLSearchParams(search)
  const hosts = query.get('host') ?? authority.slice(authority.lastIndexOf('@') + 1)
  if (hosts.includes(',')) throw new DatabaseUrlFault(`names several hosts, which is not supported: ${onePrimary}`)
  if (query.has('target_session_attrs'))
    throw new DatabaseUrlFault(`has target_session_attrs=…, which is not supported: ${onePrimary}`)
  const mode = query.get('sslmode')
  if (mode !== null && !sslModes.includes(mode))
    throw new DatabaseUrlFault(`has an sslmode that is none of ${sslModes.join(', ')}`)
  try {
    const parsed = toClientConfig(parse(url, { useLibpqCompat: true }))
    const { host, port, user, password, database, ssl = false, application_name, options, ...others } = parsed
    const settings = Object.entries(others).filter(([name]) => !name.startsWith('ssl'))
    return {
      server: { host, port, user, password, database, ssl, application_name, options },
      settings: Object.fromEntries(settings.map(([name, value]) => [name, String(value)])),
    }
  } catch (error) {
    throw new DatabaseUrlFault(`cannot be read: ${(error as Error).message}`)
  }
}
