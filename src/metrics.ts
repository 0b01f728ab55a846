/** Every metric of the service, as one closed list; docs/metrics.md and the exposition are derived from it. */
import type { Histogram } from './histogram.ts'

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** The only database that has it. */
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
/** The pool is that of the primary, or of the replica that DATABASE_READ_URL names. */
const postgres = { database: 'PostgreSQL', labels: ['db_client_connection_pool_name'] } as const
const routed = { labels: ['http_request_method', 'http_route'] } as const

/** Names follow OpenTelemetry's semantic conventions and, for processes, Prometheus's, where those have one. */
export const metrics = {
  http_server_request_duration_seconds: histogram(
    'Time from the request to its response, without reading and writing the socket',
    { labels: [...routed.labels, 'http_response_status_code'] },
  ),
  http_server_active_requests: gauge('Requests in progress, the one for this page included'),
  http_server_request_body_size_bytes: histogram('Size of request bodies', routed),
  http_server_response_body_size_bytes: histogram('Size of response bodies', routed),
  petstore_errors_total: counter(
    'Error responses by their code: failed authentications, exceeded rate limits and all others',
    { labels: ['code'] },
  ),
  petstore_invalid_keys_limited_total: counter(
    'Invalid API keys that got 429 instead of 401, as too many came from their address; code rate_limited has them, too',
  ),
  petstore_rate_limits_alone: gauge(
    '1 while the process counts rate limits alone, as sharing them with the other instances fails',
  ),
  petstore_idempotent_requests_total: counter(
    'Requests with an Idempotency-Key: recorded, replayed from an earlier one, or refused as in progress or reused',
    { labels: ['outcome'] },
  ),
  petstore_deprecated_requests_total: counter('Calls of deprecated operations by API key', {
    labels: ['operation', 'key_id'],
  }),
  petstore_pets_added_total: counter('Animals added; a repeated request counts once'),
  petstore_orders_total: counter('Orders placed, completed, cancelled and returned; a repeated request counts once', {
    labels: ['status'],
  }),
  petstore_events_held_seconds: gauge(
    'For how long an open transaction that has changed something has kept later events from being read; 0 if none does',
    { ...postgres, labels: [] },
  ),
  petstore_event_streams: gauge('Open event streams'),
  petstore_event_streams_dropped_total: counter('Event streams whose connection was cut, as the client did not read'),
  petstore_webhook_deliveries_total: counter(
    'Tries to deliver an event to a webhook: delivered, to be retried, or failed for good, which disables the webhook',
    { labels: ['outcome'] },
  ),
  petstore_webhook_lag_seconds: gauge('Age of the oldest event that waits to be delivered to a webhook'),
  petstore_commit_duration_seconds: histogram('Time of a commit with its writes; on PostgreSQL, of animals and orders'),
  petstore_commit_writes: histogram('Writes that shared a commit'),
  petstore_writes_waiting: gauge('Writes that wait for a commit to begin'),
  petstore_page_cache_requests_total: counter('First pages found in the cache (hit) or read from the file (miss)', {
    ...sqlite,
    labels: ['result'],
  }),
  petstore_page_cache_bytes: gauge('Estimated size of the cached first pages', sqlite),
  petstore_sqlite_file_bytes: gauge('Size of the database file and of its write-ahead log', {
    ...sqlite,
    labels: ['file'],
  }),
  petstore_sqlite_checkpoints_total: counter(
    'How often the write-ahead log was copied into the database file and begun again, by any process',
    sqlite,
  ),
  db_client_operation_duration_seconds: histogram('Time of a statement, with the wait for its connection', postgres),
  db_client_connections: gauge('Open connections, idle or used', {
    ...postgres,
    labels: [...postgres.labels, 'db_client_connection_state'],
  }),
  db_client_connection_max: gauge('Connections that may be open', postgres),
  db_client_connection_pending_requests: gauge('Statements that wait for a connection', postgres),
  petstore_postgres_collisions_total: counter(
    'Statements that failed by a deadlock or a serialization failure and were retried',
    postgres,
  ),
  petstore_postgres_connections_lost_total: counter('Connections that were lost or could not be made', postgres),
  petstore_postgres_failovers_total: counter(
    'How often new connections turned to another server, or all were replaced as theirs had become read-only',
    postgres,
  ),
  petstore_log_lines_dropped_total: counter('Log lines dropped as standard output was blocked'),
  petstore_spans_dropped_total: counter('Spans that the collector refused or was too slow for, if traces are on'),
  nodejs_eventloop_delay_p50_seconds: gauge('Median delay of the event loop since the previous scrape'),
  nodejs_eventloop_delay_p99_seconds: gauge('99th percentile of that delay'),
  nodejs_eventloop_delay_max_seconds: gauge('Longest such delay'),
  process_cpu_seconds_total: counter('CPU time, user and system'),
  process_resident_memory_bytes: gauge('Resident memory'),
  process_open_fds: gauge('Open file descriptors; on Linux only'),
  process_max_fds: gauge('Limit of open file descriptors; on Linux only'),
  process_start_time_seconds: gauge('Start of the process since 1970'),
  petstore_build_info: gauge('Always 1; the labels tell the version of the service and of its runtime', {
    labels: ['version', 'runtime', 'runtime_version'],
  }),
}

export type MetricName = keyof typeof metrics

/** One value, with the values of the labels in the declared order. */
export type Sample = readonly [name: MetricName, value: number | Histogram, ...labels: string[]]

/** Reads what has been counted; nothing is computed before somebody asks. */
export type Collect = () => readonly Sample[]
