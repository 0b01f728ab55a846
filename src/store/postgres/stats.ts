/** What is counted of statements and connections: plain fields, read when somebody asks. */
import { durationBounds, Histogram } from '../../histogram.ts'
import type { Sample } from '../../metrics.ts'
import { Commits } from '../commits.ts'

export class PoolStats {
  readonly commits = new Commits()
  readonly statements = new Histogram(durationBounds)
  collisions = 0
  /** Without those that were left on purpose. */
  lost = 0
  failovers = 0
  readonly #connections: number
  readonly #loads: () => readonly number[]

  /** `loads` gives the statements on each open connection. */
  constructor(connections: number, loads: () => readonly number[]) {
    this.#connections = connections
    this.#loads = loads
  }

  /** `pool` tells the pool of the primary from that of a replica. */
  samples(pool: 'primary' | 'replica'): Sample[] {
    const loads = this.#loads()
    const used = loads.filter((load) => load > 0).length
    return [
      ['db_client_operation_duration_seconds', this.statements, pool],
      ['db_client_connections', used, pool, 'used'],
      ['db_client_connections', loads.length - used, pool, 'idle'],
      ['db_client_connection_max', this.#connections, pool],
      ['db_client_connection_pending_requests', loads.reduce((sum, load) => sum + Math.max(0, load - 1), 0), pool],
      ['petstore_postgres_collisions_total', this.collisions, pool],
      ['petstore_postgres_connections_lost_total', this.lost, pool],
      ['petstore_postgres_failovers_total', this.failovers, pool],
    ]
  }
}
