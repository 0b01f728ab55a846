/** The public API of the package. */
export type { Answer, ResponseDetails } from './answer.ts'
export type { Call, Responded } from './call.ts'
export * from './errors.ts'
export { type EventFilter, type EventListFilter, type FollowOptions, positionOf } from './events.ts'
export { parseJson as parse, stringifyJson as stringify } from './json.ts'
export type { List, Page, PageOptions } from './list.ts'
export type { CallOptions, PetStoreOptions, RequestDetails, RequestOptions } from './options.ts'
export {
  type ChangeOptions,
  type IdOrder,
  type OrderFilter,
  type PetFilter,
  PetStore,
  type PostOptions,
} from './petstore.ts'
export { signWebhook, verifyWebhook } from './signature.ts'
export type * from './types.ts'
