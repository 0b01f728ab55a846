/** Decides whether the service accepts another request, so that those it has accepted are answered in time. */
import { AppError } from '../errors.ts'

/** Bytes that the bodies of all requests may take together: 256 of the largest. */
const bodyBytesMax = 16 * 1024 * 1024
/** A body up to this size takes no more memory than its connection, and is never refused for its size. */
export const smallBodyBytes = 4 * 1024

/** The error of every refused request; one object for all, as it does not depend on the request. */
export const overload = new AppError('unavailable', 'The service has too many requests; try again shortly.', [
  'Retry-After',
  '1',
])

export class Admission {
  readonly #requestsMax: number
  #underWay = 0
  #bodyBytes = 0
  #refused = 0

  /** At most `requestsMax` requests are under way at a time. */
  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax
  }

  /** Accepts a request, which is under way until `leave`, or throws `overload`. */
  enter(): void {
    if (this.#underWay >= this.#requestsMax) this.#refuse()
    this.#underWay++
  }

  /** `bodyBytes` is the sum that `hold` was called with for the request. */
  leave(bodyBytes: number): void {
    this.#underWay--
    this.#bodyBytes -= bodyBytes
  }

  /** Reads a body. Meanwhile its request does not count as under way: clients that send slowly must not keep others out. */
  async receive(read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    this.#underWay--
    try {
      return await read()
    } finally {
      this.#underWay++
    }
  }

  /** Counts bytes of a body that have arrived; those that a Content-Length only announces take no memory. */
  hold(bytes: number): void {
    if (this.#bodyBytes + bytes > bodyBytesMax) this.#refuse()
    this.#bodyBytes += bytes
  }

  /** The number of requests refused since the last call. */
  takeRefused(): number {
    const count = this.#refused
    this.#refused = 0
    return count
  }

  #refuse(): never {
    this.#refused++
    throw overload
  }
}
