/** Reads what was sold and returned on a day from the events, with who did it. */
import { signal } from '@preact/signals'
import type { Event, Order, Pet } from '../../../client/src/types.ts'
import { address, pageMax } from './address.ts'
import { can, codeOf, petstore } from './session.ts'

export interface ReportRow {
  readonly at: string
  readonly what: 'sold' | 'returned'
  readonly order: Order
  readonly pet: Pet | undefined
  readonly by: string | undefined
}
export interface Report {
  readonly day: string
  readonly rows: readonly ReportRow[]
  readonly failure?: unknown
}

/** The report that is loaded; null while it is not. */
export const report = signal<Report | null>(null)

const types = ['order.completed', 'order.returned'] as const

/** Today, here. */
export const today = (): string => {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
export const isReportShown = (): boolean =>
  address.value.show === 'report' && can('orders:read') && can('events:read') && can('pets:read')

/** The first of these events with a higher id; `early` if events there are no longer kept. */
async function after(id: bigint): Promise<Event | 'early' | undefined> {
  try {
    const { items } = await petstore().events.list({ type: types, after: id, limit: 1 }).page()
    return items[0]
  } catch (error) {
    if (codeOf(error) === 'events_expired') return 'early'
    throw error
  }
}

/** An id below which no event is of that time or later: the feed begins with the oldest, and a year of it is long. */
async function startOf(from: string): Promise<bigint> {
  const isBefore = async (id: bigint): Promise<boolean> => {
    const event = await after(id)
    return event === 'early' || (event !== undefined && event.at < from)
  }
  if (!(await isBefore(0n))) return 0n
  let [low, high] = [0n, 1n]
  while (await isBefore(high)) [low, high] = [high, high * 4n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (await isBefore(middle)) low = middle
    else high = middle
  }
  return low
}

async function read(day: string): Promise<Report> {
  const start = new Date(`${day}T00:00`)
  const end = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1)
  const [from, until] = [start.toISOString(), end.toISOString()]
  const found: Event[] = []
  for await (const event of petstore().events.list({ type: types, after: await startOf(from), limit: pageMax })) {
    if (event.at >= until) break
    if (event.at >= from) found.push(event)
  }
  const ids = [...new Set(found.map(({ data }) => (data as Order).petId))]
  const pets = new Map<bigint, Pet>()
  for (let at = 0; at < ids.length; at += pageMax) {
    const { items } = await petstore()
      .pets.list({ id: ids.slice(at, at + pageMax), limit: pageMax })
      .page()
    for (const pet of items) pets.set(pet.id, pet)
  }
  const rows = found.map(({ at, type, data, by }): ReportRow => {
    const order = data as Order
    return { at, what: type === 'order.completed' ? 'sold' : 'returned', order, pet: pets.get(order.petId), by }
  })
  return { day, rows }
}

export async function loadReport(): Promise<void> {
  const day = address.value.day ?? today()
  if (report.value?.day !== day) report.value = null
  const loaded = await read(day).catch((failure): Report => ({ day, rows: [], failure }))
  if ((address.value.day ?? today()) === day) report.value = loaded
}

/** Others may have sold something. */
export async function showReportAgain(): Promise<void> {
  if (isReportShown()) await loadReport()
}
