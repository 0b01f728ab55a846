/** The errors of a call: one class per HTTP status of the service, and four for everything else. */
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

type Named<T, Name> = new (message: string, details?: ErrorDetails) => T & { readonly name: Name }

/** A class whose name is written out: bundlers shorten the names of classes, and by it TypeScript tells them apart. */
function named<Name extends string>(name: Name): Named<PetStoreError, Name>
function named<Name extends string, S extends number>(name: Name, status: S): Named<RefusedError<S>, Name>
function named(name: string, status?: number): Named<PetStoreError, string> {
  const Base = class extends (status === undefined ? PetStoreError : RefusedError) {}
  Object.assign(Base.prototype, { name, status })
  return Base
}

/** No complete response arrived; the service may or may not have handled the request. */
export class ConnectionError extends named('ConnectionError') {}
/** No response arrived within `timeoutMs`; the service may or may not have handled the request. */
export class TimeoutError extends named('TimeoutError') {}
/** A response that did not come from the service, for example from a gateway. */
export class UnexpectedAnswerError extends named('UnexpectedAnswerError') {}
/** A request to a webhook that the service has not signed with this secret in the last minutes. */
export class InvalidWebhookError extends named('InvalidWebhookError') {}

export class BadRequestError extends named('BadRequestError', 400) {}
export class UnauthorizedError extends named('UnauthorizedError', 401) {}
export class ForbiddenError extends named('ForbiddenError', 403) {}
export class NotFoundError extends named('NotFoundError', 404) {}
export class MethodNotAllowedError extends named('MethodNotAllowedError', 405) {}
export class RequestTimeoutError extends named('RequestTimeoutError', 408) {}
export class ConflictError extends named('ConflictError', 409) {}
export class GoneError extends named('GoneError', 410) {}
export class PreconditionFailedError extends named('PreconditionFailedError', 412) {}
export class ContentTooLargeError extends named('ContentTooLargeError', 413) {}
export class UriTooLongError extends named('UriTooLongError', 414) {}
export class UnsupportedMediaTypeError extends named('UnsupportedMediaTypeError', 415) {}
export class UnprocessableError extends named('UnprocessableError', 422) {}
export class TooManyRequestsError extends named('TooManyRequestsError', 429) {}
export class HeadersTooLargeError extends named('HeadersTooLargeError', 431) {}
export class InternalError extends named('InternalError', 500) {}
export class UnavailableError extends named('UnavailableError', 503) {}
