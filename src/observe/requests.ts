/** Counts requests. Labels come from the declared routes, closed lists and our own statuses: no text of a client becomes one. */
import { type ErrorCode, errors } from '../errors.ts'
import { durationBounds, Histogram, sizeBounds } from '../histogram.ts'
import type { Sample } from '../metrics.ts'
import type { OrderStatus } from '../model/order.ts'

/** Other methods are counted together, as OpenTelemetry has it. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])
const otherMethod = '_OTHER'
export const methodOf = (method: string): string => (methods.has(method) ? method : otherMethod)
/** Stands for every path that is not declared. */
export const unknownRoute = '(none)'

/** What became of animals and orders: without requests that repeat another. */
export type Sales = Record<'added' | OrderStatus, number>

/** The requests of one route and method. */
const newSeries = () => ({
  received: new Histogram(sizeBounds),
  sent: new Histogram(sizeBounds),
  /** By status. */
  durations: new Map<number, Histogram>(),
})
type Series = ReturnType<typeof newSeries>

export class RequestMetrics {
  active = 0
  readonly idempotent = { recorded: 0, replayed: 0 }
  /** Requests that got 429 for an invalid key. */
  keysLimited = 0
  readonly sales: Sales = { added: 0, placed: 0, completed: 0, cancelled: 0, returned: 0 }
  readonly #errors = Object.fromEntries(Object.keys(errors).map((code) => [code, 0])) as Record<ErrorCode, number>
  /** By declared route, then by method. */
  readonly #series: ReadonlyMap<string, Map<string, Series>>

  constructor(routes: Iterable<string>) {
    this.#series = new Map([...routes, unknownRoute].map((route) => [route, new Map()]))
  }

  /** Counts an answered request; `seconds` is the time it took, the other two are the sizes of its bodies. */
  answered(route: string, method: string, status: number, seconds: number, received: number, sent: number): void {
    const series = this.#series.get(route)?.get(method) ?? this.#seriesOf(route, methodOf(method))
    series.received.observe(received)
    series.sent.observe(sent)
    let durations = series.durations.get(status)
    if (!durations) series.durations.set(status, (durations = new Histogram(durationBounds)))
    durations.observe(seconds)
  }

  /** A route that is not declared is taken for the one that stands for all of them. */
  #seriesOf(route: string, method: string): Series {
    const ofRoute = this.#series.get(route) ?? (this.#series.get(unknownRoute) as Map<string, Series>)
    const series = ofRoute.get(method) ?? newSeries()
    ofRoute.set(method, series)
    return series
  }

  failed(code: ErrorCode): void {
    this.#errors[code]++
  }

  samples(): Sample[] {
    const samples: Sample[] = [['http_server_active_requests', this.active]]
    for (const [route, ofRoute] of this.#series)
      for (const [method, { received, sent, durations }] of ofRoute) {
        samples.push(['http_server_request_body_size_bytes', received, method, route])
        samples.push(['http_server_response_body_size_bytes', sent, method, route])
        for (const [status, histogram] of durations)
          samples.push(['http_server_request_duration_seconds', histogram, method, route, String(status)])
      }
    for (const [code, count] of Object.entries(this.#errors)) samples.push(['petstore_errors_total', count, code])
    const refused = this.#errors.idempotency_in_progress + this.#errors.idempotency_key_reused
    for (const [outcome, count] of Object.entries({ ...this.idempotent, refused }))
      samples.push(['petstore_idempotent_requests_total', count, outcome])
    samples.push(['petstore_invalid_keys_limited_total', this.keysLimited])
    const { added, ...orders } = this.sales
    samples.push(['petstore_pets_added_total', added])
    for (const [status, count] of Object.entries(orders)) samples.push(['petstore_orders_total', count, status])
    return samples
  }
}
