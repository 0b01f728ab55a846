/** What is counted of statements and connections: plain fields, read when somebody asks. */
import { durationBounds, Histogram } from '../../histogram.ts'
import type { Sample } from '../../metrics.ts'
import { Commits } from '../commits.ts'

/** Connections, those of them without a statement, and statements without a connection. */
type Count = () => Readonly<Record<'open' | 'idle' | 'waiting', number>>

export class PoolStats {
  readonly commits = new Commits()
  readonly statements = new Histogram(durationBounds)
  collisions = 0
  /** Without those that were left on purpose. */
  lost = 0
  failovers = 0
  readonly #connections: number
  readonly #count: Count

  constructor(connections: number, count: Count) {
    this.#connections = connections
    this.#count = count
  }

  /** `pool` tells the pool of the primary from that of a replica. */
  samples(pool: 'primary' | 'replica'): Sample[] {
    const { open, idle, waiting } = this.#count()
    return [
      ['db_client_operation_duration_seconds', this.statements, pool],
      ['db_client_connections', open - idle, pool, 'used'],
      ['db_client_connections', idle, pool, 'idle'],
      ['db_client_connection_max', this.#connections, pool],
      ['db_client_connection_pending_requests', waiting, pool],
      ['petstore_postgres_collisions_total', this.collisions, pool],
      ['petstore_postgres_connections_lost_total', this.lost, pool],
      ['petstore_postgres_failovers_total', this.failovers, pool],
    ]
  }
}
