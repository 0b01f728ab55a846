/**
 * What a person can do with orders: reserve, sell, hand over, cancel, take back, and change the customer or the end.
 */
import { randomKey } from '../../../../client/src/transport.ts'
import type { NewOrder, Order, OrderPatch } from '../../../../client/src/types.ts'
import { changedMeanwhile, codeOf } from '../refusals.ts'
import { address, close, go } from '../state/address.ts'
import { isSame, type ShownPet } from '../state/animals.ts'
import { foldOrderDraft, type OrderDraft, orderDraftOf, putOrderDraft } from '../state/drafts.ts'
import type { Message } from '../state/messages.ts'
import { openPet, putOrderOfOpened } from '../state/opened.ts'
import { joinOrders, putOrder } from '../state/orders.ts'
import { can, petstore } from '../state/session.ts'
import { timeText } from '../times.ts'
import { heldUntilOf, localTime, type Until } from '../until.ts'
import { type Said, say } from '../words.ts'
import { showPet } from './animal.ts'
import { change, undoing } from './change.ts'

export const referenceMax = 128
/** Returns by how many characters a reference is too long for the service. */
export const excessOf = (reference: string): number => Math.max(0, [...reference.trim()].length - referenceMax)

/** Shows an order, and its animal in the state in which the order leaves it. */
function showOrder(order: Order, pet: ShownPet): void {
  putOrder(order)
  putOrderOfOpened(order)
  const status = { placed: 'pending', completed: 'sold', cancelled: 'available', returned: 'available' } as const
  const now = { ...pet, status: order.status === 'expired' ? 'available' : status[order.status] } as const
  showPet(now)
  joinOrders([{ order, pet: now }])
}

const whose = ({ reference }: Pick<Order, 'reference'>, word: 'for' | 'to'): Said =>
  reference ? say` ${word} ${{ name: reference }}` : []
const untilText = ({ heldUntil }: Order): Said => (heldUntil ? [` until ${timeText(heldUntil)}`] : [])
const reservedText = (pet: ShownPet, order: Order): Said => [
  ...say`${pet} is reserved`,
  ...whose(order, 'for'),
  ...untilText(order),
  '.',
]

/**
 * The terms of an order in the form of the API. `isEndless` means that it must have no end, whatever HOLD_HOURS says.
 */
export interface Terms {
  readonly reference: string | undefined
  readonly heldUntil: string | undefined
  readonly isEndless: boolean
}

const termsOf = ({ reference, until }: OrderDraft): Terms => {
  const heldUntil = heldUntilOf(until, new Date())
  return {
    reference: reference.trim() || undefined,
    heldUntil: heldUntil ?? undefined,
    isEndless: heldUntil === null,
  }
}

/**
 * Places the order. The answer to a repeated attempt is that to the first one, so the order is read again then: if it
 * has ended since, or if the first attempt was for other terms, the attempt places another order.
 */
async function placeOnce(body: NewOrder, idempotencyKey: string, isRepeated: boolean): Promise<Order> {
  const placeAnother = () => petstore().orders.place(body, { idempotencyKey: randomKey() })
  try {
    const order = await petstore().orders.place(body, { idempotencyKey })
    if (!isRepeated || !can('orders:read')) return order
    const now = await petstore().orders.get(order.id)
    return now.status === 'placed' || now.status === 'completed' ? now : placeAnother()
  } catch (error) {
    if (isRepeated && codeOf(error) === 'idempotency_key_reused') return placeAnother()
    throw error
  }
}

export async function place(
  pet: Pick<ShownPet, 'id'>,
  terms: Terms,
  idempotencyKey: string,
  isRepeated = false,
): Promise<Order> {
  const { reference, heldUntil, isEndless } = terms
  const body: NewOrder = { petId: pet.id, ...(reference && { reference }), ...(heldUntil && { heldUntil }) }
  const order = await placeOnce(body, idempotencyKey, isRepeated)
  if (!isEndless || order.heldUntil === undefined || order.status !== 'placed') return order
  return petstore().orders.update(order.id, { heldUntil: null })
}

/**
 * Makes an Undo that ends an order, unless somebody else has changed the order since. The service has no If-Match for
 * this, so the order is read right before. A second attempt does not read it, because the first may have ended the
 * order although its answer was lost.
 */
