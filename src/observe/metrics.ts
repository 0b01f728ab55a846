/**
 * The list of all metrics of the service, from which docs/metrics.md and the exposition are derived, and the counting
 * of requests.
 */
import { type ErrorCode, errors } from '../errors.ts'
import type { OrderMove } from '../model/order.ts'

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** The only database for which this metric exists. */
  readonly database?: 'SQLite' | 'PostgreSQL'
}

type Details = Partial<Pick<Metric, 'labels' | 'database'>>
const declare =
  (type: Metric['type']) =>
  (help: string, details: Details = {}): Metric => ({ type, help, labels: [], ...details })
const counter = declare('counter')
const gauge = declare('gauge')
const histogram = declare('histogram')

const sqlite = { database: 'SQLite' } as const
const postgres = { database: 'PostgreSQL' } as const
const routed = { labels: ['http_request_method', 'http_route'] } as const

/** Names follow OpenTelemetry's semantic conventions and, for processes, Prometheus's, where those have one. */
export const metrics = {
  petstore_requests_total: counter('Requests, by the status of their response', {
    labels: [...routed.labels, 'http_response_status_code'],
  }),
  http_server_request_duration_seconds: histogram(
    'Time that a request of an operation, or to /mcp, takes, without reading from the socket and writing to it',
    routed,
  ),
  http_server_active_requests: gauge('Requests in progress, including the scrape'),
  http_server_request_body_size_bytes: histogram('Size of request bodies'),
  http_server_response_body_size_bytes: histogram('Size of response bodies'),
  petstore_errors_total: counter(
    'Error responses by their code, such as those to invalid API keys or beyond a rate limit',
    { labels: ['code'] },
  ),
  petstore_invalid_keys_limited_total: counter(
    'Requests with an invalid API key that got 429 instead of 401, because too many came from their address; ' +
      'petstore_errors_total also counts them, with the code rate_limited',
  ),
  petstore_rate_limits_alone: gauge(
    '1 while this instance counts rate limits alone, because it cannot share them with the others; otherwise 0',
  ),
  petstore_idempotent_requests_total: counter(
    'Requests with an Idempotency-Key by their outcome: recorded, replayed from an earlier request, or refused ' +
      'because the earlier request is in progress or was another one',
    { labels: ['outcome'] },
  ),
  petstore_deprecated_requests_total: counter('Calls of deprecated operations, by API key', {
    labels: ['operation', 'key_id'],
  }),
  petstore_pets_added_total: counter('Animals added; a repeated request is counted once'),
  petstore_orders_total: counter(
    'Orders placed, completed, cancelled, returned and expired; a repeated request is counted once',
    {
      labels: ['status'],
    },
  ),
  petstore_events_held_seconds: gauge(
    'How long an open transaction with changes has kept later events from being read; 0 if no transaction does',
    postgres,
  ),
  petstore_event_streams: gauge('Open event streams'),
  petstore_event_streams_dropped_total: counter(
    'Event streams that were disconnected because their client did not read',
  ),
  petstore_webhook_deliveries_total: counter(
    'Attempts to deliver an event to a webhook: delivered, to be retried, or failed and not tried again',
    { labels: ['outcome'] },
  ),
  petstore_webhook_lag_seconds: gauge('Age of the oldest event that waits for its delivery to a webhook'),
  petstore_commit_duration_seconds: histogram('Time of a commit with its writes'),
  petstore_commit_writes: histogram('Writes that shared a commit'),
  petstore_writes_waiting: gauge('Writes that wait for a commit to begin'),
  petstore_page_cache_requests_total: counter(
    'First pages that were in memory or already being read for another request (hit), or had to be read (miss)',
    { labels: ['result'] },
  ),
  petstore_page_cache_bytes: gauge('Estimated size of the first pages in memory'),
  petstore_sqlite_file_bytes: gauge('Size of the database file and of its write-ahead log', {
    ...sqlite,
    labels: ['file'],
  }),
  db_client_operation_duration_seconds: histogram('Time of a statement, including the wait for a connection', postgres),
  db_client_connection_count: gauge('Open connections, by whether they are idle or used', {
    ...postgres,
    labels: ['db_client_connection_state'],
  }),
  db_client_connection_max: gauge('Connections that may be open at the same time (DATABASE_POOL)', postgres),
  db_client_connection_pending_requests: gauge('Statements that wait for a connection', postgres),
  petstore_postgres_collisions_total: counter(
    'Statements that were repeated after a deadlock or a serialization failure',
    postgres,
  ),
  petstore_postgres_connections_lost_total: counter(
    'Connections that were lost or could not be opened, and waits for a connection that took too long',
    postgres,
  ),
  petstore_postgres_failovers_total: counter(
    'How often all connections were replaced because the server had become read-only',
    postgres,
  ),
  petstore_log_lines_dropped_total: counter('Log lines that were dropped because standard output was blocked'),
  nodejs_eventloop_delay_p50_seconds: gauge('Median delay of the event loop since the previous scrape'),
  nodejs_eventloop_delay_p99_seconds: gauge('99th percentile of the delay of the event loop since the previous scrape'),
  nodejs_eventloop_delay_max_seconds: gauge('Longest delay of the event loop since the previous scrape'),
  process_cpu_seconds_total: counter('CPU time of the process, user and system'),
  process_resident_memory_bytes: gauge('Resident memory of the process'),
  process_open_fds: gauge('Open file descriptors; Linux only'),
  process_max_fds: gauge('Limit of open file descriptors; Linux only'),
  process_start_time_seconds: gauge('When the process started, in seconds since 1970'),
  petstore_build_info: gauge('Always 1; the labels are the versions of the service and of Node', {
    labels: ['version', 'node_version'],
  }),
}

