// @ts-nocheck
/** What the page knows of the store, and how it is read and refreshed. */
import { batch, computed, effect, signal, untracked } from '@preact/signals'
import { address, filters } from './address.ts'
import { call, Failure, isOnline, keepKey, key } from './api.ts'

/** The key that is signed in: its name and scopes. */
export const me = signal(null)
/** Why a key is asked for again. */
export const refusal = signal('')
/** The pages that are loaded: { search, text, pets, next }. One that changes is replaced, so that the others stay as drawn. */
export const chunks = signal([])
/** The animals added since the list was loaded, the newest first. */
export const added = signal([])
/** Why the list could not be loaded. */
export const failure = signal(null)
export const isLoading = signal(false)
export const inventory = signal(null)
export const sales = signal(null)
/** Categories that have animals or a name. */
export const categories = signal([])
/** The animal that is open: { pet, orders }, or { failure }. */
export const opened = signal(null)
/** What was just done or failed: { text, undo, isError }. */
export const message = signal(null)
/** What is searched for within the animals that are loaded. */
export const searched = signal('')

export const can = (scope) => me.value?.scopes.includes(scope) ?? false
export const next = computed(() => chunks.value.at(-1)?.next)
// As text, which stays the same when only counts change: then no list is drawn anew.
const namesText = computed(() => JSON.stringify(categories.value.map(({ categoryId, label }) => [categoryId, label])))
const names = computed(() => new Map(JSON.parse(namesText.value)))
export const categoryName = (id) => names.value.get(id) ?? `Category ${id}`

/** Says what failed; `undo` is what can be tried again. */
export function tell(error, undo) {
  if (key.value === null) return
  if (error.code !== 'offline') message.value = { text: error.message, isError: true, undo }
  else if (undo) message.value = { text: 'It is not undone yet.', undo }
}

export async function signIn(text) {
  refusal.value = ''
  try {
    // A header takes nothing else, and the service would refuse it.
    if (!/^[!-~]+$/.test(text)) throw new Failure('invalid_api_key', '', 401)
    const { data } = await call('GET', '/me', { as: text })
    keepKey(text)
    me.value = data
  } catch (error) {
    const isRefused = error.code === 'invalid_api_key'
    refusal.value = isRefused ? 'This key is not valid: it may be mistyped, expired or revoked.' : error.message
  }
}

export function forget() {
  turn++
  batch(() => {
    keepKey(null)
    searched.value = refusal.value = ''
    me.value = inventory.value = sales.value = opened.value = message.value = null
    chunks.value = added.value = categories.value = []
  })
}

/** Counts the lists that were asked for, so that the answer to an earlier one is dropped. */
let turn = 0

async function readChunk(search) {
  const { data: pets, text, next } = await call('GET', `/pets${search}`)
  return { search, text, pets, next }
}

async function loadChunk(search) {
  const mine = ++turn
  isLoading.value = true
  failure.value = null
  let chunk: object | undefined
  try {
    chunk = await readChunk(search)
  } catch (error) {
    if (mine === turn) failure.value = error
  }
  if (mine !== turn) return
  batch(() => {
    isLoading.value = false
    if (chunk) chunks.value = [...chunks.value, chunk]
  })
}

export function loadFirst() {
  batch(() => {
    chunks.value = added.value = []
  })
  return loadChunk(`?${filters.value}`)
}

export async function loadMore() {
  if (next.value && !isLoading.value) await loadChunk(next.value)
}

/** Counts what was shown anew, so that an answer from before is not shown after it. */
let shown = 0

/** Shows an animal as it is now, wherever it is shown. */
export function showPet(pet) {
  shown++
  const text = JSON.stringify(pet)
  const isOld = (each) => each.id === pet.id && JSON.stringify(each) !== text
  const put = (pets) => pets.map((each) => (each.id === pet.id ? pet : each))
  batch(() => {
    if (opened.value?.pet?.id === pet.id) opened.value = { ...opened.value, pet }
    if (added.value.some(isOld)) added.value = put(added.value)
    chunks.value = chunks.value.map((chunk) =>
      chunk.pets.some(isOld) ? { ...chunk, text: '', pets: put(chunk.pets) } : chunk,
    )
  })
}