export function endAsLeft(order: Order, end: () => Promise<Order>): () => Promise<Order> {
  let isTried = false
  return async () => {
    if (!isTried && can('orders:read') && !isSame(await petstore().orders.get(order.id), order))
      throw changedMeanwhile()
    isTried = true
    return end()
  }
}

/** Places an order again that was cancelled or sold, for the same person and until the same time. */
async function placeAgain(pet: ShownPet, { reference, heldUntil }: Order, idempotencyKey: string): Promise<Order> {
  const isOver = heldUntil !== undefined && Date.parse(heldUntil) <= Date.now()
  const terms = { reference, heldUntil: isOver ? undefined : heldUntil, isEndless: heldUntil === undefined }
  return place(pet, terms, idempotencyKey)
}

/** Opens the form for an order for an animal. Text that was typed there before is still in it. */
export function startOrder(pet: ShownPet, kind: 'reserve' | 'sell', isFromList = false): void {
  const draft = orderDraftOf(pet.id)
  // Text about an order that is over is not meant for the next order.
  const { reference = '', until = null, attempt } = (draft?.kind === 'change' ? draft.kept : draft) ?? {}
  putOrderDraft(pet.id, { kind, isOpen: true, isFromList, reference, until, attempt })
  if (address.value.pet !== pet.id) go({ pet: pet.id })
}

/** Returns the end of an order in the form of its field. */
const untilIn = ({ heldUntil }: Order): Until => (heldUntil ? { local: localTime(heldUntil) } : { preset: 'none' })

/** Opens the form for an existing order, in its current state. */
export const startChange = (pet: ShownPet, { id }: Order, isFromList = false): Promise<boolean> =>
  change('edit', async () => {
    const draft = orderDraftOf(pet.id)
    if (draft?.kind === 'change' && draft.before?.id === id)
      putOrderDraft(pet.id, { ...draft, isOpen: true, isFromList })
    else {
      const before = await petstore().orders.get(id)
      putOrderOfOpened(before)
      const { reference = '' } = before
      const until = untilIn(before)
      const etag = petstore().etag(before) ?? ''
      const typed = orderDraftOf(pet.id)
      const kept = typed?.kind === 'change' ? typed.kept : typed && { ...typed, isOpen: false, isFromList: undefined }
      putOrderDraft(pet.id, { kind: 'change', isOpen: true, isFromList, reference, until, before, etag, kept })
    }
    if (address.value.pet !== pet.id) go({ pet: pet.id })
    return null
  })

/**
 * Whether a form contains nothing to keep. The form of an existing order always shows the current state of the order.
 */
function isUnchanged(draft: OrderDraft): boolean {
  if (draft.kind === 'change') return !draft.theirs && Object.keys(changesIn(draft)).length === 0
  return !draft.reference.trim() && !draft.until && !draft.attempt
}

/** Closes the form. Its text is there again when it is opened. */
export const foldOrder = (id: bigint): void => foldOrderDraft(id, isUnchanged)

export function leaveOrder(pet: ShownPet): void {
  const { isFromList } = orderDraftOf(pet.id) ?? {}
  foldOrder(pet.id)
  if (isFromList) close()
}

/** Removes a draft after it was carried out. */
function finish(pet: ShownPet): void {
  const { isFromList, kept = null } = orderDraftOf(pet.id) ?? {}
  putOrderDraft(pet.id, kept)
  if (isFromList) close()
}

/**
 * Does the same after an order was placed. Text that was typed after it was sent becomes an unsaved change of the
 * order.
 */
function finishPlaced(pet: ShownPet, sent: OrderDraft, order: Order): void {
  const draft = orderDraftOf(pet.id)
  if (!draft || (draft.reference === sent.reference && draft.until === sent.until)) finish(pet)
  else
    putOrderDraft(pet.id, { ...draft, kind: 'change', attempt: undefined, before: order, etag: petstore().etag(order) })
}

/**
 * Returns the Idempotency-Key, which is the same for all attempts, even after a reload. So a second click never places
 * a second order.
 */
function attemptOf(pet: ShownPet, draft: OrderDraft): string {
  const attempt = draft.attempt ?? randomKey()
  putOrderDraft(pet.id, { ...draft, attempt })
  return attempt
}

/** Carries out the form of an animal. */
export function submitOrder(pet: ShownPet): Promise<boolean> {
  const draft = orderDraftOf(pet.id)
  if (!draft || excessOf(draft.reference) > 0) return Promise.resolve(false)
  if (draft.kind === 'change') return saveChange(pet, draft)
  return draft.kind === 'sell' ? sell(pet, draft) : reserve(pet, draft)
}

