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
class Series {
  readonly route: string
  readonly method: string
  readonly received = new Histogram(sizeBounds)
  readonly sent = new Histogram(sizeBounds)
  readonly durations = new Map<number, Histogram>()

  constructor(route: string, method: string) {
    this.route = route
    this.method = method
  }
}

export class RequestMetrics {
  active = 0
  readonly idempotent = { recorded: 0, replayed: 0 }
  /** Requests that got 429 for an invalid key. */
  keysLimited = 0
  readonly sales: Sales = { added: 0, placed: 0, completed: 0, cancelled: 0 }
  readonly #errors = new Map(Object.keys(errors).map((code) => [code as ErrorCode, 0]))
  /** By declared route, then by method. */
  readonly #series: ReadonlyMap<string, Map<string, Series>>

  constructor(routes: Iterable<string>) {
    this.#series = new Map([...routes, unknownRoute].map((route) => [route, new Map()]))
  }

  /** Counts an answered request; `seconds` is the time it took, the other two are the sizes of its bodies. */
  answered(route: string, method: string, status: number, seconds: number, received: number, sent: number): void {
    const series = this.#series.get(route)?.get(method) ?? this.#seriesOf(route, method)
    series.received.observe(received)
    series.sent.observe(sent)
    let durations = series.durations.get(status)
    if (!durations) series.durations.set(status, (durations = new Histogram(durationBounds)))
    durations.observe(seconds)
  }

  /** Takes what is not on the lists for the one value that stands for all of it. */
  #seriesOf(givenRoute: string, givenMethod: string): Series {
    const route = this.#series.has(givenRoute) ? givenRoute : unknownRoute
    const method = methodOf(givenMethod)
    const ofRoute = this.#series.get(route) as Map<string, Series>
    const series = ofRoute.get(method) ?? new Series(route, method)
    ofRoute.set(method, series)
    return series
  }

  failed(code: ErrorCode): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1)
  }

  samples(): Sample[] {
    const samples: Sample[] = [['http_server_active_requests', this.active]]
    for (const ofRoute of this.#series.values())
      for (const { method, route, received, sent, durations } of ofRoute.values()) {
        samples.push(['http_server_request_body_size_bytes', received, method, route])
        samples.push(['http_server_response_body_size_bytes', sent, method, route])
        for (const [status, histogram] of durations)
          samples.push(['http_server_request_duration_seconds', histogram, method, route, String(status)])
      }
    for (const [code, count] of this.#errors) samples.push(['petstore_errors_total', count, code])
    const refused = this.#count('idempotency_in_progress') + this.#count('idempotency_key_reused')
    for (const [outcome, count] of Object.entries({ ...this.idempotent, refused }))
      samples.push(['petstore_idempotent_requests_total', count, outcome])
    samples.push(['petstore_invalid_keys_limited_total', this.keysLimited])
    const { added, ...orders } = this.sales
    samples.push(['petstore_pets_added_total', added])
    for (const [status, count] of Object.entries(orders)) samples.push(['petstore_orders_total', count, status])
    return samples
  }

  #count(code: ErrorCode): number {
    return this.#errors.get(code) ?? 0
  }
}
