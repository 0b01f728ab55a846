/** Decides whether the service accepts another request, so that those it has accepted are answered in time. */
import { AppError } from '../errors.ts'
import type { Log } from '../observe/log.ts'

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
  enter(): void
  leave(): void
  /** A request that has left while its body arrived goes on, however many others have entered. */
  rejoin(): void
  /** Room for the body of a request with this key. */
  roomOf(keyId: number): BodyRoom
  /** Called once a second: logs how many requests were refused since the last call, if any were. */
  logRefused(log: Log): void
}

/**
 * The room that a body takes in memory. Clients that send slowly must not keep others out: a key gets no more than its
 * share, and one body at a time even where all room is taken.
 */
export interface BodyRoom {
  /** Makes room for the bytes that have arrived, or throws `overload`. Those that are only announced take none. */
  hold(length: number): void
  release(): void
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

  function roomOf(keyId: number): BodyRoom {
    let held = 0
    function take(ofKey: number, more: number): void {
      bodyBytes += more
      held += more
      if (ofKey + more > 0) bodyBytesOf.set(keyId, ofKey + more)
      else bodyBytesOf.delete(keyId)
    }
    return {
      hold(length) {
        if (length <= smallBodyBytes) return
        const more = length - held
        const ofKey = bodyBytesOf.get(keyId) ?? 0
        const isOnlyOne = ofKey === held
        if (ofKey + more > bodyBytesOfKeyMax || (bodyBytes + more > bodyBytesMax && !isOnlyOne)) refuse()
        take(ofKey, more)
      },
      release() {
        if (held > 0) take(bodyBytesOf.get(keyId) ?? 0, -held)
      },
    }
  }

  return {
    enter() {
      if (underWay >= requestsMax) refuse()
      underWay++
    },
    leave() {
      underWay--
    },
    rejoin() {
      underWay++
    },
    roomOf,
    logRefused(log) {
      if (refused > 0) log.warn({ refused }, 'too many requests: some were refused with 503')
      refused = 0
    },
  }
}