/** Runs what the form asks for. If there is no answer, the form can be sent again in its state at that time. */
const send = (pet: ShownPet, run: () => Promise<Message | null>): Promise<boolean> =>
  change(`order ${pet.id}`, run, () => submitOrder(pet))

const reserve = (pet: ShownPet, draft: OrderDraft): Promise<boolean> =>
  send(pet, async () => {
    const order = await place(pet, termsOf(draft), attemptOf(pet, draft), draft.attempt !== undefined)
    finishPlaced(pet, draft, order)
    showOrder(order, pet)
    const end = endAsLeft(order, () => petstore().orders.cancel(order.id))
    const undo = undoing(`order ${pet.id}`, async () => {
      showOrder(await end(), pet)
      return { text: say`The order is cancelled; ${pet} is available again.` }
    })
    return { text: reservedText(pet, order), undo }
  })

/** Sells an animal to a customer who takes it along. The order is completed as soon as it is placed. */
const sell = (pet: ShownPet, draft: OrderDraft): Promise<boolean> =>
  send(pet, async () => {
    const { reference } = termsOf(draft)
    const terms = { reference, heldUntil: undefined, isEndless: false }
    const placed = await place(pet, terms, attemptOf(pet, draft), draft.attempt !== undefined)
    const order = await petstore().orders.complete(placed.id)
    finishPlaced(pet, draft, order)
    showOrder(order, pet)
    const end = endAsLeft(order, () => petstore().orders.return(order.id))
    const undo = undoing(`order ${pet.id}`, async () => {
      showOrder(await end(), pet)
      return { text: say`The sale was taken back; ${pet} is available again.` }
    })
    return { text: [...say`${pet} is sold`, ...whose(order, 'to'), '.'], undo }
  })

const changesIn = ({ before, theirs, reference, until }: OrderDraft): OrderPatch => {
  const text = reference.trim()
  const heldUntil = heldUntilOf(until, new Date())
  const isKept =
    until && 'local' in until ? before?.heldUntil && until.local === localTime(before.heldUntil) : undefined
  // An order that somebody else has handed over or cancelled has no other end.
  const isOpen = (theirs ?? before)?.status === 'placed'
  const isMoved = isOpen && !isKept && heldUntil !== undefined
  return {
    ...(text && text !== before?.reference && { reference: text }),
    ...(isMoved && heldUntil !== (before?.heldUntil ?? null) && { heldUntil }),
  }
}

/** Returns the earlier values of a change of an order, or undefined if the service cannot restore them. */
function undoOf(before: Order, body: OrderPatch): OrderPatch | undefined {
  const { reference, heldUntil = null } = before
  if (body.reference !== undefined && reference === undefined) return undefined
  return { ...(body.reference && reference && { reference }), ...(body.heldUntil !== undefined && { heldUntil }) }
}

/** Saves only over the version that was seen. If there is another one, both are shown. */
const saveChange = (pet: ShownPet, draft: OrderDraft): Promise<boolean> =>
  send(pet, async () => {
    const { before, etag: ifMatch } = draft
    const body = changesIn(draft)
    if (!before || Object.keys(body).length === 0) {
      finish(pet)
      return null
    }
    const saved = await saveOver(pet, before.id, body, ifMatch)
    if (!saved) return null
    const now = orderDraftOf(pet.id)
    // Text that was typed while the change was saved is still unsaved.
    if (now && now !== draft) putOrderDraft(pet.id, { ...now, before: saved, etag: petstore().etag(saved) })
    else finish(pet)
    putOrder(saved)
    putOrderOfOpened(saved)
    const way = undoOf(before, body)
    const undo =
      way &&
      undoing(`order ${pet.id}`, async () => {
        const restored = await petstore().orders.update(saved.id, way, { ifMatch: saved })
        putOrder(restored)
        putOrderOfOpened(restored)
        return { text: say`Order ${saved.id} is as it was.` }
      })
    return { text: saved.status === 'placed' ? reservedText(pet, saved) : say`Order ${saved.id} was saved.`, undo }
  })

/**
 * Resolves with the saved order, or with undefined if somebody else has changed it. The form then shows the other
 * version.
 */
