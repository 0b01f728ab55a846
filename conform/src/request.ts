/** Requests as rules write them, and as they are sent. */
import { writeJson } from './json.ts'

/** A header with the value `undefined` is not sent, and a header with several values is sent several times. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>
/** Text and bytes are sent unchanged, and everything else is sent as JSON. */
type Body = string | Uint8Array | object

export interface Request {
  readonly method: string
  /** The path below the base address. A path that begins with `//` is below the host. */
  readonly path: string
  readonly body?: Body | undefined
  /** Headers in addition to the key and the type of the body. */
  readonly headers?: Headers | undefined
}

const withoutBody =
  (method: string) =>
  (path: string, headers?: Headers): Request => ({ method, path, headers })
const withBody =
  (method: string) =>
  (path: string, body?: Body, headers?: Headers): Request => ({ method, path, body, headers })

export const GET = withoutBody('GET')
export const HEAD = withoutBody('HEAD')
export const OPTIONS = withoutBody('OPTIONS')
export const DELETE = withoutBody('DELETE')
export const POST = withBody('POST')
export const PUT = withBody('PUT')
export const PATCH = withBody('PATCH')

/** The headers of a request without a key. */
export const noKey: Headers = { Authorization: undefined }

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
}

/** The request with its address, its key and the type of its body. */
export function toSend({ method, path, body, headers }: Request, base: string, key: string): Sent {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const all: Headers = { Authorization: `Bearer ${key}`, ...type, ...headers }
  return {
    method,
    url: path.startsWith('//') ? new URL(base).origin + path.slice(1) : base + path,
    headers: Object.entries(all).flatMap(([name, values = []]) =>
      [values].flat().map((value) => [name, value] as const),
    ),
    body: body === undefined ? undefined : bytesOf(body),
  }
}

const bytesOf = (body: Body): Buffer =>
  Buffer.from(typeof body === 'string' || body instanceof Uint8Array ? body : writeJson(body))

/**
 * Replaces the key in a report by the name of a variable, because a report may be published. Some rules send the key
 * without its last character, which is replaced as well.
 */
export function withoutKey(text: string, key: string, [before, after] = ['', '']): string {
  // A key this short is no secret, and could be part of any word.
  if (key.length < 8) return text
  return text
    .replaceAll(key, `${before}$PETSTORE_KEY${after}`)
    .replaceAll(key.slice(0, -1), `${before}\${PETSTORE_KEY%?}${after}`)
}

/** The request as a line for a shell, with the key in a variable. */
export function curlOf({ method, url, headers, body }: Sent, key: string): string {
  const quoted = (text: string) => `'${withoutKey(text.replaceAll("'", `'\\''`), key, [`'"`, `"'`])}'`
  const parts = headers.map(([name, value]) => {
    if (value === `Bearer ${key}`) return `-H "${name}: Bearer $PETSTORE_KEY"`
    return `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`
  })
  if (body) parts.push(`--data-binary ${quoted(body.length > 500 ? `${body.subarray(0, 500)}…` : String(body))}`)
  return ['curl -sSg', method === 'HEAD' ? '-I' : `-iX ${method}`, ...parts, quoted(url)].join(' ')
}
