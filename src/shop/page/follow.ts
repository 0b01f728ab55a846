/** What the page does by itself. It follows the address, the key, the connection, and whether its tab is visible. */
import { batch, computed, effect, type ReadonlySignal, untracked } from '@preact/signals'
import { dropKey, endAll, key, shareKey } from '../../reference/docs/shared-key.ts'
import { address, filter } from './state/address.ts'
import { forgetAnimals, loadFirst } from './state/animals.ts'
import { forgetCatalogue, loadCategories, loadInventory } from './state/catalogue.ts'
import { forgetDrafts } from './state/drafts.ts'
import { dismissWaiting, forgetMessages, tell } from './state/messages.ts'
import { forgetOpened, openPet } from './state/opened.ts'
import { areOrdersShown, forgetOrders, loadOrders } from './state/orders.ts'
import { forgetReport, isReportShown, loadReport } from './state/report.ts'
import { forgetSearch } from './state/search.ts'
import { forgetSelection } from './state/selection.ts'
import { can, endPause, endSession, forgetSession, isOnline, me, pauseMs, setOnline, signIn } from './state/session.ts'
import { forgetSheet } from './state/sheets.ts'
import { markStale } from './state/stale.ts'

/** How often the page tries to reach the service while there is no connection. */
const retryMs = 5_000

/** Removes everything of this person, so that the next person to sign in finds nothing. */
function forget(): void {
  batch(() => {
    dropKey()
    forgetSession()
    for (const each of [forgetMessages, forgetDrafts, forgetSelection, forgetSheet, forgetSearch, forgetOpened]) each()
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
  const report = computed(() => isReportShown() && `${address.value.day} ${address.value.span}`)
  whenever(report, () => loadReport())
  const openId = computed(() => (isReader.value ? address.value.pet : undefined))
  effect(() => {
    const id = openId.value
    untracked(() => (id === undefined ? forgetOpened() : openPet(id)))
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

export function startFollowing(): void {
  effect(() => {
    if (key.value === null && me.value) untracked(endSession)
  })
  followAddress()
  followConnection()
  effect(() => {
    const given = key.value
    untracked(() => {
      if (given !== null && !me.value) signIn(given)
    })
  })
  shareKey(forget)
}
