/** Whether the database takes writes, as far as this process has seen. */
import { StoreDamaged, StoreUnavailable } from './store.ts'

export class Health {
  #fault: StoreUnavailable | undefined

  /** The same as `Store.fault`. */
  get fault(): StoreUnavailable | undefined {
    return this.#fault
  }

  /** Notes that a read or a write has failed. Errors that the request itself caused are ignored. */
  failed(error: unknown): void {
    if (error instanceof StoreUnavailable) this.#replace(error)
  }

  /**
   * Notes that a write of a client or `Store.tryWrite` has succeeded. A read or a small write of upkeep proves little:
   * a read-only server can still be read, and a full disk may have room for a page.
   */
  wrote(): void {
    if (this.#fault) this.#replace(undefined)
  }

  /** Damage is permanent. */
  #replace(fault: StoreUnavailable | undefined): void {
    if (!(this.#fault instanceof StoreDamaged)) this.#fault = fault
  }
}
