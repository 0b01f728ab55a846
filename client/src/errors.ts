/** The errors of a call: one class for each thing that a caller handles differently. */
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

/** A class whose name is written out: bundlers shorten the names of classes, and by it TypeScript tells them apart. */
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

/** No complete response arrived; the service may or may not have handled the request. */
export class ConnectionError extends named('ConnectionError') {}
/** No response arrived in time; the service may or may not have handled the request. */
export class TimeoutError extends named('TimeoutError') {}
/** A response that did not come from the service, for example from a gateway, or is not what was asked for. */
export class UnexpectedAnswerError extends named('UnexpectedAnswerError') {}
/** A request to a webhook that the service has not signed with this secret in the last minutes. */
export class InvalidWebhookError extends named('InvalidWebhookError') {}

/** The request itself is wrong: its `message` says what, and to repeat it does not help. */
export class BadRequestError extends named('BadRequestError', 400, 405, 413, 414, 415, 422, 431) {}
export class UnauthorizedError extends named('UnauthorizedError', 401) {}
export class ForbiddenError extends named('ForbiddenError', 403) {}
export class NotFoundError extends named('NotFoundError', 404) {}
export class ConflictError extends named('ConflictError', 409) {}
export class GoneError extends named('GoneError', 410) {}
export class PreconditionFailedError extends named('PreconditionFailedError', 412) {}
export class TooManyRequestsError extends named('TooManyRequestsError', 429) {}
/** The service could not handle it now: later it may. */
export class UnavailableError extends named('UnavailableError', 408, 500, 503) {}
