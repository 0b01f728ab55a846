/** Decides whether the service accepts another request, so that those it has accepted are answered in time. */
import { AppError } from '../errors.ts'
import type { Log } from '../observe/log.ts'
import type { OnReceived } from './message.ts'

/** Bytes that the bodies of all requests may take together: 256 of the largest. */
const bodyBytesMax = 16 * 1024 * 1024
/** Of these, what one API key may take: 32 of the largest. */
const bodyBytesOfKeyMax = bodyBytesMax / 8
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
  /**
   * Reads the body of a request with the given key. Meanwhile the request does not count as under way. Clients that send slowly
   * must not keep others out: a key gets no more than its share, and one body at a time even where all room is taken.
   */
  receive(keyId: number, read: (onReceived: OnReceived) => Promise<Uint8Array>): Promise<Uint8Array>
  leave(): void
}

/** At most `requestsMax` requests are under way at a time. */
export function createAdmission(requestsMax: number): Admission {
  let underWay = 0
  let bodyBytes = 0
  /** The bytes of bodies by key; keys without any are left out. */
  const bodyBytesOf = new Map<number, number>()
  let refused = 0

  function refuse(): never {
    refused++
    throw overload
  }

  class Request implements Admitted {
    /** The bytes of its body that have arrived; those that Content-Length only announces take no memory, and do not count. */
    #bytes = 0
    #keyId = 0

    async receive(keyId: number, read: (onReceived: OnReceived) => Promise<Uint8Array>): Promise<Uint8Array> {
      this.#keyId = keyId
      underWay--
      try {
        return await read((length) => {
          if (length > smallBodyBytes) this.#hold(length)
        })
      } finally {
        underWay++
      }
    }

    #hold(length: number): void {
      const more = length - this.#bytes
      const ofKey = bodyBytesOf.get(this.#keyId) ?? 0
      const isOnlyOne = ofKey === this.#bytes
      if (ofKey + more > bodyBytesOfKeyMax || (bodyBytes + more > bodyBytesMax && !isOnlyOne)) refuse()
      this.#count(ofKey, more)
    }

    #count(ofKey: number, more: number): void {
      bodyBytes += more
      this.#bytes += more
      if (ofKey + more > 0) bodyBytesOf.set(this.#keyId, ofKey + more)
      else bodyBytesOf.delete(this.#keyId)
    }

    leave(): void {
      underWay--
      if (this.#bytes > 0) this.#count(bodyBytesOf.get(this.#keyId) ?? 0, -this.#bytes)
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
