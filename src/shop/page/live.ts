/** What others do appears by itself: the page follows the events, and reads again what they are about. */
import { computed, effect, signal, untracked } from '@preact/signals'
import { sleep } from '../../../client/src/answer.ts'
import type { Pet } from '../../../client/src/types.ts'
import { address, pageMax } from './address.ts'
import { edited } from './drafts.ts'
import { loadCounts, openPet, refresh } from './load.ts'
import { showOrdersAgain } from './load-orders.ts'
import { showReportAgain } from './load-report.ts'
import { sources } from './pages.ts'
import { can, codeOf, isOnline, petstore } from './session.ts'
import {
  added,
  busy,
  chunks,
  isLive,
  isSame,
  message,
  newcomers,
  next,
  opened,
  type ShownPet,
  showMessage,
  showPet,
} from './state.ts'

/** What happens within this time is read at once. */
const gatherMilliseconds = 300
/** How long the page asks for nothing when the service refuses, such as to a key that has made too many requests. */
const pauseMilliseconds = 60_000

/**
 * Reads again the animals that events are about, until the signal is aborted. What they are now is asked for, so that
 * nothing older is shown than what is known.
 */
function createReader(signal: AbortSignal): (id?: bigint) => void {
  const changed = new Set<bigint>()
  let isGathering = false

  async function gather(): Promise<void> {
    if (isGathering) return
    isGathering = true
    try {
      for (let pause = gatherMilliseconds; ; ) {
        await sleep(pause, signal)
        const ids = [...changed]
        changed.clear()
        try {
          await (ids.length > pageMax
            ? refresh()
            : Promise.all([loadCounts(), showAgain(ids), showOrdersAgain(ids), showReportAgain()]))
          if (changed.size === 0) break
          pause = gatherMilliseconds
        } catch {
          for (const id of ids) changed.add(id)
          pause = pauseMilliseconds
        }
      }
    } catch {
      // The signal was aborted.
    }
    isGathering = false
  }

  return (id) => {
    if (id !== undefined) changed.add(id)
    gather()
  }
}

async function showAgain(ids: readonly bigint[]): Promise<void> {
  const shown = new Map([...chunks.value.flatMap(({ pets }) => pets), ...added.value].map((pet) => [pet.id, pet]))
  await showNew(ids.filter((id) => !shown.has(id)))
  const wanted = ids.filter((id) => shown.has(id) || opened.value?.pet?.id === id)
  if (wanted.length === 0) return
  const { items } = await petstore().pets.list({ limit: pageMax, id: wanted }).page()
  const found = new Map(items.map((pet) => [pet.id, pet]))
  const before = opened.value?.pet
  for (const id of wanted) {
    const was = shown.get(id)
    if (!was) continue
    // One that is gone keeps its place, so that nobody presses the button of the next one.
    const pet: ShownPet = found.get(id) ?? { ...was, status: 'removed' }
    if (!isSame(pet, was)) showPet(pet)
  }
  if (before && wanted.includes(before.id)) await showOpened(before, found.get(before.id))
}

/**
 * Where the newest are first, they wait until they are asked for; else they come after the last page: nothing else
 * moves.
 */
async function showNew(ids: readonly bigint[]): Promise<void> {
  const asked = sources.value
  const isNewestFirst = address.value.sort !== 'oldest'
  const isEnd = () => isNewestFirst || !next.value
  const end = [...newcomers.value, ...((isNewestFirst ? chunks.value[0] : chunks.value.at(-1))?.pets ?? [])]
  const id = ids.filter((each) => end.every((pet) => pet.id < each))
  if (id.length === 0 || !isEnd()) return
  // The service knows what fits a search.
  const pages = await Promise.all(
    asked.map((source) =>
      petstore()
        .pets.list({ ...source, limit: pageMax, id })
        .page(),
    ),
  )
  const items = [...new Map(pages.flatMap((page) => page.items.map((pet) => [pet.id, pet]))).values()]
  const last = chunks.value.at(-1)
  if (items.length === 0 || sources.value !== asked || !isEnd() || !last) return
  if (isNewestFirst) newcomers.value = [...items, ...newcomers.value]
  else chunks.value = [...chunks.value.slice(0, -1), { ...last, pets: [...last.pets, ...items] }]
}

async function showOpened(before: ShownPet, now: Pet | undefined): Promise<void> {
  const isEdited = edited.value?.before.id === before.id
  // What is typed stays, also when the animal is gone.
  if (now || !isEdited) await openPet(before.id)
  // One's own change is none of somebody else, and what can be undone stays so.
  if (isSame(now, before) || busy.value.size > 0 || message.value?.undo) return
  showMessage({ text: `Somebody else has ${now ? 'changed' : 'removed'} this animal.` })
}

/**
 * The page is read again after the place from which events are followed is known: so none is missed between the two.
 */
async function watch(signal: AbortSignal): Promise<void> {
  const read = createReader(signal)
  while (!signal.aborted)
    try {
      const { next: cursor } = await petstore().events.list({ limit: 1, from: 'now' }, { signal }).page()
      await refresh()
      isLive.value = true
      for await (const { type, data } of petstore().events.follow({ cursor }, { signal }))
        read(type.startsWith('category.') ? undefined : 'petId' in data ? data.petId : data.id)
    } catch (error) {
      isLive.value = false
      // Events that were removed before they were read: the page begins again. Else it waits.
      if (codeOf(error) !== 'events_expired') await sleep(pauseMilliseconds, signal).catch(() => {})
    }
}

export function followEvents(): void {
  // A browser opens only six connections to a service: tabs in the background leave them to others.
  const isVisible = signal(document.visibilityState === 'visible')
  document.addEventListener('visibilitychange', () => {
    isVisible.value = document.visibilityState === 'visible'
  })
  const isFollowing = computed(() => can('pets:read') && can('events:read') && isVisible.value && isOnline.value)
  effect(() => {
    if (!isFollowing.value) return
    const stop = new AbortController()
    untracked(() => watch(stop.signal))
    return () => {
      isLive.value = false
      stop.abort()
    }
  })
}
