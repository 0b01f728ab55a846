/** Changes by others appear by themselves. The page follows the events, and marks what they make stale. */
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { sleep } from '../../../client/src/answer.ts'
import type { Event, Order } from '../../../client/src/types.ts'
import { codeOf } from './refusals.ts'
import { addEvent, putOrderOfOpened } from './state/opened.ts'
import { isJoining, putOrder } from './state/orders.ts'
import { can, isOnline, petstore, takePlace } from './state/session.ts'
import { markStale } from './state/stale.ts'

/** How long the page asks for nothing after a refusal, such as to a key that has made too many requests. */
const pauseMs = 60_000

const live = signal(false)
/** Whether changes by others appear by themselves. */
export const isLive: ReadonlySignal<boolean> = live

/** Shows an order as its event contains it, and marks its animal to be read. */
function take(event: Event): void {
  const { type, data } = event
  addEvent(event)
  if (type.startsWith('category.')) markStale({ categories: true })
  else if (type.startsWith('order.')) takeOrder(event, data as Order)
  else markStale({ counts: true, pets: [data.id] })
}

function takeOrder(event: Event, order: Order): void {
  putOrder(order)
  putOrderOfOpened(order)
  const isSale = event.type === 'order.completed' || event.type === 'order.returned'
  markStale({ orderCounts: true, newOrders: isJoining(order) ? [order] : [], ...(isSale && { sales: [event] }) })
}

/**
 * Follows the events. Everything is read after the position is known from which events are followed, so that none is
 * missed in between. The first position is known before anything is read.
 */
async function watch(stop: AbortSignal): Promise<void> {
  while (!stop.aborted)
    try {
      let cursor = takePlace()
      if (cursor === undefined) {
        cursor = (await petstore().events.list({ limit: 1, from: 'now' }, { signal: stop }).page()).next
        markStale({ everything: true })
      }
      live.value = true
      for await (const event of petstore().events.follow({ cursor }, { signal: stop })) take(event)
    } catch (error) {
      live.value = false
      // If events were removed before they were read, the page begins again. Otherwise it waits.
      if (codeOf(error) !== 'events_expired') await sleep(pauseMs, stop).catch(() => {})
    }
}

export function startLive(): void {
  // A browser opens only six connections to a service, so tabs in the background leave them to others.
  const isVisible = signal(document.visibilityState === 'visible')
  document.addEventListener('visibilitychange', () => {
    isVisible.value = document.visibilityState === 'visible'
  })
  const isFollowing = computed(() => can('pets:read', 'events:read') && isVisible.value && isOnline.value)
  effect(() => {
    if (!isFollowing.value) return
    const stop = new AbortController()
    untracked(() => watch(stop.signal))
    return () => {
      live.value = false
      stop.abort()
    }
  })
}
