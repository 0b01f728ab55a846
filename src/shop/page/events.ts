// @ts-nocheck
/** Follows the events of the service while the page is looked at: what somebody else changes appears by itself. */
import { computed, effect, signal } from '@preact/signals'
import { address } from './address.ts'
import { blocksOf, call, isOnline, parse } from './api.ts'
import { added, can, chunks, loadCounts, message, next, opened, openPet, refresh, showPet } from './catalogue.ts'
import { busy, edited } from './changes.ts'

/** What happens within this time is read at once. */
const gatherMilliseconds = 300
const pauseMaxMilliseconds = 60_000
/** As many animals as one request can ask for. */
const idsMax = 100

/** Animals that have changed. Of an event only this is taken: what they are now is asked for, so that nothing older is shown than what is known. */
const changed = new Set()
/** Whether there may have been events that were not heard of. */
let isStale = false
let isGathering = false

async function gather(signal) {
  if (isGathering) return
  isGathering = true
  await pause(gatherMilliseconds, signal)
  const isAll = isStale || changed.size > idsMax
  const ids = [...changed]
  changed.clear()
  isStale = false
  try {
    if (!signal.aborted) await (isAll ? refresh() : Promise.all([loadCounts(), showAgain(ids)]))
  } catch {
    // Such as a key that has made too many requests.
    isStale = true
    await pause(pauseMaxMilliseconds, signal)
  }
  isGathering = false
  if ((isStale || changed.size > 0) && !signal.aborted) gather(signal)
}

async function showAgain(ids) {
  const shown = new Map([...chunks.value.flatMap(({ pets }) => pets), ...added.value].map((pet) => [pet.id, pet]))
  const last = chunks.value.at(-1)?.pets.at(-1)
  const isAfterAll = (id) => !next.value && (!last || BigInt(id) > BigInt(last.id))
  const wanted = ids.filter((id) => shown.has(id) || isAfterAll(id) || opened.value?.pet?.id === id)
  if (wanted.length === 0) return
  const { data } = await call('GET', `/pets?limit=${idsMax}&id=${wanted}`)
  const found = new Map(data.map((pet) => [pet.id, pet]))
  const before = opened.value?.pet
  for (const id of wanted.filter((id) => shown.has(id))) {
    // One that is gone keeps its place, so that nobody presses the button of the next one.
    const pet = found.get(id) ?? { ...shown.get(id), status: 'removed' }
    if (JSON.stringify(pet) !== JSON.stringify(shown.get(id))) showPet(pet)
  }
  append(data.filter((pet) => !shown.has(pet.id) && isAfterAll(pet.id) && isListed(pet)))
  if (before && wanted.includes(before.id)) await showOpened(before, found.get(before.id))
}

const isListed = ({ status, categoryId }) =>
  status === (address.value.status ?? status) && categoryId === (address.value.category ?? categoryId)

/** After the last page, where nothing else moves. */
function append(pets) {
  const last = chunks.value.at(-1)
  if (pets.length > 0 && last && !last.next)
    chunks.value = [...chunks.value.slice(0, -1), { ...last, text: '', pets: [...last.pets, ...pets] }]
}

async function showOpened(before, now) {
  const isEdited = edited.value?.before.id === before.id
  // What is typed stays, also when the animal is gone.
  if (now || !isEdited) await openPet(before.id)
  // One's own change is none of somebody else, and what can be undone stays so.
  if (JSON.stringify(now) === JSON.stringify(before) || busy.value.size > 0 || message.value?.undo) return
  message.value = { text: `Somebody else has ${now ? 'changed' : 'removed'} this animal.` }
}

/** Resolves at once when the signal is aborted. */
const pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)))
  })

function take(block, signal) {
  const [, data = '{}'] = /^data: (.*)$/m.exec(block) ?? []
  const { type, data: thing } = parse(data)
  // The first block of a stream: what happened before it may not have been heard of.
  if (block.startsWith('retry:')) isStale = true
  else if (!type) return
  else if (!type.startsWith('category.')) changed.add(thing.petId ?? thing.id)
  gather(signal)
}

async function watch(signal) {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      for await (const block of blocksOf('/events/stream', signal)) {
        // Not its first block: a stream that is cut right after it, each time, is as good as none.
        if (/^(:|data:)/m.test(block)) failures = 0
        take(block, signal)
      }
    } catch {
      // The connection was lost, or is not to be had.
    }
    // Without a stream the page asks from time to time, which also tells whether the service can be reached.
    if (failures > 0) {
      isStale = true
      gather(signal)
    }
    await pause(Math.min(pauseMaxMilliseconds, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2), signal)
  }
}

export function followEvents() {
  // A browser opens only six connections to a service: tabs in the background leave them to others.
  const isVisible = signal(document.visibilityState === 'visible')
  document.addEventListener('visibilitychange', () => {
    isVisible.value = document.visibilityState === 'visible'
  })
  const isFollowing = computed(() => can('pets:read') && can('events:read') && isVisible.value && isOnline.value)
  effect(() => {
    if (!isFollowing.value) return
    const stop = new AbortController()
    watch(stop.signal)
    return () => stop.abort()
  })
}
