/** Who is signed in, the client that calls the service with their key, and whether the service can be reached. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { TooManyRequestsError, UnauthorizedError } from '../../../../client/src/errors.ts'
import { PetStore } from '../../../../client/src/petstore.ts'
import type { KeyScope, Me } from '../../../../client/src/types.ts'
import { dropKey, isRemembered, keepKey, key } from '../../../reference/docs/shared-key.ts'
import { codeOf, wordsOf } from '../refusals.ts'

const baseUrl = new URL('v1', document.baseURI).href

const state = {
  isOnline: signal(true),
  pauseMs: signal(0),
  me: signal<Me | null>(null),
  refusal: signal(''),
  limitMs: signal(0),
  place: signal<string | undefined>(undefined),
  session: signal(0),
}
export const isOnline: ReadonlySignal<boolean> = state.isOnline
/** The milliseconds after which the page asks again because its key has made too many requests, or 0. */
export const pauseMs: ReadonlySignal<number> = state.pauseMs
/** The name and the scopes of the key. */
export const me: ReadonlySignal<Me | null> = state.me
/** The reason why a key is asked for again. */
export const refusal: ReadonlySignal<string> = state.refusal

export const can = (...scopes: readonly KeyScope[]): boolean =>
  scopes.every((scope) => me.value?.scopes.includes(scope) ?? false)

/** This many requests are enough to show the page again. */
const requestsPerView = 8

/**
 * Returns how long to wait until enough requests are allowed to show the whole page. The service says when the next
 * request is allowed.
 */
function pauseOf(headers: Headers): number {
  const [, requests = 1, seconds = 1] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  const each = Number(seconds) / Number(requests)
  return 1_000 * (Number(headers.get('retry-after')) + Math.min(Number(seconds), requestsPerView * each))
}

const endedCode = 'session_ended'

/** Whether the error says that the person who began this has signed out since. Nobody is told about that. */
export const isEnded = (error: unknown): boolean => codeOf(error) === endedCode

/**
 * Makes a client that tells the page whether the service can be reached, and whether it still accepts the key. Its calls
 * fail once its person has signed out, so that late answers change nothing on the page of the next person.
 */
function clientOf(apiKey: string, session: number): PetStore {
  const ifSignedIn = () => {
    if (session !== state.session.peek()) throw new UnauthorizedError('', { status: 401, code: endedCode })
  }
  return new PetStore({
    baseUrl,
    apiKey,
    onRequest: ifSignedIn,
    onResponse: ifSignedIn,
    timeoutMs: 15_000,
    // For a longer wait, a person is told to wait instead of being left waiting.
    maxRetryAfterMs: 2_000,
    fetch: async (url, init) => {
      try {
        const response = await fetch(url, init)
        setOnline(true)
        // The answer says nothing about a key that was replaced meanwhile.
        if (response.status === 401 && apiKey === key.value) dropKey()
        if (response.status === 429) state.limitMs.value = pauseOf(response.headers)
        return response
      } catch (error) {
        // This leaves out requests that the page itself has ended, and a stream that a proxy holds back.
        if ((error as Error).name !== 'AbortError' && !url.includes('/events/stream')) setOnline(false)
        throw error
      }
    },
  })
}

const client = computed(() => (key.value === null ? undefined : clientOf(key.value, state.session.value)))

/** Returns the client for the key that is signed in. */
export function petstore(): PetStore {
  if (client.value) return client.value
  throw new UnauthorizedError('Nobody is signed in.', { status: 401, code: 'missing_api_key' })
}

/** Ends what the present person has begun. */
export function endCalls(): void {
  state.session.value++
}

export function setOnline(isThere: boolean): void {
  state.isOnline.value = isThere
}

/** Whether the error says that the key has made too many requests. Then the page asks again by itself. */
export function noteLimit(error: unknown): boolean {
  const isLimited = error instanceof TooManyRequestsError
  if (isLimited) state.pauseMs.value = state.limitMs.value
  return isLimited
}
export function endPause(): void {
  state.pauseMs.value = 0
}

/**
 * Returns the position of the events since the key was signed in. It is known before anything is read that these events
 * change.
 */
export function takePlace(): string | undefined {
  const place = state.place.peek()
  state.place.value = undefined
  return place
}

export async function signIn(text: string, isForDevice = isRemembered.value): Promise<void> {
  const before = key.value
  state.refusal.value = ''
  try {
    const api = clientOf(text, state.session.peek())
    const found = await api.me()
    const mayFollow = found.scopes.includes('events:read')
    const page = mayFollow
      ? await api.events
          .list({ limit: 1, from: 'now' }, { maxRetries: 0 })
          .page()
          .catch(() => null)
      : null
    // Meanwhile, somebody has signed in or out in another tab.
    if (key.value !== before) return
    batch(() => {
      state.me.value = found
      state.place.value = page?.next
      keepKey(text, isForDevice)
    })
  } catch (error) {
    // The client refuses a key with characters that a header cannot contain.
    const isRefused = error instanceof UnauthorizedError || error instanceof TypeError
    noteLimit(error)
    state.refusal.value = isRefused ? 'This key is not valid: it may be mistyped, expired or revoked.' : wordsOf(error)
  }
}

/** The service does not accept the key any more, so the page asks for another one. */
export function endSession(): void {
  batch(() => {
    state.refusal.value =
      'This key is no longer valid. Enter your new one; what you typed is kept for a key of the same name.'
    state.me.value = null
  })
}

export function forgetSession(): void {
  batch(() => {
    state.refusal.value = ''
    state.me.value = null
  })
}
