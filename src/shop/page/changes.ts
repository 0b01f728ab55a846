// @ts-nocheck
/** What a person can change, each with its way back where the service has one. */
import { effect, signal } from '@preact/signals'
import { address, go } from './address.ts'
import { call, callOnce, keep, newIdempotencyKey, recall } from './api.ts'
import { added, forget, loadCounts, message, openPet, refresh, showPet, tell } from './catalogue.ts'
import { html } from './parts.ts'

/** What is under way; a second click on it does nothing. */
export const busy = signal(new Set())

/**
 * Runs a change unless it is under way; then says what was done and counts again. Resolves with whether it succeeded.
 * `again` is offered when the service has not decided.
 */
async function change(what, run, again) {
  if (busy.value.has(what)) return false
  busy.value = new Set(busy.value).add(what)
  message.value = null
  try {
    message.value = await run()
    loadCounts().catch(tell)
    return true
  } catch (error) {
    tell(error, error.isFinal ? undefined : again)
    // What is shown was not what the service has: somebody else may have been faster.
    if (error.isFinal) refresh()
    return false
  } finally {
    busy.value = new Set([...busy.value].filter((each) => each !== what))
  }
}

const undoing = (what, run) => {
  const undo = () => change(`undo ${what}`, run, undo)
  return undo
}

/** A draft that outlives a lost connection, a refused key and a reload. */
function keptDraft(name) {
  const draft = signal(JSON.parse(recall(name)))
  effect(() => keep(name, draft.value && JSON.stringify(draft.value)))
  return draft
}
/** The animal being added: { name, categoryId, attempt }, the last being the Idempotency-Key under which it was sent. */
export const newPet = keptDraft('petstore.add')
/** The animal being edited: { before, etag, name, categoryId, status, theirs }. */
export const edited = keptDraft('petstore.edit')

/** Whoever signs in next finds nothing of this person's. */
export function signOut() {
  newPet.value = edited.value = null
  forget()
}

const path = ({ id }) => `/pets/${id}`

/** A name within a sentence, set apart so that one written from right to left turns nothing else around. */
function short({ name }) {
  const letters = [...name]
  return html`<bdi>${letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : name}</bdi>`
}

/** A change of nothing returns the animal with its ETag, also after the removal of getPet. */
const versionOf = ({ id }) => call('PATCH', path({ id }), { body: {} })

export const addPet = (body, attempt) =>
  change('add', async () => {
    const { data: pet, etag } = await callOnce(attempt, '/pets', body)
    added.value = [pet, ...added.value]
    const undo = undoing('add', async () => {
      await call('DELETE', path(pet), { headers: { 'If-Match': etag } })
      added.value = added.value.filter(({ id }) => id !== pet.id)
      return { text: html`${short(pet)} was removed again.` }
    })
    return { text: html`${short(pet)} was added.`, undo }
  })

export const startEdit = (pet) =>
  change('edit', async () => {
    const { data, etag } = await versionOf(pet)
    const left = edited.value
    showPet(data)
    edited.value = { before: data, etag, name: data.name, categoryId: data.categoryId, status: data.status }
    if (!left || Object.keys(changesOf(left)).length === 0) return null
    const undo = () => {
      message.value = null
      edited.value = left
      go({ pet: left.before.id })
    }
    return { text: html`What you typed for ${short(left.before)} was dropped.`, undo }
  })

export const changesOf = ({ before, ...draft }) =>
  Object.fromEntries(
    ['name', 'categoryId', 'status'].flatMap((member) =>
      draft[member] === before[member] ? [] : [[member, draft[member]]],
    ),
  )

/** Saves over the version that was seen, and never over another: then both are shown. */
export const saveEdit = () =>
  change('save', async () => {
    const draft = edited.value
    const { before, etag } = draft
    const body = changesOf(draft)
    if (Object.keys(body).length === 0) {
      edited.value = null
      return null
    }
    const saved = await call('PATCH', path(before), { body, headers: { 'If-Match': etag } }).catch(async (error) => {
      if (error.code !== 'precondition_failed') throw error
      const { data: theirs, etag } = await versionOf(before)
      showPet(theirs)
      // It was this change whose answer got lost, or theirs is the same.
      if (Object.keys(body).every((member) => body[member] === theirs[member])) return { data: theirs, etag }
      edited.value = { ...edited.value, theirs, etag }
    })
    if (!saved) return null
    const former = Object.fromEntries(Object.keys(body).map((member) => [member, before[member]]))
    showPet(saved.data)
    // What was typed while it was saved is still to be saved.
    edited.value = edited.value === draft ? null : { ...edited.value, before: saved.data, etag: saved.etag }
    const undo = undoing('save', async () => {
      const { data } = await call('PATCH', path(before), { body: former, headers: { 'If-Match': saved.etag } })
      showPet(data)
      return { text: html`${short(data)} is as it was.` }
    })
    return { text: html`${short(saved.data)} was saved.`, undo }
  })

/** After a conflict: the other version stays, or these changes go on top of it. */
export function keepTheirs() {
  edited.value = null
}
export function saveMine() {
  const { theirs, before, ...draft } = edited.value
  edited.value = { ...draft, ...theirs, ...changesOf({ before, ...draft }), before: theirs }
  return saveEdit()
}

/** The Idempotency-Keys of orders whose answer got lost. An animal that was read again is another value, and a click then means another order. */
const attempts = new WeakMap()

export const placeOrder = (pet) =>
  change(`order ${pet.id}`, async () => {
    if (!attempts.has(pet)) attempts.set(pet, newIdempotencyKey())
    const { data: order } = await callOnce(attempts.get(pet), '/store/orders', { petId: pet.id })
    attempts.delete(pet)
    await afterOrder(pet, 'pending')
    return { text: html`${short(pet)} is reserved.`, undo: () => moveOrder(pet, order, 'cancel') }
  })

const moves = {
  complete: ['sold', (pet) => html`${short(pet)} is sold.`],
  cancel: ['available', (pet) => html`The order is cancelled; ${short(pet)} is available again.`],
  return: ['available', (pet) => html`${short(pet)} was taken back, and is available again.`],
}

export const moveOrder = (pet, order, verb) =>
  change(`move ${order.id}`, async () => {
    const [status, say] = moves[verb]
    await call('POST', `/store/orders/${order.id}/${verb}`)
    await afterOrder(pet, status)
    // A sale is undone where all can see it: by taking the animal back.
    return { text: say(pet), undo: verb === 'cancel' ? () => placeOrder(pet) : undefined }
  })

async function afterOrder(pet, status) {
  showPet({ ...pet, status })
  if (address.value.pet === pet.id) await openPet(pet.id)
}

export const nameCategory = ({ categoryId, name: former }, name) =>
  change(`name ${categoryId}`, async () => {
    const put = (text, etag) => {
      const headers = etag && { 'If-Match': etag }
      return text
        ? call('PUT', `/categories/${categoryId}`, { body: { name: text }, headers })
        : call('DELETE', `/categories/${categoryId}`, { headers })
    }
    const say = (text) =>
      text
        ? html`Category ${categoryId} is called ${short({ name: text })}.`
        : html`Category ${categoryId} has no name any more.`
    const { etag } = await put(name)
    await loadCounts()
    const undo = undoing(`name ${categoryId}`, async () => {
      await put(former, etag)
      return { text: say(former) }
    })
    return { text: say(name), undo }
  })
