/** Events as server-sent events. What is no event carries no `id`, or nothing else: it sets where the client would resume. */
import type { Following } from '../http/operation.ts'
import { type EventPosition, positionText } from '../model/event.ts'
import type { StoredEvent } from '../store/store.ts'

/** How soon a client connects again by itself. */
const retryMilliseconds = 2_000

const encode = (text: string): Uint8Array => Buffer.from(text)
const textOf = (event: StoredEvent): string =>
  `id: ${positionText(event)}\nevent: ${event.type}\ndata: ${event.json}\n\n`

export const framesOf = (events: readonly StoredEvent[]): Uint8Array => encode(events.map(textOf).join(''))

/** The first bytes of a stream, with the events until `position`: a client that loses the connection resumes from there. */
export const opening = (events: readonly StoredEvent[], position: EventPosition): Uint8Array =>
  encode(`retry: ${retryMilliseconds}\n\n${events.map(textOf).join('')}id: ${positionText(position)}\n\n`)

/** A comment, and how far the stream has come: without it, one whose filter matches nothing would resume from where it began. */
export const positionFrame = (position: EventPosition): Uint8Array => encode(`:\nid: ${positionText(position)}\n\n`)

export const closing = encode('event: closing\ndata: {}\n\n')

export const isOfInterest = (event: StoredEvent, { types, petId }: Pick<Following, 'types' | 'petId'>): boolean =>
  (types === undefined || types.includes(event.type)) && (petId === undefined || event.petId === Number(petId))
