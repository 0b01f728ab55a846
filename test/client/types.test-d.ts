/** The types of the client must equal those of the schemas of the service. If they differ, `tsc` fails here. */
import type * as client from '../../client/src/index.ts'
import { ConnectionError } from '../../client/src/index.ts'
import type { ErrorCode, errors } from '../../src/errors.ts'
import type { Event, EventType, TestEvent } from '../../src/model/event.ts'
import type { Me, Scope } from '../../src/model/key.ts'
import type { NewOrder, Order, OrderPatch, OrderStatus } from '../../src/model/order.ts'
import type * as pet from '../../src/model/pet.ts'
import type * as webhook from '../../src/model/webhook.ts'
import type { Static } from '../../src/schema/type.ts'

/** True only for the same type, including which members are optional or readonly. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Joins the members of an intersection or of an `extends` into one type. */
type Flat<T> = { [K in keyof T]: T[K] }
type Same<A, B> = Equal<Flat<A>, Flat<B>>

type ServiceStatus = (typeof errors)[ErrorCode][0]
type ServiceCodes = {
  [S in ServiceStatus]: { [C in ErrorCode]: (typeof errors)[C][0] extends S ? C : never }[ErrorCode]
}

type WithStatuses<T> = { [K in keyof T]: T[K] extends pet.Pet ? Required<T[K]> : T[K] }

const isTrue = <_Claim extends true>(): void => {}

isTrue<Equal<client.PetStatus, pet.PetStatus>>()
// The status is always in responses, although the interface makes it optional.
isTrue<Same<client.Pet, Required<pet.Pet>>>()
isTrue<Same<client.NewPet, pet.NewPet>>()
isTrue<Same<client.PetPatch, pet.PetPatch>>()
isTrue<Equal<client.OrderStatus, OrderStatus>>()
isTrue<Same<client.Order, Static<typeof Order>>>()
isTrue<Same<client.NewOrder, Static<typeof NewOrder>>>()
isTrue<Same<client.OrderPatch, Static<typeof OrderPatch>>>()
isTrue<Same<client.Category, Static<typeof pet.Category>>>()
isTrue<Same<client.NewCategory, pet.NewCategory>>()
isTrue<Same<client.Inventory, pet.Inventory>>()
isTrue<Same<client.CategoryInventory, Static<typeof pet.CategoryInventory>>>()
isTrue<Same<client.DaySales, pet.DaySales>>()
isTrue<Equal<client.EventType, EventType>>()
isTrue<Same<client.Event, WithStatuses<Event>>>()
isTrue<Same<client.TestEvent, Static<typeof TestEvent>>>()
isTrue<Same<client.NewWebhook, Static<typeof webhook.NewWebhook>>>()
isTrue<Same<client.WebhookPatch, webhook.WebhookPatch>>()
isTrue<Same<client.Webhook, Static<typeof webhook.Webhook>>>()
isTrue<Same<client.WebhookWithSecret, Static<typeof webhook.WebhookWithSecret>>>()
isTrue<Same<client.WebhookTest, Static<typeof webhook.WebhookTest>>>()
isTrue<Same<client.Delivery, Static<typeof webhook.Delivery>>>()
isTrue<Equal<client.KeyScope, Scope>>()
isTrue<Same<client.Me, Static<typeof Me>>>()
isTrue<Same<client.Codes, ServiceCodes>>()
// Later services may add codes, so a program that was compiled before must not exclude them.
type Open<Code> = Code | (string & {})
isTrue<Equal<client.ErrorCode, Open<ErrorCode>>>()
isTrue<Equal<client.NotFoundError['code'], Open<ServiceCodes[404]>>>()
isTrue<Equal<client.RefusedError['code'], Open<ErrorCode>>>()
isTrue<Equal<client.PetStoreError['code'], Open<ErrorCode> | undefined>>()
// Classes are distinct: an error that is not a ConnectionError may still be a TimeoutError.
const rest = (error: client.PetStoreError) => (error instanceof ConnectionError ? undefined : error)
isTrue<Equal<ReturnType<typeof rest>, client.PetStoreError | undefined>>()
isTrue<Equal<client.TimeoutError['name'], 'TimeoutError'>>()

// The comparison itself must distinguish different types.
isTrue<Equal<Same<{ a: bigint }, { a?: bigint }>, false>>()
isTrue<Equal<Same<{ a: bigint }, { a: bigint | number }>, false>>()
isTrue<Equal<Same<{ a: bigint }, { readonly a: bigint }>, false>>()
isTrue<Equal<Same<{ a: bigint }, { a: bigint; b: string }>, false>>()
