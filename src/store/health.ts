/** Whether the database takes writes, as far as this process has seen. */
import { StoreDamaged, StoreUnavailable } from './store.ts'

export class Health {
  #fault: StoreUnavailable | undefined

  /** As `Store.fault`. */
  get fault(): StoreUnavailable | undefined {
    return this.#fault
  }

  /** A read or a write has failed; an error of the request itself says nothing about the database. */
  failed(error: unknown): void {
    if (error instanceof StoreUnavailable) this.#replace(error)
  }

  /**
   * A write of a client has succeeded, or `Store.tryWrite`. A read or a small write of upkeep says little: a read-only
   * server can still be read, and a full disk may have room for a page.
   */
  wrote(): void {
    if (this.#fault) this.#replace(undefined)
  }

  /** Damage stays. */
  #replace(fault: StoreUnavailable | undefined): void {
    if (!(this.#fault instanceof StoreDamaged)) this.#fault = fault
  }
}
