/** The report of a day, a week or a month: what was sold and returned, by whom, and the figures of each day. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { DaySales, Event, Order, Pet } from '../../../../client/src/types.ts'
import { codeOf } from '../refusals.ts'
import { address, pageMax, type Span } from './address.ts'
import { createQuestions } from './latest.ts'
import { can, noteLimit, petstore } from './session.ts'

export interface ReportRow {
  readonly at: string
  readonly what: 'sold' | 'returned'
  readonly order: Order
  readonly pet: Pet | undefined
  readonly by: string | undefined
}

export interface Report {
  readonly from: Date
  readonly until: Date
  readonly rows: readonly ReportRow[]
  /** The figures of each day, also where the events are no longer kept. */
  readonly days: readonly DaySales[]
  readonly failure?: unknown
}

const state = signal<Report | null>(null)
const questions = createQuestions()
/** Null while it is not loaded. */
export const report: ReadonlySignal<Report | null> = state

const types = ['order.completed', 'order.returned'] as const
/** As far back as the service counts. */
const salesDays = 366

export const isReportShown = (): boolean =>
  address.value.show === 'report' && can('orders:read', 'events:read', 'pets:read')

/** A day here, as the address has it. */
export const dayText = (date: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The days that the address asks for, here: a week begins on Monday. */
export function rangeOf(day: string | undefined, span: Span): { from: Date; until: Date } {
  const at = day ? new Date(`${day}T00:00`) : new Date()
  const [year, month, date] = [at.getFullYear(), at.getMonth(), at.getDate()]
  if (span === 'month') return { from: new Date(year, month, 1), until: new Date(year, month + 1, 1) }
  if (span === 'day') return { from: new Date(year, month, date), until: new Date(year, month, date + 1) }
  const monday = date - ((at.getDay() + 6) % 7)
  return { from: new Date(year, month, monday), until: new Date(year, month, monday + 7) }
}

async function petsOf(events: readonly Event[]): Promise<Map<bigint, Pet>> {
  const ids = [...new Set(events.map(({ data }) => (data as Order).petId))]
  const pets = new Map<bigint, Pet>()
  for (let at = 0; at < ids.length; at += pageMax) {
    const { items } = await petstore()
      .pets.list({ id: ids.slice(at, at + pageMax), limit: pageMax })
      .page()
    for (const pet of items) pets.set(pet.id, pet)
  }
  return pets
}

async function read(from: Date, until: Date): Promise<Report> {
  const found: Event[] = []
  const end = until.toISOString()
  const [days] = await Promise.all([
    petstore().sales(salesDays),
    (async () => {
      for await (const event of petstore().events.list({ type: types, since: from.toISOString(), limit: pageMax })) {
        if (event.at >= end) break
        found.push(event)
      }
    })(),
  ])
  const pets = await petsOf(found)
  const rows = found.map(({ at, type, data, by }): ReportRow => {
    const order = data as Order
    return { at, what: type === 'order.completed' ? 'sold' : 'returned', order, pet: pets.get(order.petId), by }
  })
  const [first, last] = [dayText(from), dayText(new Date(until.getTime() - 1))]
  return { from, until, rows, days: days.filter(({ day }) => day >= first && day <= last) }
}

export async function loadReport(): Promise<void> {
  const { day, span = 'day' } = address.peek()
  const { from, until } = rangeOf(day, span)
  const isLatest = questions.ask()
  if (state.peek()?.from.getTime() !== from.getTime()) state.value = null
  try {
    const loaded = await read(from, until)
    if (isLatest()) state.value = loaded
  } catch (failure) {
    if (!isLatest()) return
    noteLimit(failure)
    if (codeOf(failure) !== 'rate_limited' || !state.peek()) state.value = { from, until, rows: [], days: [], failure }
  }
}

export function forgetReport(): void {
  questions.ask()
  state.value = null
}