async function saveOver(pet: ShownPet, id: bigint, body: OrderPatch, ifMatch?: string): Promise<Order | undefined> {
  try {
    return await petstore().orders.update(id, body, { ifMatch })
  } catch (error) {
    if (codeOf(error) !== 'precondition_failed') throw error
    const theirs = await petstore().orders.get(id)
    putOrderOfOpened(theirs)
    putOrder(theirs)
    const isSame = ([member, value]: [string, unknown]) => (theirs[member as keyof Order] ?? null) === value
    // Either this change was saved and its answer was lost, or somebody else has made the same change.
    if (Object.entries(body).every(isSame)) return theirs
    const draft = orderDraftOf(pet.id)
    if (draft) putOrderDraft(pet.id, { ...draft, theirs, etag: petstore().etag(theirs) })
  }
}

/** Shows the order as it is now beside these changes, after somebody else has changed it once more. */
export async function readTheirOrder(pet: ShownPet, id: bigint): Promise<void> {
  const theirs = await petstore().orders.get(id)
  putOrderOfOpened(theirs)
  const draft = orderDraftOf(pet.id)
  if (draft?.theirs?.id === id) putOrderDraft(pet.id, { ...draft, theirs, etag: petstore().etag(theirs) })
}

/** Keeps the other version after a conflict. */
export const keepTheirOrder = finish

/** Applies these changes to the other version after a conflict. What only somebody else has changed stays. */
export async function saveMyOrder(pet: ShownPet): Promise<void> {
  const draft = orderDraftOf(pet.id)
  const { theirs } = draft ?? {}
  if (!draft || !theirs) return
  const { reference = theirs.reference ?? '', heldUntil } = changesIn(draft)
  const until = heldUntil === undefined ? untilIn(theirs) : draft.until
  const mine = { ...draft, reference, until, before: theirs, theirs: undefined }
  putOrderDraft(pet.id, mine)
  await saveChange(pet, mine)
}

/** Returns the order as the form would change it. */
export const orderWith = (order: Order, draft: OrderDraft): Order => {
  const { reference = order.reference, heldUntil } = changesIn(draft)
  const { heldUntil: kept, ...others } = order
  const until = heldUntil === undefined ? kept : (heldUntil ?? undefined)
  return { ...others, ...(reference && { reference }), ...(until && { heldUntil: until }) }
}

/**
 * Sends the sale immediately, so that it is not lost when the tab is closed. Its Undo makes the same reservation again.
 */
export const handOver = (pet: ShownPet, order: Order): Promise<boolean> =>
  change(`move ${order.id}`, async () => {
    // The answer contains what somebody else may have changed since the order was drawn.
    const sold = await petstore().orders.complete(order.id)
    showOrder(sold, pet)
    const end = endAsLeft(sold, () => petstore().orders.return(order.id))
    // The key is the same for all attempts, because an attempt whose answer was lost has placed the order.
    const idempotencyKey = randomKey()
    const undo = undoing(`move ${order.id}`, async () => {
      showOrder(await end(), pet)
      const again = await placeAgain(pet, sold, idempotencyKey)
      showOrder(again, pet)
      return { text: reservedText(pet, again) }
    })
    return { text: [...say`${pet} is sold`, ...whose(sold, 'to'), '.'], undo }
  })

export async function cancelOrder(pet: ShownPet, order: Order): Promise<void> {
  const of = order.reference ? ` for ${order.reference}` : ''
  if (!confirm(`Cancel the order${of}? ${pet.name} is available again then.`)) return
  await change(`move ${order.id}`, async () => {
    const cancelled = await petstore().orders.cancel(order.id)
    showOrder(cancelled, pet)
    const idempotencyKey = randomKey()
    const undo = undoing(`move ${order.id}`, async () => {
      const again = await placeAgain(pet, cancelled, idempotencyKey)
      showOrder(again, pet)
      return { text: reservedText(pet, again) }
    })
    return { text: say`The order is cancelled; ${pet} is available again.`, undo }
  })
}

/** Takes an animal back. This undoes a sale that may be old, so the page asks first. */
export async function takeBack(pet: ShownPet, order: Order): Promise<void> {
  const from = order.reference ? ` from ${order.reference}` : ''
  if (!confirm(`Take ${pet.name} back${from}? It is available again then, and there is no Undo.`)) return
  await change(`move ${order.id}`, async () => {
    showOrder(await petstore().orders.return(order.id), pet)
    return { text: say`${pet} was taken back, and is available again.` }
  })
  if (address.peek().pet === pet.id) await openPet(pet.id)
}
