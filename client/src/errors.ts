/** The errors of a call: one class per HTTP status of the service, and four for everything else. */
import type { Codes, ErrorCode } from './types.ts'

/** The base class; `requestId` identifies the request in the log of the service. */
export abstract class PetStoreError extends Error {
  readonly status: number | undefined
  readonly code: ErrorCode | undefined
  readonly requestId: string | undefined
  /** How long the service asked to wait before a retry. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.name = new.target.name
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
  }
}

export type ErrorDetails = Partial<Omit<PetStoreError, 'name' | 'message' | 'stack'>>

/** No complete response arrived; the service may or may not have handled the request. */
export class ConnectionError extends PetStoreError {}
/** No response arrived within `timeoutMs`; the service may or may not have handled the request. */
export class TimeoutError extends PetStoreError {}
/** A response that did not come from the service, for example from a gateway. */
export class UnexpectedAnswerError extends PetStoreError {}
/** A request to a webhook that the service has not signed with this secret in the last minutes. */
export class InvalidWebhookError extends PetStoreError {}

/** An error response of the service; `code` is from its closed list. */
export abstract class RefusedError<Status extends number = number> extends PetStoreError {
  declare readonly status: Status
  declare readonly code: Status extends keyof Codes ? Codes[Status] : ErrorCode
}
export class BadRequestError extends RefusedError<400> {}
export class UnauthorizedError extends RefusedError<401> {}
export class ForbiddenError extends RefusedError<403> {}
export class NotFoundError extends RefusedError<404> {}
export class MethodNotAllowedError extends RefusedError<405> {}
export class RequestTimeoutError extends RefusedError<408> {}
export class ConflictError extends RefusedError<409> {}
export class GoneError extends RefusedError<410> {}
export class PreconditionFailedError extends RefusedError<412> {}
export class ContentTooLargeError extends RefusedError<413> {}
export class UriTooLongError extends RefusedError<414> {}
export class UnsupportedMediaTypeError extends RefusedError<415> {}
export class UnprocessableError extends RefusedError<422> {}
export class TooManyRequestsError extends RefusedError<429> {}
export class HeadersTooLargeError extends RefusedError<431> {}
export class InternalError extends RefusedError<500> {}
export class UnavailableError extends RefusedError<503> {}

const classes: Record<number, new (message: string, details: ErrorDetails) => PetStoreError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  408: RequestTimeoutError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionFailedError,
  413: ContentTooLargeError,
  414: UriTooLongError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableError,
  429: TooManyRequestsError,
  431: HeadersTooLargeError,
  500: InternalError,
  503: UnavailableError,
}

/** The error for a response; `body` is the parsed JSON body, if there was one. */
export function errorOf(status: number, body: unknown, details: ErrorDetails): PetStoreError {
  const { code, message } = (body ?? {}) as { code?: ErrorCode; message?: unknown }
  const Refused = classes[status]
  if (Refused && typeof code === 'string' && typeof message === 'string')
    return new Refused(message, { ...details, code })
  return new UnexpectedAnswerError(`The response, with status ${status}, did not come from the service.`, details)
}
