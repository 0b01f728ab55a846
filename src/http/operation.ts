/**
 * The declaration of an operation, from which routing, checks, responses, the OpenAPI document and the docs are
 * derived.
 */
import type { ErrorCode } from '../errors.ts'
import type { Key, Rate, Scope } from '../model/key.ts'
import type { SalesCounts } from '../observe/metrics.ts'
import { type BodyCheck, createBodyCheck } from '../schema/schema.ts'
import type { ObjectSchema, Schema, Static } from '../schema/type.ts'
import type { IdempotencyClaim, Store } from '../store/store.ts'
import type { Time } from '../time.ts'
import { type Deprecation, startOfDay } from './deprecation.ts'
import type { Reply } from './message.ts'
import type { Paging } from './paging.ts'
import type { Parameters, Values } from './parameters.ts'
import type { HeaderName } from './response-headers.ts'

/** What the handler of operations needs itself. */
export interface NeededServices {
  readonly time: Time
  /** The base URL clients use, ending in `/v1`. */
  readonly publicUrl: string
}

/** What every operation of the service may use. A folder whose operations need more extends it. */
export interface Services extends NeededServices {
  readonly store: Store
  readonly paging: Paging
  readonly sales: SalesCounts
  /** How long an order without a `heldUntil` is held. Undefined if it does not expire. */
  readonly holdMilliseconds: number | undefined
  readonly rateOf: (key: Key) => Rate | undefined
}

interface Input<P extends Parameters, Q extends Parameters, B extends Schema> {
  /** The path as declared, relative to the base URL. */
  readonly path: string
  readonly params: { readonly [K in keyof P]: NonNullable<Values<P>[K]> }
  readonly query: Values<Q>
  readonly body: Static<B>
  readonly claim: IdempotencyClaim | undefined
  /** The If-Match header, if the operation accepts it. */
  readonly ifMatch: string | undefined
  /** The Last-Event-ID header, if the operation accepts it. */
  readonly lastEventId: string | undefined
  readonly key: Key
}

interface Declaration<P extends Parameters, Q extends Parameters, B extends Schema, S> {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base URL, with `{name}` for each of `params`. */
  readonly path: `/${string}`
  readonly tag: 'animals' | 'store' | 'events' | 'keys' | 'testing'
  /** Absent if a key with any scope is accepted. */
  readonly scope?: Scope
  /** Absent if the operation is stable. */
  readonly stability?: 'beta' | 'experimental'
  readonly summary: string
  readonly description: string
  readonly params?: P
  readonly query?: Q
  readonly body?: {
    readonly schema: B
    /** Whether a request without a body means the same as one with the body `{}`. */
    readonly isOptional?: boolean
    /** Media types accepted besides `application/json`. */
    readonly mediaTypes?: readonly string[]
    readonly examples: Record<string, unknown>
  }
  /** Whether a POST can be repeated without an Idempotency-Key and without a further effect. */
  readonly isRepeatable?: boolean
  readonly acceptsIdempotencyKey?: boolean
  readonly acceptsIfMatch?: boolean
  readonly acceptsLastEventId?: boolean
  /** Why documentation pages must not offer to call the operation. Absent if they may. */
  readonly hideTryItPanel?: string
  /** The optional query parameters that code samples send. */
  readonly sampleQuery?: readonly (keyof Q & string)[]
  readonly answer: {
    readonly status: number
    readonly description: string
    /** The description of 201 with the same body, if the operation can return that, too. */
    readonly created?: string
    /** Absent if the response has no body. */
    readonly schema?: Schema
    readonly example?: unknown
    /** Examples by name, instead of `example`. */
    readonly examples?: Record<string, unknown>
    /** The media type, if it is not JSON. */
    readonly type?: string
    /** Headers beyond those that follow from the rest of the declaration. */
    readonly headers?: readonly HeaderName[]
  }
  /** Error codes beyond those that follow from the rest of the declaration. */
  readonly refusals?: readonly ErrorCode[]
  readonly deprecated?: Deprecation
  readonly run: (input: Input<P, Q, B>, services: S) => Reply | Promise<Reply>
}

/**
 * A declaration as the handler uses it. `S` is the type of the services that the operation needs. Code that only reads
 * declarations omits it.
 */
// biome-ignore lint/suspicious/noExplicitAny: each operation gets the input that its own declaration describes.
export interface Operation<S = never> extends Declaration<any, any, any, S> {
  /**
   * The time of removal in milliseconds since 1970, from which the response is 410. Infinity unless the operation is
   * deprecated.
   */
  readonly removedAt: number
  /** Checks the request body; undefined if the operation has none. */
  readonly bodyCheck: BodyCheck<unknown> | undefined
}

export function operation<
  P extends Parameters = {},
  Q extends Parameters = {},
  B extends Schema = ObjectSchema,
  S extends NeededServices = Services,
>(declaration: Declaration<P, Q, B, S>): Operation<S> {
  const { body, deprecated } = declaration
  return {
    ...declaration,
    removedAt: deprecated ? startOfDay(deprecated.sunset) : Number.POSITIVE_INFINITY,
    bodyCheck: body && createBodyCheck(body.schema),
  }
}
