/** A client whose requests get prepared answers in turn, instead of those of a service. */
import assert from 'node:assert/strict'
import { PetStore, type PetStoreOptions } from '../../../client/src/index.ts'

export type Reply = (init: RequestInit) => Response | Promise<Response>

export const json =
  (body: unknown, { status = 200, ...headers }: { status?: number; [header: string]: string | number } = {}): Reply =>
  () =>
    Response.json(body, { status, headers: headers as Record<string, string> })
/** Makes an error of the service. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json({ code, message: 'not now', status }, { status, ...headers })
/** Makes a page of a list with the cursor of the next page. */
export const page = (next?: string, items: readonly object[] = []): Reply =>
  json(items, next === undefined ? {} : { Link: `<https://elsewhere.example/v1/pets?cursor=${next}>; rel="next"` })
/** The connection is lost before or after the service has handled the request. */
export const cut: Reply = () => Promise.reject(new TypeError('fetch failed'))

export function answered(replies: readonly Reply[], options: Partial<PetStoreOptions> = {}) {
  const waiting = [...replies]
  const sent: { readonly url: URL; readonly init: RequestInit; readonly headers: Headers }[] = []
  const pauses: number[] = []
  const petstore = new PetStore({
    baseUrl: 'https://shop.example/v1',
    apiKey: 'key',
    random: () => 1,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    async fetch(url, init) {
      sent.push({ url: new URL(url), init, headers: new Headers(init.headers) })
      init.signal?.throwIfAborted()
      return (waiting.shift() ?? assert.fail(`one request too many: ${url}`))(init)
    },
    ...options,
  })
  const queries = () => sent.map(({ url }) => Object.fromEntries(url.searchParams))
  /** Returns a header of every request. */
  const header = (name: string) => sent.map(({ headers }) => headers.get(name))
  return { petstore, sent, pauses, queries, header }
}

/** Resolves with the error of a call. */
export const failure = <T = Error>(call: Promise<unknown>): Promise<T> =>
  call.then(
    () => assert.fail('the call succeeded'),
    (error) => error,
  )
