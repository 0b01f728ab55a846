/** Decides whether the service accepts another request, so that those it has accepted are answered in time. */
import { AppError } from '../errors.ts'
import type { Log } from '../observe/log.ts'

/** The bytes that the bodies of all requests may take together: 256 bodies of the largest size. */
const bodyBytesMax = 16 * 1024 * 1024
/** The share of them that one API key may take: 32 bodies of the largest size. */
const bodyBytesOfKeyMax = bodyBytesMax / 8
/** A body up to this size takes no more memory than its connection, and is not counted. */
const smallBodyBytes = 4 * 1024

/** The error of every refused request; one object for all, as it does not depend on the request. */
export const overload = new AppError(
  'unavailable',
  'The service has too many requests. Try again after the seconds in the Retry-After header.',
  ['Retry-After', '1'],
)

/**
 * The memory that a body takes. Clients that send slowly must not keep others out. So a key gets no more than its
 * share, but always room for one body, even if no room is left.
 */
export interface BodyRoom {
  readonly keyId: number
  /** The bytes that it takes. It is 0 for a small body. */
  bytes: number
}

export interface Admission {
  /** Accepts a request, which is under way until it leaves, or throws `overload`. */
  enter(): void
  leave(): void
  /**
   * Waits for the rest of a body. Until then, its request does not count as under way, because the client may be slow.
   * Then it continues, however many other requests have been accepted.
   */
  arrivalOf<T>(body: Promise<T>): Promise<T>
  /** Makes room for the bytes that have arrived, or throws `overload`. Bytes that are only announced take no room. */
  hold(room: BodyRoom, length: number): void
  release(room: BodyRoom): void
  /** Called once a second: logs how many requests were refused since the last call, if any were. */
  logRefused(log: Log): void
}

export function createAdmission(requestsMax: number): Admission {
  let underWay = 0
  let bodyBytes = 0
  /** The bytes of bodies by key. A key without bytes has no entry. */
  const bodyBytesOf = new Map<number, number>()
  let refused = 0

  function refuse(): never {
    refused++
    throw overload
  }

  function take(room: BodyRoom, more: number): void {
    const ofKey = (bodyBytesOf.get(room.keyId) ?? 0) + more
    bodyBytes += more
    room.bytes += more
    if (ofKey > 0) bodyBytesOf.set(room.keyId, ofKey)
    else bodyBytesOf.delete(room.keyId)
  }

  return {
    enter() {
      if (underWay >= requestsMax) refuse()
      underWay++
    },
    leave() {
      underWay--
    },
    async arrivalOf(body) {
      underWay--
      try {
        return await body
      } finally {
        underWay++
      }
    },
    hold(room, length) {
      if (length <= smallBodyBytes) return
      const more = length - room.bytes
      const ofKey = bodyBytesOf.get(room.keyId) ?? 0
      const isOnlyOne = ofKey === room.bytes
      if (ofKey + more > bodyBytesOfKeyMax || (bodyBytes + more > bodyBytesMax && !isOnlyOne)) refuse()
      take(room, more)
    },
    release(room) {
      take(room, -room.bytes)
    },
    logRefused(log) {
      if (refused > 0) log.warn({ refused }, 'too many requests: some were refused with 503')
      refused = 0
    },
  }
}
