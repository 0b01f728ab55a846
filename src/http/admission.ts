/** Decides whether the service accepts another request, so that those it has accepted are answered in time. */
import { AppError } from '../errors.ts'
import type { Log } from '../observe/log.ts'
import type { OnReceived } from './message.ts'

/** Bytes that the bodies of all requests may take together: 256 of the largest. */
const bodyBytesMax = 16 * 1024 * 1024
/** A body up to this size takes no more memory than its connection, and is not counted. */
export const smallBodyBytes = 4 * 1024

/** The error of every refused request; one object for all, as it does not depend on the request. */
export const overload = new AppError('unavailable', 'The service has too many requests; try again shortly.', [
  'Retry-After',
  '1',
])

export interface Admission {
  /** Accepts a request, which is under way until it leaves, or throws `overload`. */
  enter(): Admitted
  /** Called once a second: logs how many requests were refused since the last call, if any were. */
  logRefused(log: Log): void
}

export interface Admitted {
  /** Reads the body. Meanwhile the request does not count as under way: clients that send slowly must not keep others out. */
  receive(read: (onReceived: OnReceived) => Promise<Uint8Array>): Promise<Uint8Array>
  leave(): void
}

/** At most `requestsMax` requests are under way at a time. */
export function createAdmission(requestsMax: number): Admission {
  let underWay = 0
  let bodyBytes = 0
  let refused = 0

  function refuse(): never {
    refused++
    throw overload
  }

  class Request implements Admitted {
    /** The bytes of its body that have arrived; those that Content-Length only announces take no memory, and do not count. */
    #bytes = 0

    async receive(read: (onReceived: OnReceived) => Promise<Uint8Array>): Promise<Uint8Array> {
      underWay--
      try {
        return await read((length) => {
          if (length <= smallBodyBytes) return
          if (bodyBytes + length - this.#bytes > bodyBytesMax) refuse()
          bodyBytes += length - this.#bytes
          this.#bytes = length
        })
      } finally {
        underWay++
      }
    }

    leave(): void {
      underWay--
      bodyBytes -= this.#bytes
    }
  }

  return {
    enter() {
      if (underWay >= requestsMax) refuse()
      underWay++
      return new Request()
    },
    logRefused(log) {
      if (refused > 0) log.warn({ refused }, 'too many requests: some were refused with 503')
      refused = 0
    },
  }
}
