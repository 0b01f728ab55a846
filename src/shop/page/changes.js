/** What a person can change, each with its way back where the service has one. */
import { effect, signal } from '@preact/signals'
import { call, callOnce } from './api.js'
import { added, categoryName, loadCounts, message, opened, openPet, refresh, showPet, tell } from './catalogue.js'

/** What is under way; a second click on it does nothing. */
export const busy = signal(new Set())

/** Runs a change unless it is under way; then says what was done and counts again. Resolves with whether it succeeded. */
async function change(what, run) {
  if (busy.value.has(what)) return false
  busy.value = new Set(busy.value).add(what)
  message.value = null
  try {
    message.value = await run()
    loadCounts().catch(tell)
    return true
  } catch (error) {
    tell(error)
    // What is shown was not what the service has: somebody else may have been faster.
    if (error.isFinal) refresh()
    return false
  } finally {
    busy.value = new Set([...busy.value].filter((each) => each !== what))
  }
}

const undoing = (what, run) => () => change(`undo ${what}`, run)

/** A draft that outlives a lost connection, a refused key and a reload. */
function keptDraft(name) {
  const draft = signal(JSON.parse(sessionStorage.getItem(name)))
  effect(() => sessionStorage.setItem(name, JSON.stringify(draft.value)))
  return draft
}
/** The animal being added: { name, categoryId }. */
export const newPet = keptDraft('petstore.add')
/** The animal being edited: { before, etag, name, categoryId, status, theirs }. */
export const edited = keptDraft('petstore.edit')

const path = ({ id }) => `/pets/${id}`
const short = ({ name }) => (name.length > 40 ? `${name.slice(0, 39)}…` : name)

/** A change of nothing returns the animal with its ETag, also after the removal of getPet. */
const versionOf = ({ id }) => call('PATCH', path({ id }), { body: {} })

export const addPet = (body) =>
  change('add', async () => {
    const { data: pet, etag } = await callOnce('/pets', body)
    added.value = [pet, ...added.value]
    const undo = undoing('add', async () => {
      await call('DELETE', path(pet), { headers: { 'If-Match': etag } })
      added.value = added.value.filter(({ id }) => id !== pet.id)
      return { text: `${short(pet)} was removed again.` }
    })
    return { text: `${short(pet)} was added.`, undo }
  })

export const startEdit = (pet) =>
  change('edit', async () => {
    const { data, etag } = await versionOf(pet)
    showPet(data)
    edited.value = { before: data, etag, name: data.name, categoryId: data.categoryId, status: data.status }
    return null
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
    const { before, etag } = edited.value
    const body = changesOf(edited.value)
    if (Object.keys(body).length === 0) {
      edited.value = null
      return null
    }
    const saved = await call('PATCH', path(before), { body, headers: { 'If-Match': etag } }).catch(async (error) => {
      if (error.code !== 'precondition_failed') throw error
      const { data: theirs, etag } = await versionOf(before)
      showPet(theirs)
      edited.value = { ...edited.value, theirs, etag }
    })
    if (!saved) return null
    const former = Object.fromEntries(Object.keys(body).map((member) => [member, before[member]]))
    showPet(saved.data)
    edited.value = null
    const undo = undoing('save', async () => {
      const { data } = await call('PATCH', path(before), { body: former, headers: { 'If-Match': saved.etag } })
      showPet(data)
      return { text: `${short(data)} is as it was.` }
    })
    return { text: `${short(saved.data)} was saved.`, undo }
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

export const placeOrder = (pet, text = `${short(pet)} is reserved.`) =>
  change(`order ${pet.id}`, async () => {
    const { data: order } = await callOnce('/store/orders', { petId: pet.id })
    await afterOrder(pet, 'pending')
    return { text, undo: () => endOrder(pet, order, 'cancel') }
  })

const ends = {
  complete: ['sold', (pet) => `${short(pet)} is sold.`],
  cancel: ['available', (pet) => `The order is cancelled; ${short(pet)} is available again.`],
}

export const endOrder = (pet, order, verb) =>
  change(`end ${order.id}`, async () => {
    const [status, say] = ends[verb]
    await call('POST', `/store/orders/${order.id}/${verb}`)
    await afterOrder(pet, status)
    // A completed order is final; after a cancelled one the animal can be ordered again.
    return { text: say(pet), undo: verb === 'cancel' ? () => placeOrder(pet) : undefined }
  })

async function afterOrder(pet, status) {
  showPet({ ...pet, status })
  if (opened.value?.pet?.id === pet.id) await openPet(pet.id)
}

export const nameCategory = ({ categoryId, name: former }, name) =>
  change(`name ${categoryId}`, async () => {
    const put = (text) =>
      text
        ? call('PUT', `/categories/${categoryId}`, { body: { name: text } })
        : call('DELETE', `/categories/${categoryId}`)
    await put(name)
    await loadCounts()
    const undo = undoing(`name ${categoryId}`, async () => {
      await put(former)
      return { text: `${former ?? `Category ${categoryId}`} has its former name.` }
    })
    return { text: `${categoryName(categoryId)} has its name.`, undo }
  })
