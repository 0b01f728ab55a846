/** Every metric of the service, as one closed list; docs/metrics.md and the exposition are derived from it. */
import type { Distribution } from './histogram.ts'

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  /** How the values of several processes become one: their sum, unless it says otherwise. */
  readonly across?: 'max'
  /** The only database that has it. */
  readonly database?: 'SQLite' | 'PostgreSQL'
}

const route = ['http_request_method', 'http_route'] as const
/** The pool of the primary, or of the replica that DATABASE_READ_URL names. */
const pool = ['db_client_connection_pool_name'] as const

/** Names follow OpenTelemetry's semantic conventions and, for processes, Prometheus's, where those have one. */
export const metrics = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    labels: [...route, 'http_response_status_code'],
    help: 'Time from the request to its response, without reading and writing the socket',
  },
  http_server_active_requests: { type: 'gauge', help: 'Requests in progress, the one for this page included' },
  http_server_request_body_size_bytes: { type: 'histogram', labels: route, help: 'Size of request bodies' },
  http_server_response_body_size_bytes: { type: 'histogram', labels: route, help: 'Size of response bodies' },
  petstore_errors_total: {
    type: 'counter',
    labels: ['code'],
    help: 'Error responses by their code: failed authentications, exceeded rate limits and all others',
  },
  petstore_idempotent_requests_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Requests with an Idempotency-Key: recorded, replayed from an earlier one, or refused as in progress or reused',
  },
  petstore_deprecated_requests_total: {
    type: 'counter',
    labels: ['operation', 'key_id'],
    help: 'Calls of deprecated operations by API key',
  },
  petstore_commit_duration_seconds: {
    type: 'histogram',
    help: 'Time of a commit with its writes; on PostgreSQL, of animals and orders',
  },
  petstore_commit_writes: { type: 'histogram', help: 'Writes that shared a commit' },
  petstore_writes_waiting: { type: 'gauge', help: 'Writes that wait for a commit to begin' },
  petstore_page_cache_requests_total: {
    type: 'counter',
    labels: ['result'],
    database: 'SQLite',
    help: 'First pages found in the cache (hit) or read from the file (miss)',
  },
  petstore_page_cache_bytes: { type: 'gauge', database: 'SQLite', help: 'Estimated size of the cached first pages' },
  petstore_sqlite_file_bytes: {
    type: 'gauge',
    labels: ['file'],
    across: 'max',
    database: 'SQLite',
    help: 'Size of the database file and of its write-ahead log',
  },
  petstore_sqlite_checkpoints_total: {
    type: 'counter',
    across: 'max',
    database: 'SQLite',
    help: 'How often the write-ahead log was copied into the database file and begun again, by any process',
  },
  db_client_operation_duration_seconds: {
    type: 'histogram',
    labels: pool,
    database: 'PostgreSQL',
    help: 'Time of a statement, with the wait for its connection',
  },
  db_client_connections: {
    type: 'gauge',
    labels: [...pool, 'db_client_connection_state'],
    database: 'PostgreSQL',
    help: 'Open connections, idle or used',
  },
  db_client_connection_max: {
    type: 'gauge',
    labels: pool,
    database: 'PostgreSQL',
    help: 'Connections that may be open',
  },
  db_client_connection_pending_requests: {
    type: 'gauge',
    labels: pool,
    database: 'PostgreSQL',
    help: 'Statements that wait behind another one on their connection',
  },
  petstore_postgres_collisions_total: {
    type: 'counter',
    labels: pool,
    database: 'PostgreSQL',
    help: 'Statements that failed by a deadlock or a serialization failure and were retried',
  },
  petstore_postgres_connections_lost_total: {
    type: 'counter',
    labels: pool,
    database: 'PostgreSQL',
    help: 'Connections that were lost or could not be made',
  },
  petstore_postgres_failovers_total: {
    type: 'counter',
    labels: pool,
    database: 'PostgreSQL',
    help: 'How often new connections turned to another server, or all were replaced as theirs had become read-only',
  },
  petstore_log_lines_dropped_total: { type: 'counter', help: 'Log lines dropped as standard output was blocked' },
  nodejs_eventloop_delay_p50_seconds: {
    type: 'gauge',
    across: 'max',
    help: 'Median delay of the event loop since the previous scrape, of the worst worker',
  },
  nodejs_eventloop_delay_p99_seconds: {
    type: 'gauge',
    across: 'max',
    help: '99th percentile of the delay of the event loop since the previous scrape, of the worst worker',
  },
  nodejs_eventloop_delay_max_seconds: {
    type: 'gauge',
    across: 'max',
    help: 'Longest delay of the event loop since the previous scrape, of the worst worker',
  },
  process_cpu_seconds_total: { type: 'counter', help: 'CPU time, user and system' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory' },
  process_open_fds: { type: 'gauge', help: 'Open file descriptors; on Linux only' },
  process_max_fds: { type: 'gauge', help: 'Limit of open file descriptors; on Linux only' },
  process_start_time_seconds: {
    type: 'gauge',
    across: 'max',
    help: 'Start of the process since 1970; of several workers, of the youngest',
  },
  petstore_workers: { type: 'gauge', help: 'Processes that serve, without silent ones' },
  petstore_workers_silent: {
    type: 'gauge',
    help: 'Workers that did not answer in time: their counters stand as they last were, their gauges are left out',
  },
  petstore_build_info: {
    type: 'gauge',
    labels: ['version', 'runtime', 'runtime_version'],
    across: 'max',
    help: 'Always 1; the labels tell the version of the service and of its runtime',
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

/** One value, with the values of the labels in the declared order. */
export type Sample = readonly [name: MetricName, value: number | Distribution, ...labels: string[]]

/** Reads what has been counted; nothing is computed before somebody asks. */
export type Collect = () => readonly Sample[]
