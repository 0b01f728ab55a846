/** Sends one request to a running service and reads its answer to the end, or only the head of a stream. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body as it was received. */
  readonly text: string
  /** The body as JSON; integers beyond 2^53 are rounded, so look at `text` for those. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  readonly json: any
}

export interface CallOptions {
  readonly headers?: Record<string, string>
  /**
   * Text and bytes are sent unchanged, everything else as JSON. The default header is `Content-Type: application/json`.
   */
  readonly body?: unknown
  /** The API key. With null, no key is sent. */
  readonly key?: string | null
}

/** Sends a request. `path` is relative to the base address; a path outside of the version begins with `//`. */
export async function call(
  base: string,
  method: string,
  path: string,
  { headers = {}, body, key = null }: CallOptions = {},
): Promise<Answer> {
  const sent = new Headers(headers)
  if (key !== null && !sent.has('authorization')) sent.set('Authorization', `Bearer ${key}`)
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  if (body !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json')
  const response = await fetch(path.startsWith('//') ? new URL(base).origin + path.slice(1) : base + path, {
    method,
    headers: sent,
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
  })
  const type = response.headers.get('content-type')
  const isStream = type?.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  const isJson = type?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}
