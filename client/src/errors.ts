/** The errors of a call, with one class for each case that a caller handles differently. */
import type { Codes, ErrorCode } from './types.ts'

/** The base class; `requestId` identifies the request in the log of the service. */
export abstract class PetStoreError extends Error {
  declare readonly status: number | undefined
  declare readonly code: ErrorCode | undefined
  declare readonly requestId: string | undefined
  /** How long the service asked to wait before a retry. */
  declare readonly retryAfterMs: number | undefined

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details)
    Object.assign(this, details)
  }
}

type ErrorDetails = Partial<Omit<PetStoreError, 'name' | 'message' | 'stack'>>

/** An error response of the service. Later services may send a `code` that is not in the list of this version. */
export class RefusedError<Status extends number = number> extends PetStoreError {
  declare readonly status: Status
  declare readonly code: ErrorCode<Status extends keyof Codes ? Status : keyof Codes>
}

RefusedError.prototype.name = 'RefusedError'

type Named<T, Name, Statuses = readonly []> = {
  new (message: string, details?: ErrorDetails): T & { readonly name: Name }
  readonly statuses: Statuses
}

/**
 * A class whose name is a string, because bundlers shorten the names of classes. TypeScript uses the name to distinguish
 * the classes.
 */
function named<Name extends string>(name: Name): Named<PetStoreError, Name>
function named<Name extends string, const S extends number>(
  name: Name,
  ...statuses: readonly S[]
): Named<RefusedError<S>, Name, readonly S[]>
function named(name: string, ...statuses: readonly number[]): Named<PetStoreError, string, readonly number[]> {
  const Base = class extends (statuses.length === 0 ? PetStoreError : RefusedError) {
    static readonly statuses = statuses
  }
  Object.assign(Base.prototype, { name })
  return Base
}

/** No complete response arrived. The service may or may not have handled the request. */
export class ConnectionError extends named('ConnectionError') {}
/** No response arrived in time. The service may or may not have handled the request. */
export class TimeoutError extends named('TimeoutError') {}
/** The response did not come from the service but from a gateway, for example, or is not what was requested. */
export class UnexpectedAnswerError extends named('UnexpectedAnswerError') {}
/** The service has not signed this request to a webhook with this secret within the last 5 minutes. */
export class InvalidWebhookError extends named('InvalidWebhookError') {}

/** The request is wrong, and `message` says why. Repeating it does not help. */
export class BadRequestError extends named('BadRequestError', 400, 405, 413, 414, 415, 422, 431) {}
export class UnauthorizedError extends named('UnauthorizedError', 401) {}
export class ForbiddenError extends named('ForbiddenError', 403) {}
export class NotFoundError extends named('NotFoundError', 404) {}
export class ConflictError extends named('ConflictError', 409) {}
export class GoneError extends named('GoneError', 410) {}
export class PreconditionFailedError extends named('PreconditionFailedError', 412) {}
export class TooManyRequestsError extends named('TooManyRequestsError', 429) {}
/** The service could not handle the request now, but may handle it later. */
export class UnavailableError extends named('UnavailableError', 408, 500, 503) {}