export type MetricName = keyof typeof metrics

/** One value, with the values of the labels in the declared order. */
export type Sample = readonly [name: MetricName, value: number | Histogram, ...labels: string[]]

/** Reads the counts when /metrics is requested. */
export type Collect = () => readonly Sample[]

/**
 * Counts observations by size: an observation compares a few numbers, adds two, and allocates nothing
 * (docs/decisions/26-observability.md).
 */
export class Histogram {
  /** The upper bounds, ascending; observations above the last bound are counted, too. */
  readonly bounds: readonly number[]
  /** Observations of each range, one more than there are bounds. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = bounds.map(() => 0)
    this.counts.push(0)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let range = 0
    // Beyond the last bound, the comparison is with undefined, and so false.
    while (value > (bounds[range] as number)) range++
    counts[range] = (counts[range] as number) + 1
    this.sum += value
  }
}

/** The bounds in seconds. */
export const durationBounds = [
  0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const
/** The bounds in seconds. There are fewer of them, because every operation has them. */
const requestBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10] as const
/** The bounds in bytes. The largest accepted body has 65,536. */
const sizeBounds = [0, 128, 512, 2048, 8192, 32_768, 65_536, 1_048_576] as const
export const countBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024] as const

/** All other methods are counted as `_OTHER`, by OpenTelemetry's convention. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])
/** Stands for every path that is not declared. */
export const unknownRoute = '(none)'

/** Animals that were added, and orders by their new status. Repeated requests are not counted. */
export type SalesCounts = Record<'added' | 'placed' | OrderMove, number>

const newSeries = (method: string, route: string, isTimed: boolean) => ({
  method,
  route,
  counts: new Map<number, number>(),
  duration: isTimed ? new Histogram(requestBounds) : undefined,
})

/**
 * Counts requests. Labels are declared routes, listed methods and our own statuses: no text of a client becomes a
 * label.
 */
export class RequestMetrics {
  active = 0
  readonly idempotent = { recorded: 0, replayed: 0 }
  keysLimited = 0
  readonly sales: SalesCounts = { added: 0, placed: 0, completed: 0, cancelled: 0, returned: 0 }
  readonly #errors = Object.fromEntries(Object.keys(errors).map((code) => [code, 0])) as Record<ErrorCode, number>
  readonly #received = new Histogram(sizeBounds)
  readonly #sent = new Histogram(sizeBounds)
  readonly #series = new Map<string, ReturnType<typeof newSeries>>()
  readonly #timed: ReadonlySet<string>

  /**
   * `timed` lists the methods and routes whose duration is measured. If all were measured, a scrape would exceed 100
   * KB.
   */
  constructor(timed: ReadonlySet<string>) {
    this.#timed = timed
  }

  /** Counts an answered request; `seconds` is the time it took, the other two are the sizes of its bodies. */
  answered(route: string, givenMethod: string, status: number, seconds: number, received: number, sent: number): void {
    const method = methods.has(givenMethod) ? givenMethod : '_OTHER'
    const name = `${method} ${route}`
    let series = this.#series.get(name)
    if (!series) this.#series.set(name, (series = newSeries(method, route, this.#timed.has(name))))
    this.#received.observe(received)
    this.#sent.observe(sent)
    series.counts.set(status, (series.counts.get(status) ?? 0) + 1)
    series.duration?.observe(seconds)
  }

  failed(code: ErrorCode): void {
    this.#errors[code]++
  }

  samples(): Sample[] {
    const samples: Sample[] = [
      ['http_server_active_requests', this.active],
      ['http_server_request_body_size_bytes', this.#received],
      ['http_server_response_body_size_bytes', this.#sent],
    ]
    for (const { method, route, counts, duration } of this.#series.values()) {
      for (const [status, count] of counts)
        samples.push(['petstore_requests_total', count, method, route, String(status)])
      if (duration) samples.push(['http_server_request_duration_seconds', duration, method, route])
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
