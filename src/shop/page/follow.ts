/** What the page does by itself: it follows the address, the key, the connection, time and the eyes of the reader. */
import { computed, effect, type Signal, untracked } from '@preact/signals'
import { endAll, key, shareKey } from '../../reference/docs/shared-key.ts'
import { address, go } from './address.ts'
import { dropAnswers, loadCounts, loadFirst, openPet, refresh } from './load.ts'
import { areOrdersShown, loadOrders } from './load-orders.ts'
import { isReportShown, loadReport, report } from './load-report.ts'
import { sources } from './pages.ts'
import { can, isOnline, me, pause, refusal, signIn } from './session.ts'
import { forget, message, opened, searched, showMessage, sought, tell } from './state.ts'

/** How long somebody who types pauses when what is typed is to be searched for. */
const pauseMilliseconds = 150

function leave(): void {
  dropAnswers()
  report.value = null
  forget()
}

/** In all tabs. */
export function signOut(): void {
  leave()
  endAll()
}

/**
 * Searches for what is typed, once the person pauses; a search that comes with the address is shown as if it had been
 * typed.
 */
function followSearch(field: Signal<string>, name: 'search' | 'find'): void {
  const given = computed(() => address.value[name] ?? '')
  effect(() => {
    const search = given.value
    untracked(() => {
      if (field.value.trim() !== search) field.value = search
    })
  })
  effect(() => {
    const text = field.value.trim()
    if (text === untracked(() => given.value)) return
    const pause = setTimeout(() => go({ [name]: text || undefined }, true), text ? pauseMilliseconds : 0)
    return () => clearTimeout(pause)
  })
}

/** Follows the address, the key, the connection and the eyes of the reader. */
export function follow(): void {
  effect(() => {
    if (key.value !== null || !me.value) return
    refusal.value = 'This key is no longer valid. Enter another one; nothing you typed is lost.'
    me.value = null
  })
  followSearch(searched, 'search')
  followSearch(sought, 'find')
  const isReader = computed(() => can('pets:read'))
  effect(() => {
    if (isReader.value) untracked(() => loadCounts().catch(tell))
  })
  const isByName = computed(() => address.value.sort === 'name')
  effect(() => {
    isByName.value
    if (isReader.value && sources.value) untracked(loadFirst)
  })
  const orderList = computed(() => areOrdersShown() && `${address.value.tab} ${address.value.find}`)
  effect(() => {
    if (orderList.value) untracked(loadOrders)
  })
  const reportDay = computed(() => isReportShown() && (address.value.day ?? 'today'))
  effect(() => {
    if (reportDay.value) untracked(loadReport)
  })
  const openId = computed(() => (isReader.value ? address.value.pet : undefined))
  effect(() => {
    const id = openId.value
    untracked(() => {
      if (id === undefined) opened.value = null
      else openPet(id)
    })
  })
  effect(() => {
    if (isOnline.value) return
    const retries = setInterval(refresh, 5_000)
    return () => clearInterval(retries)
  })
  effect(() => {
    if (pause.value === 0) return
    const again = setTimeout(() => {
      pause.value = 0
      if (message.value?.isWaiting) showMessage(null)
      refresh()
    }, pause.value)
    return () => clearTimeout(again)
  })
  addEventListener('offline', () => {
    isOnline.value = false
  })
  addEventListener('online', refresh)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh())
  effect(() => {
    const given = key.value
    untracked(() => {
      if (given !== null && !me.value) signIn(given)
    })
  })
  shareKey(leave)
}
