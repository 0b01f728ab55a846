/** What the page does by itself. It follows the address, the key, the connection, and whether its tab is visible. */
import { batch, computed, effect, type ReadonlySignal, untracked } from '@preact/signals'
import { dropKey, endAll, key, shareKey } from '../../reference/docs/shared-key.ts'
import { address, filter } from './state/address.ts'
import { forgetAnimals, loadFirst } from './state/animals.ts'
import { forgetCatalogue, loadCategories, loadInventory } from './state/catalogue.ts'
import { now } from './state/clock.ts'
import { forgetDrafts, personOfDrafts, setPersonOfDrafts } from './state/drafts.ts'
import { dismissWaiting, forgetMessages, tell } from './state/messages.ts'
import { forgetOpened, openPet } from './state/opened.ts'
import { areOrdersShown, forgetOrders, loadOrders } from './state/orders.ts'
import { dayShown, forgetReport, isReportShown, loadReport, today } from './state/report.ts'
import { forgetSearch } from './state/search.ts'
import { forgetSelection } from './state/selection.ts'
import {
  can,
  endCalls,
  endPause,
  endSession,
  forgetSession,
  isOnline,
  me,
  pauseMs,
  setOnline,
  signIn,
} from './state/session.ts'
import { forgetSheet } from './state/sheets.ts'
import { markStale } from './state/stale.ts'
import { endOfDay } from './times.ts'

/** How often the page tries to reach the service while there is no connection. */
const retryMs = 5_000

/** Removes what this person has begun, typed and selected. */
function forgetWork(): void {
  batch(() => {
    for (const each of [endCalls, forgetMessages, forgetDrafts, forgetSelection, forgetSheet]) each()
  })
}

/** Removes everything of this person, so that the next person to sign in finds nothing. */
function forget(): void {
  batch(() => {
    dropKey()
    forgetSession()
    forgetWork()
    for (const each of [forgetSearch, forgetOpened]) each()
    for (const each of [forgetAnimals, forgetCatalogue, forgetOrders, forgetReport]) each()
  })
}

/** Signs out in all tabs. */
export function signOut(): void {
  forget()
  endAll()
}

/** Runs something for each new value of a signal, unless the value is undefined or false. */
function whenever<T>(value: ReadonlySignal<T>, run: (value: Exclude<T, undefined | false>) => unknown): void {
  effect(() => {
    const now = value.value
    if (now !== undefined && now !== false) untracked(() => run(now as Exclude<T, undefined | false>))
  })
}

/** Reads what the address asks for as soon as the address changes. */
function followAddress(): void {
  const isReader = computed(() => can('pets:read'))
  const isListing = computed(() => isReader.value && address.value.show === undefined)
  whenever(isReader, () => loadCategories().catch(tell))
  whenever(isListing, () => loadInventory().catch(tell))
  const list = computed(() => isReader.value && filter.value)
  whenever(list, loadFirst)
  const orders = computed(() => areOrdersShown() && `${address.value.tab} ${address.value.find}`)
  whenever(orders, loadOrders)
  const report = computed(() => isReportShown() && `${dayShown()} ${address.value.span} ${today()}`)
  whenever(report, () => loadReport())
  const openId = computed(() => (isReader.value ? address.value.pet : undefined))
  effect(() => {
    const id = openId.value
    untracked(() => (id === undefined ? forgetOpened() : openPet(id)))
  })
}

/** Reads everything again after midnight, because other orders are due then. */
function followDay(): void {
  const day = computed(() => endOfDay(now.value))
  let last = day.peek()
  effect(() => {
    if (day.value === last) return
    last = day.value
    untracked(() => markStale({ everything: true }))
  })
}

function followConnection(): void {
  const lookAgain = () => markStale({ everything: true })
  effect(() => {
    if (isOnline.value) return
    const retries = setInterval(lookAgain, retryMs)
    return () => clearInterval(retries)
  })
  effect(() => {
    if (pauseMs.value === 0) return
    const again = setTimeout(() => {
      endPause()
      dismissWaiting()
      lookAgain()
    }, pauseMs.value)
    return () => clearTimeout(again)
  })
  addEventListener('offline', () => setOnline(false))
  addEventListener('online', lookAgain)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') markStale({ anew: true })
  })
}

/** Removes what a person whose key has expired has left, when somebody else signs in. */
function followPerson(): void {
  effect(() => {
    const name = me.value?.name
    if (name === undefined) return
    untracked(() => {
      if (![undefined, name].includes(personOfDrafts())) forgetWork()
      setPersonOfDrafts(name)
    })
  })
}

export function startFollowing(): void {
  effect(() => {
    if (key.value === null && me.value) untracked(endSession)
  })
  followPerson()
  followAddress()
  followConnection()
  followDay()
  effect(() => {
    const given = key.value
    untracked(() => {
      if (given !== null && !me.value) signIn(given)
    })
  })
  shareKey(forget)
}
