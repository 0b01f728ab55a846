/** Counters of the connections of a process and of their work. */
import type { Pool } from 'pg'
import { durationBounds, Histogram, type Sample } from '../../observe/metrics.ts'
import { Commits } from '../commits.ts'

export class PoolStats {
  readonly commits = new Commits()
  readonly statements = new Histogram(durationBounds)
  collisions = 0
  /**
   * Connections that were lost, not made, or not free in time. Connections that were retired on purpose are not
   * counted.
   */
  lost = 0
  failovers = 0
  readonly #connections: number
  readonly #pool: Pool

  constructor(connections: number, pool: Pool) {
    this.#connections = connections
    this.#pool = pool
  }

  samples(): Sample[] {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return [
      ['db_client_operation_duration_seconds', this.statements],
      ['db_client_connection_count', totalCount - idleCount, 'used'],
      ['db_client_connection_count', idleCount, 'idle'],
      ['db_client_connection_max', this.#connections],
      ['db_client_connection_pending_requests', waitingCount],
      ['petstore_postgres_collisions_total', this.collisions],
      ['petstore_postgres_connections_lost_total', this.lost],
      ['petstore_postgres_failovers_total', this.failovers],
    ]
  }
}
