/** Who is signed in, the client that calls the service for them, and what its errors mean to a person. */
import { batch, computed, signal } from '@preact/signals'
import {
  ConnectionError,
  InternalError,
  PetStoreError,
  RefusedError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../../client/src/errors.ts'
import { PetStore } from '../../../client/src/petstore.ts'
import type { KeyScope, Me } from '../../../client/src/types.ts'
import { dropKey, isRemembered, keepKey, key, ofTab } from '../../reference/docs/shared-key.ts'

const baseUrl = new URL('v1', document.baseURI).href

export const recall = (name: string): string | null => ofTab?.getItem(name) ?? null
export function keep(name: string, text: string | null): void {
  if (text === null) ofTab?.removeItem(name)
  else ofTab?.setItem(name, text)
}

export const isOnline = signal(true)
/**
 * In how many milliseconds the page asks again for what it did not get, as its key has made too many requests; 0 if it
 * has not.
 */
export const pause = signal(0)
/** The key that is signed in: its name and scopes. */
export const me = signal<Me | null>(null)
/** Why a key is asked for again. */
export const refusal = signal('')

export const can = (scope: KeyScope): boolean => me.value?.scopes.includes(scope) ?? false

/** As many requests as show the page anew. */
const requestsPerView = 8
const limit = { pause: 0 }

/** Until so many are allowed that the page can be shown whole; the service tells when the next one is. */
function pauseOf(headers: Headers): number {
  const [, requests = 1, seconds = 1] = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  const each = Number(seconds) / Number(requests)
  return 1_000 * (Number(headers.get('retry-after')) + Math.min(Number(seconds), requestsPerView * each))
}

/** A client that tells the page whether the service can be reached, and whether it still takes the key. */
const clientOf = (apiKey: string): PetStore =>
  new PetStore({
    baseUrl,
    apiKey,
    timeoutMs: 15_000,
    // Longer than that, a person is told to wait rather than left waiting.
    maxRetryAfterMs: 2_000,
    fetch: async (url, init) => {
      try {
        const response = await fetch(url, init)
        isOnline.value = true
        // Of a key that was replaced while the answer was under way, it says nothing.
        if (response.status === 401 && apiKey === key.value) dropKey()
        if (response.status === 429) limit.pause = pauseOf(response.headers)
        return response
      } catch (error) {
        // Not what the page itself has ended, and not a stream that something on the way holds back.
        if ((error as Error).name !== 'AbortError' && !url.includes('/events/stream')) isOnline.value = false
        throw error
      }
    },
  })

const client = computed(() => (key.value === null ? undefined : clientOf(key.value)))

/** The service, for the key that is signed in. */
export function petstore(): PetStore {
  if (client.value) return client.value
  throw new UnauthorizedError('Nobody is signed in.', { status: 401, code: 'missing_api_key' })
}

export async function signIn(text: string, isForDevice = isRemembered.value): Promise<void> {
  const before = key.value
  refusal.value = ''
  try {
    const found = await clientOf(text).me()
    // Meanwhile somebody has signed in or out in another tab.
    if (key.value !== before) return
    batch(() => {
      me.value = found
      keepKey(text, isForDevice)
    })
  } catch (error) {
    // The client takes no key with characters that a header cannot have.
    const isRefused = error instanceof UnauthorizedError || error instanceof TypeError
    isWaiting(error)
    refusal.value = isRefused ? 'This key is not valid: it may be mistyped, expired or revoked.' : wordsOf(error)
  }
}

const gone = 'This animal is not in the store; somebody may have removed it. Look for it again.'
const later = 'The service cannot do that just now. Try again in a moment.'

/** What the service tells programs, in words for staff, and what to do. */
const words = new Map<string | undefined, string>([
  ['precondition_failed', 'It changed meanwhile, and stays as it is now. Look at it before you change it again.'],
  [
    'pet_not_available',
    'Somebody else was faster: this animal is not available now. Choose ' +
      'another one, or wait whether its order is cancelled.',
  ],
  [
    'order_state_conflict',
    'An order on this animal does not allow that. Open the animal: its orders show what can be done.',
  ],
  ['pet_not_found', gone],
  ['unknown_pet', gone],
  ['insufficient_scope', 'This key does not allow that. Ask whoever runs this store for one that does.'],
  ['content_too_large', 'That is too long. Shorten it.'],
  ['idempotency_in_progress', later],
])

const ofFields = new Map([
  ['name', 'Type a name: up to 1,024 characters, not only blanks, and none that cannot be seen.'],
  ['categoryId', 'There is no such category: its number is too large. Choose another one.'],
  ['status', 'Choose one of the three.'],
  ['reference', 'Type up to 128 characters, not only blanks, and none that cannot be seen.'],
  ['heldUntil', 'Choose a time from now on, within a year.'],
])

/** What is wrong with the fields of a form, by their names; undefined if it is nothing of the kind. */
export function faultsOf(error: unknown): ReadonlyMap<string, string> | undefined {
  const { code = '', message } = error as PetStoreError
  if (!/_field$/.test(code)) return undefined
  const found = [...ofFields].filter(([name]) => message.includes(`${name}: `))
  return found.length > 0 ? new Map(found) : undefined
}

export const isOffline = (error: unknown): boolean => error instanceof ConnectionError || error instanceof TimeoutError

/** Whether it is that the key has made too many requests: then the page asks again by itself. */
export function isWaiting(error: unknown): boolean {
  const isLimited = error instanceof TooManyRequestsError
  if (isLimited) pause.value = limit.pause
  return isLimited
}

export const codeOf = (error: unknown): string | undefined => (error instanceof PetStoreError ? error.code : undefined)

export function wordsOf(error: unknown): string {
  if (error instanceof TooManyRequestsError)
    return (
      'This key has made too many requests. Try again in ' +
      `${Math.ceil((error.retryAfterMs ?? 0) / 1_000)} s. What is missing on the page comes by itself.`
    )
  if (isOffline(error)) return 'The service cannot be reached. The page tries again by itself.'
  if ([UnexpectedAnswerError, UnavailableError, InternalError].some((kind) => error instanceof kind)) return later
  const { message } = error as Error
  return (
    words.get(codeOf(error)) ??
    `The service did not take that. If it stays so, tell whoever runs this store: “${message}”`
  )
}

/** Whether the service has decided; otherwise the request may have been carried out, or may be sent again. */
export const isFinal = (error: unknown): boolean =>
  error instanceof RefusedError &&
  error.status < 500 &&
  error.status !== 408 &&
  error.status !== 429 &&
  error.code !== 'idempotency_in_progress'