async function all(path, search) {
  const found = []
  // A thousand are more than a person can choose from.
  while (search && found.length < 1000) {
    const { data, next } = await call('GET', path + search)
    found.push(...data)
    search = next
  }
  return found
}

/** Two categories may have one name: then their numbers tell them apart. */
function labelled(list) {
  const labelOf = ({ categoryId, name }) => name ?? `Category ${categoryId}`
  const labels = list.map(labelOf)
  const twice = new Set(labels.filter((label, i) => labels.indexOf(label) !== i))
  return list.map((each, i) => ({
    ...each,
    label: twice.has(labels[i]) ? `${labels[i]} (${each.categoryId})` : labels[i],
  }))
}

let counting = 0

export async function loadCounts() {
  const mine = ++counting
  const [total, perCategory, days] = await Promise.all([
    call('GET', '/store/inventory'),
    all('/store/inventory', '?by=category&limit=100'),
    call('GET', '/store/sales?days=30'),
  ])
  if (mine !== counting) return
  batch(() => {
    inventory.value = total.data
    categories.value = labelled(perCategory)
    sales.value = days.data
  })
}

let opening = 0

export async function openPet(id) {
  const mine = ++opening
  const before = shown
  if (opened.value?.pet?.id !== id) opened.value = null
  try {
    const [{ data }, orders] = await Promise.all([
      call('GET', `/pets?id=${id}`),
      can('orders:read') ? all('/store/orders', `?petId=${id}&limit=100`) : [],
    ])
    if (mine !== opening || address.value.pet !== id) return
    if (before !== shown) return await openPet(id)
    const [pet] = data
    opened.value = pet ? { pet, orders } : { failure: new Failure('pet_not_found') }
    if (pet) showPet(pet)
  } catch (error) {
    if (mine !== opening || address.value.pet !== id) return
    if (opened.value === null) opened.value = { failure: error }
    else tell(error)
  }
}

/** The animals just added, which the pages may not have yet. */
async function refreshAdded() {
  const before = added.value
  if (before.length === 0) return
  const { data } = await call('GET', `/pets?limit=100&id=${before.slice(0, 100).map(({ id }) => id)}`)
  if (added.value === before) added.value = [...data.reverse(), ...before.slice(100)]
}

/** Asks again for all that is shown; what has not changed stays as it is drawn. */
export async function refresh() {
  // Without a key there is nothing to ask for.
  if (key.value === null) isOnline.value = true
  else if (!me.value) await signIn(key.value)
  if (!can('pets:read')) return
  if (failure.value) chunks.value.length === 0 ? loadFirst() : loadMore()
  const mine = turn
  try {
    await loadCounts()
    if (address.value.pet) await openPet(address.value.pet)
    await refreshAdded()
    const before = shown
    // From page to page anew: where one begins depends on what has left or joined those before it.
    const fresh = []
    for (let search = chunks.value[0]?.search; search && fresh.length < chunks.value.length; ) {
      fresh.push(await readChunk(search))
      if (mine !== turn) return
      if (before !== shown) return await refresh()
      search = fresh.at(-1).next
    }
    chunks.value = fresh.map((chunk, i) => {
      const drawn = chunks.value[i]
      return chunk.text === drawn?.text && chunk.next === drawn.next ? drawn : chunk
    })
  } catch (error) {
    tell(error)
  }
}

/** Follows the address, the key, the connection and the eyes of the reader. */
export function follow() {
  effect(() => {
    if (key.value !== null || !me.value) return
    refusal.value = 'This key is no longer valid. Enter another one; nothing you typed is lost.'
    me.value = null
  })
  const isReader = computed(() => can('pets:read'))
  effect(() => {
    if (isReader.value) untracked(() => loadCounts().catch(tell))
  })
  effect(() => {
    if (isReader.value && filters.value) untracked(loadFirst)
  })
  const openId = computed(() => (isReader.value ? address.value.pet : undefined))
  effect(() => {
    const id = openId.value
    untracked(() => (id ? openPet(id) : (opened.value = null)))
  })
  effect(() => {
    if (isOnline.value) return
    const retries = setInterval(refresh, 5_000)
    return () => clearInterval(retries)
  })
  addEventListener('offline', () => {
    isOnline.value = false
  })
  addEventListener('online', refresh)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh())
  if (key.value !== null) signIn(key.value)
}
