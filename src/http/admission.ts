/** Decides whether the service takes on another request, so that what it has taken on is answered in time. */

/** How late the event loop may be before fewer requests are taken on at a time. */
export const lateMillisecondsMax = 250
/**
 * Fewer are taken on only where a request costs more than this on average, ten times what refusing it does: with cheap
 * requests the event loop is late because of their number, and refusing them takes as long.
 */
export const costlyMilliseconds = 0.5
/** Never fewer than this: a pause of the process, such as a slow disk, must not turn ordinary traffic away. */
export const requestsMin = 250
/** What the bodies of requests may take together: 256 of the largest. */
export const bodyBytesMax = 16 * 1024 * 1024
/** A body up to this size takes no more memory than its connection, and is never refused for its size. */
export const smallBodyBytes = 4 * 1024

export interface Admission {
  /** Whether another request may begin. If so, it is under way until `leave`. */
  enter(): boolean
  leave(): void
  /** Counts a request again that has left while its body arrived: clients that send slowly must not keep others out. */
  resume(): void
  /** Whether a body of this size may be read. If so, its bytes count until `release`. */
  reserve(bytes: number): boolean
  release(bytes: number): void
  /** Takes note of how late the event loop is. */
  observe(lateMilliseconds: number): void
  /** The number of requests refused since the last call. */
  takeRefused(): number
}

/**
 * At most `requestsMax` requests are under way at a time, fewer while the event loop is late because they are costly: the
 * number is lowered in proportion, by at most half at a time, and raised again step by step. Up to it, requests queue.
 */
export function createAdmission(requestsMax: number): Admission {
  const least = Math.min(requestsMin, requestsMax)
  const step = Math.ceil(requestsMax / 20)
  let most = requestsMax
  let underWay = 0
  /** Begun or refused since the event loop was last measured. */
  let handled = 0
  let bodyBytes = 0
  let refused = 0

  return {
    enter() {
      handled++
      if (underWay >= most) {
        refused++
        return false
      }
      underWay++
      return true
    },
    leave() {
      underWay--
    },
    resume() {
      underWay++
    },
    reserve(bytes) {
      if (bytes <= smallBodyBytes) return true
      if (bodyBytes + bytes > bodyBytesMax) {
        refused++
        return false
      }
      bodyBytes += bytes
      return true
    },
    release(bytes) {
      if (bytes > smallBodyBytes) bodyBytes -= bytes
    },
    observe(lateMilliseconds) {
      if (lateMilliseconds <= lateMillisecondsMax) most = Math.min(requestsMax, most + step)
      else if (lateMilliseconds > handled * costlyMilliseconds)
        most = Math.max(least, Math.floor(most * Math.max(0.5, lateMillisecondsMax / lateMilliseconds)))
      handled = 0
    },
    takeRefused() {
      const count = refused
      refused = 0
      return count
    },
  }
}
