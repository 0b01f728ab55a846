/** The history of an animal in words, with who did what. It is read when somebody opens it. */
import type { Event, Order, Pet } from '../../../../client/src/types.ts'
import { Time } from '../parts/parts.tsx'
import { categoryName } from '../state/catalogue.ts'
import { loadHistory, opened } from '../state/opened.ts'
import { timeText } from '../times.ts'
import { petWords } from '../words.ts'

/** The text for each event of an order, and the resulting status of its animal. */
const ofOrders: Readonly<Record<string, readonly [text: string, status?: Pet['status']]>> = {
  'order.placed': ['Reserved', 'pending'],
  'order.updated': ['Order changed'],
  'order.completed': ['Sold', 'sold'],
  'order.cancelled': ['Order cancelled', 'available'],
  'order.returned': ['Taken back', 'available'],
  'order.expired': ['Reservation ended', 'available'],
}

/** Describes a change of the animal, compared with its state before. */
function changeOf(now: Pet, before: Pet | undefined): string[] {
  const from = before ? `from ${categoryName(before.categoryId)} ` : ''
  return [
    before?.name !== now.name ? `Named ${now.name}${before ? `, before ${before.name}` : ''}` : '',
    before?.categoryId !== now.categoryId ? `Moved ${from}to ${categoryName(now.categoryId)}` : '',
    before?.status !== now.status ? `Marked as ${petWords[now.status]}` : '',
  ].filter(Boolean)
}

function orderText(type: string, { reference, heldUntil }: Order): string {
  const [text = type] = ofOrders[type] ?? []
  const until = heldUntil && /placed|updated/.test(type) ? ` until ${timeText(heldUntil)}` : ''
  return `${text}${reference ? ` for ${reference}` : ''}${until}`
}

interface Entry {
  readonly event: Event
  readonly text: string
}

/**
 * Returns the entries, the oldest first. A change of the status that an order has caused is only mentioned in the entry
 * of that order.
 */
function entriesOf(events: readonly Event[]): Entry[] {
  let before: Pet | undefined
  return events.flatMap((event, i) => {
    const { type, data } = event
    if (type.startsWith('order.')) return { event, text: orderText(type, data as Order) }
    const [was, now] = [before, data as Pet]
    before = now
    if (type !== 'pet.updated') return { event, text: type === 'pet.created' ? 'Added' : 'Removed' }
    const isOfOrder = [events[i - 1], events[i + 1]].some((near) => {
      const [, status] = ofOrders[near?.type ?? ''] ?? []
      return near && status === now.status && Math.abs(Date.parse(event.at) - Date.parse(near.at)) < 1_000
    })
    const text = changeOf(isOfOrder && was ? { ...now, status: was.status } : now, was).join('; ')
    return text ? { event, text } : []
  })
}

export function History() {
  const { events } = opened.value ?? {}
  const entries = entriesOf(events ?? []).reverse()
  return (
    <details class="history" onToggle={({ currentTarget }) => currentTarget.open && loadHistory()}>
      <summary>History</summary>
      {events && entries.length === 0 && <p class="quiet">No events of this animal are kept any more.</p>}
      <ol>
        {entries.map(({ event, text }) => (
          <li key={event.id}>
            <span dir="auto">{text}</span>
            <small>
              <Time at={event.at} />
              {event.by && (
                <>
                  , <bdi>{event.by}</bdi>
                </>
              )}
            </small>
          </li>
        ))}
      </ol>
    </details>
  )
}
