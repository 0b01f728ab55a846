/** What a person can do with orders: reserve, sell, hand over, cancel, take back, and change whose one is. */
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
/** How many characters too many there are for the service. */
export const excessOf = (reference: string): number => Math.max(0, [...reference.trim()].length - referenceMax)

/** Shows an order, and its animal as the order leaves it. */
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

/** The terms of an order as the service takes them; `isEndless` if it is to have no end, whatever the store has set. */
interface Terms {
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

async function place(pet: ShownPet, terms: Terms, idempotencyKey: string): Promise<Order> {
  const { reference, heldUntil, isEndless } = terms
  const body: NewOrder = { petId: pet.id, ...(reference && { reference }), ...(heldUntil && { heldUntil }) }
  const order = await petstore().orders.place(body, { idempotencyKey })
  if (!isEndless || order.heldUntil === undefined || order.status !== 'placed') return order
  return petstore().orders.update(order.id, { heldUntil: null })
}

/**
 * A step that ends an order, for an Undo: it is taken only if nobody else has changed the order since. The service has no
 * If-Match for it, so the order is read just before. A second try is one whose first answer got lost.
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

/** Places an order that was cancelled or sold again, as it was: for the same person, until the same time. */
async function placeAgain(pet: ShownPet, { reference, heldUntil }: Order, idempotencyKey: string): Promise<Order> {
  const isOver = heldUntil !== undefined && Date.parse(heldUntil) <= Date.now()
  const terms = { reference, heldUntil: isOver ? undefined : heldUntil, isEndless: heldUntil === undefined }
  return place(pet, terms, idempotencyKey)
}

/** Opens the form for an order on an animal; what was typed there before is still in it. */
export function startOrder(pet: ShownPet, kind: 'reserve' | 'sell', isFromList = false): void {
  const draft = orderDraftOf(pet.id)
  // What was typed about an order that is over is not meant for the next one.
  const { reference = '', until = null, attempt } = (draft?.kind === 'change' ? draft.kept : draft) ?? {}
  putOrderDraft(pet.id, { kind, isOpen: true, isFromList, reference, until, attempt })
  if (address.value.pet !== pet.id) go({ pet: pet.id })
}

/** Opens the form for an order that is there, as the service has it now. */
export const startChange = (pet: ShownPet, { id }: Order, isFromList = false): Promise<boolean> =>
  change('edit', async () => {
    const draft = orderDraftOf(pet.id)
    if (draft?.kind === 'change' && draft.before?.id === id)
      putOrderDraft(pet.id, { ...draft, isOpen: true, isFromList })
    else {
      const before = await petstore().orders.get(id)
      putOrderOfOpened(before)
      const { reference = '', heldUntil } = before
      const until: Until = heldUntil ? { local: localTime(heldUntil) } : { preset: 'none' }
      const etag = petstore().etag(before) ?? ''
      const typed = orderDraftOf(pet.id)
      const kept = typed?.kind === 'change' ? typed.kept : typed && { ...typed, isOpen: false, isFromList: undefined }
      putOrderDraft(pet.id, { kind: 'change', isOpen: true, isFromList, reference, until, before, etag, kept })
    }
    if (address.value.pet !== pet.id) go({ pet: pet.id })
    return null
  })

/** Whether there is nothing to keep in a form: an order that is to be changed is shown as it is by then. */
function isUnchanged(draft: OrderDraft): boolean {
  if (draft.kind === 'change') return !draft.theirs && Object.keys(changesIn(draft)).length === 0
  return !draft.reference.trim() && !draft.until && !draft.attempt
}

/** The form goes, and what was typed in it is there again when it is opened. */
export const foldOrder = (id: bigint): void => foldOrderDraft(id, isUnchanged)

export function leaveOrder(pet: ShownPet): void {
  const { isFromList } = orderDraftOf(pet.id) ?? {}
  foldOrder(pet.id)
  if (isFromList) close()
}

/** What was typed has been carried out. */
function finish(pet: ShownPet): void {
  const { isFromList, kept = null } = orderDraftOf(pet.id) ?? {}
  putOrderDraft(pet.id, kept)
  if (isFromList) close()
}

/** The same, of the order that was placed; what was typed since it was sent is a change of it, and still to be saved. */
function finishPlaced(pet: ShownPet, sent: OrderDraft, order: Order): void {
  const draft = orderDraftOf(pet.id)
  if (!draft || (draft.reference === sent.reference && draft.until === sent.until)) finish(pet)
  else
    putOrderDraft(pet.id, { ...draft, kind: 'change', attempt: undefined, before: order, etag: petstore().etag(order) })
}

/** The same key for all tries, also after a reload: a second click never places a second order. */
function attemptOf(pet: ShownPet, draft: OrderDraft): string {
  const attempt = draft.attempt ?? randomKey()
  putOrderDraft(pet.id, { ...draft, attempt })
  return attempt
}

/** Carries out what the form for an animal asks for. */
export function submitOrder(pet: ShownPet): Promise<boolean> {
  const draft = orderDraftOf(pet.id)
  if (!draft || excessOf(draft.reference) > 0) return Promise.resolve(false)
  if (draft.kind === 'change') return saveChange(pet, draft)
  return draft.kind === 'sell' ? sell(pet, draft) : reserve(pet, draft)
}

/** Runs what the form asks for; when no answer comes, it can be sent again as it is then. */
const send = (pet: ShownPet, run: () => Promise<Message | null>): Promise<boolean> =>
  change(`order ${pet.id}`, run, () => submitOrder(pet))

const reserve = (pet: ShownPet, draft: OrderDraft): Promise<boolean> =>
  send(pet, async () => {
    const order = await place(pet, termsOf(draft), attemptOf(pet, draft))
    finishPlaced(pet, draft, order)
    showOrder(order, pet)
    const end = endAsLeft(order, () => petstore().orders.cancel(order.id))
    const undo = undoing(`order ${pet.id}`, async () => {
      showOrder(await end(), pet)
      return { text: say`The order is cancelled; ${pet} is available again.` }
    })
    return { text: reservedText(pet, order), undo }
  })

/** To somebody who takes the animal along: an order that is completed as soon as it is placed. */
const sell = (pet: ShownPet, draft: OrderDraft): Promise<boolean> =>
  send(pet, async () => {
    const { reference } = termsOf(draft)
    const terms = { reference, heldUntil: undefined, isEndless: false }
    const placed = await place(pet, terms, attemptOf(pet, draft))
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

const changesIn = ({ before, reference, until }: OrderDraft): OrderPatch => {
  const text = reference.trim()
  const heldUntil = heldUntilOf(until, new Date())
  const isKept =
    until && 'local' in until ? before?.heldUntil && until.local === localTime(before.heldUntil) : undefined
  const isMoved = before?.status === 'placed' && !isKept && heldUntil !== undefined
  return {
    ...(text && text !== before?.reference && { reference: text }),
    ...(isMoved && heldUntil !== (before.heldUntil ?? null) && { heldUntil }),
  }
}

/** What a change of an order looked like before; undefined if the service cannot bring that back. */
function undoOf(before: Order, body: OrderPatch): OrderPatch | undefined {
  const { reference, heldUntil = null } = before
  if (body.reference !== undefined && reference === undefined) return undefined
  return { ...(body.reference && reference && { reference }), ...(body.heldUntil !== undefined && { heldUntil }) }
}

/** Saves over the version that was seen, and never over another: then both are shown. */
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
    // What was typed while it was saved is still to be saved.
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

/** The order as it is saved; undefined if somebody else has changed it, which the form then shows. */
async function saveOver(pet: ShownPet, id: bigint, body: OrderPatch, ifMatch?: string): Promise<Order | undefined> {
  try {
    return await petstore().orders.update(id, body, { ifMatch })
  } catch (error) {
    if (codeOf(error) !== 'precondition_failed') throw error
    const theirs = await petstore().orders.get(id)
    putOrderOfOpened(theirs)
    putOrder(theirs)
    const isSame = ([member, value]: [string, unknown]) => (theirs[member as keyof Order] ?? null) === value
    // It was this change whose answer got lost, or theirs is the same.
    if (Object.entries(body).every(isSame)) return theirs
    const draft = orderDraftOf(pet.id)
    if (draft) putOrderDraft(pet.id, { ...draft, theirs, etag: petstore().etag(theirs) })
  }
}

/** After a conflict: the other version stays. */
export const keepTheirOrder = finish

/** After a conflict: this version goes on top of the other one. */
export async function saveMyOrder(pet: ShownPet): Promise<void> {
  const draft = orderDraftOf(pet.id)
  if (!draft?.theirs) return
  const mine = { ...draft, before: draft.theirs, theirs: undefined }
  putOrderDraft(pet.id, mine)
  await saveChange(pet, mine)
}

/** What the form would make of an order. */
export const orderWith = (order: Order, draft: OrderDraft): Order => {
  const { reference = order.reference, heldUntil } = changesIn(draft)
  const { heldUntil: kept, ...others } = order
  const until = heldUntil === undefined ? kept : (heldUntil ?? undefined)
  return { ...others, ...(reference && { reference }), ...(until && { heldUntil: until }) }
}

/** The sale is sent at once, so that none is lost with the tab; its Undo reserves the animal again as it was. */
export const handOver = (pet: ShownPet, order: Order): Promise<boolean> =>
  change(`move ${order.id}`, async () => {
    const sold = await petstore().orders.complete(order.id)
    showOrder(sold, pet)
    const end = endAsLeft(sold, () => petstore().orders.return(order.id))
    // The same for all tries: one whose answer got lost has placed the order.
    const idempotencyKey = randomKey()
    const undo = undoing(`move ${order.id}`, async () => {
      showOrder(await end(), pet)
      const again = await placeAgain(pet, order, idempotencyKey)
      showOrder(again, pet)
      return { text: reservedText(pet, again) }
    })
    return { text: [...say`${pet} is sold`, ...whose(order, 'to'), '.'], undo }
  })

export async function cancelOrder(pet: ShownPet, order: Order): Promise<void> {
  const of = order.reference ? ` for ${order.reference}` : ''
  if (!confirm(`Cancel the order${of}? ${pet.name} is available again then.`)) return
  await change(`move ${order.id}`, async () => {
    showOrder(await petstore().orders.cancel(order.id), pet)
    const idempotencyKey = randomKey()
    const undo = undoing(`move ${order.id}`, async () => {
      const again = await placeAgain(pet, order, idempotencyKey)
      showOrder(again, pet)
      return { text: reservedText(pet, again) }
    })
    return { text: say`The order is cancelled; ${pet} is available again.`, undo }
  })
}

/** Taking back undoes a sale that may be long ago: it asks. */
export async function takeBack(pet: ShownPet, order: Order): Promise<void> {
  const from = order.reference ? ` from ${order.reference}` : ''
  if (!confirm(`Take ${pet.name} back${from}? Its sale is undone, and it is available again.`)) return
  await change(`move ${order.id}`, async () => {
    showOrder(await petstore().orders.return(order.id), pet)
    return { text: say`${pet} was taken back, and is available again.` }
  })
  if (address.peek().pet === pet.id) await openPet(pet.id)
}
