/** What the errors of the service mean for a person, and what to do about them. */
import {
  ConnectionError,
  PetStoreError,
  PreconditionFailedError,
  RefusedError,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../../client/src/errors.ts'

/** The command with which the operator creates a key for all work of the staff. */
export const staffKeyCommand = 'petstore keys create --name NAME --for staff'

const gone = 'This animal is not in the store; somebody may have removed it. Look for it again.'
const later = 'The service cannot do that just now. Try again in a moment.'

/** The error codes of the service in words for staff. */
const words = new Map<string | undefined, string>([
  ['precondition_failed', 'It changed meanwhile, and stays as it is now. Look at it before you change it again.'],
  [
    'pet_not_available',
    'Somebody else was faster: this animal is not available now. Choose another one, or wait whether its order is ' +
      'cancelled.',
  ],
  [
    'order_state_conflict',
    'An order on this animal does not allow that. Open the animal: its orders show what can be done.',
  ],
  ['pet_not_found', gone],
  ['unknown_pet', gone],
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

/** Returns what is wrong with the fields of a form, by their names, or undefined if the error is of another kind. */
export function faultsOf(error: unknown): ReadonlyMap<string, string> | undefined {
  const { code = '', message } = error as PetStoreError
  if (!/_field$/.test(code)) return undefined
  const found = [...ofFields].filter(([name]) => message.includes(`${name}: `))
  return found.length > 0 ? new Map(found) : undefined
}

export const isOffline = (error: unknown): boolean => error instanceof ConnectionError || error instanceof TimeoutError

/**
 * Makes the error that the service would return, for cases in which the page itself noticed that somebody else was
 * faster.
 */
export const changedMeanwhile = (): PreconditionFailedError =>
  new PreconditionFailedError('It changed meanwhile.', { status: 412, code: 'precondition_failed' })

export const codeOf = (error: unknown): string | undefined => (error instanceof PetStoreError ? error.code : undefined)

/** Says which scope the key lacks, and who can create a key that has it. */
export const lackOf = (scope: string): string =>
  `This key lacks the scope ${scope}. Whoever runs this store makes a key for staff with: ${staffKeyCommand}`

/** Says why something failed. What a person wanted to do does not come by itself, but what the page reads does. */
export function wordsOf(error: unknown, isDeed = false): string {
  if (error instanceof TooManyRequestsError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1_000)
    const text = `This key has made too many requests. Try again in ${seconds} s.`
    return isDeed ? text : `${text} What is missing on the page comes by itself.`
  }
  if (isOffline(error)) return 'The service cannot be reached. The page tries again by itself.'
  if ([UnexpectedAnswerError, UnavailableError].some((kind) => error instanceof kind)) return later
  const { message } = error as Error
  if (codeOf(error) === 'insufficient_scope') {
    const [scope = 'for that'] = /[a-z]+:[a-z]+/.exec(message) ?? []
    return lackOf(scope)
  }
  return (
    words.get(codeOf(error)) ??
    `The service did not take that. If it stays so, tell whoever runs this store: “${message}”`
  )
}

/** Whether the service has decided. Otherwise the request may have been carried out, or may be sent again. */
export const isFinal = (error: unknown): boolean =>
  error instanceof RefusedError &&
  error.status < 500 &&
  error.status !== 408 &&
  error.status !== 429 &&
  error.code !== 'idempotency_in_progress'
