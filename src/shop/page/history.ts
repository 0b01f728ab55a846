/** What has happened to an animal, and who did it, in words. */
import type { VNode } from 'preact'
import type { Event, Order, Pet } from '../../../client/src/types.ts'
import { html, Time } from './parts.ts'
import { categoryName } from './state.ts'

const ofOrders: Readonly<Record<string, string>> = {
  'order.placed': 'Ordered',
  'order.updated': 'Order changed',
  'order.completed': 'Sold',
  'order.cancelled': 'Order cancelled',
  'order.returned': 'Taken back',
  'order.expired': 'Reservation ended',
}

/** What becomes of the animal with an order. */
const caused: Readonly<Record<string, Pet['status']>> = {
  'order.placed': 'pending',
  'order.completed': 'sold',
  'order.cancelled': 'available',
  'order.returned': 'available',
  'order.expired': 'available',
}

/** What a change of the animal itself was, against how it was before. */
function changeOf(now: Pet, before: Pet | undefined): string[] {
  return [
    before?.name !== now.name ? `Named ${now.name}` : '',
    before?.categoryId !== now.categoryId ? `Moved to ${categoryName(now.categoryId)}` : '',
    before?.status !== now.status ? `Marked as ${now.status}` : '',
  ].filter(Boolean)
}

interface Entry {
  readonly event: Event
  readonly text: string
}

/** The oldest first. What an order does to the status of its animal is told once, as that order's. */
function entriesOf(events: readonly Event[]): Entry[] {
  let before: Pet | undefined
  return events.flatMap((event, i) => {
    const { type, data } = event
    if (type.startsWith('order.')) {
      const { reference } = data as Order
      return { event, text: `${ofOrders[type] ?? type}${reference ? ` for ${reference}` : ''}` }
    }
    const [was, now] = [before, data as Pet]
    before = now
    if (type !== 'pet.updated') return { event, text: type === 'pet.created' ? 'Added' : 'Removed' }
    const isOfOrder = [events[i - 1], events[i + 1]].some(
      (near) =>
        near && caused[near.type] === now.status && Math.abs(Date.parse(event.at) - Date.parse(near.at)) < 1_000,
    )
    const text = changeOf(isOfOrder && was ? { ...now, status: was.status } : now, was).join(', ')
    return text ? { event, text } : []
  })
}

export function History({ events }: { events: readonly Event[] }): VNode | false {
  const entries = entriesOf(events).reverse()
  return (
    entries.length > 0 &&
    html`<section class="history" aria-labelledby="history-title">
      <h3 id="history-title">History</h3>
      <ol>
        ${entries.map(
          ({ event, text }) => html`<li key=${event.id}>
            <span dir="auto">${text}</span>
            <small><${Time} at=${event.at} />${event.by && html`, <bdi>${event.by}</bdi>`}</small>
          </li>`,
        )}
      </ol>
    </section>`
  )
}
