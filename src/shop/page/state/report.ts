/**
 * The report of a day, a week or a month. Its figures are those of the service, which counts by days of UTC, so its
 * days are in UTC. The events say who did what for whom, for as long as they are kept.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { DaySales, Event, Order, Pet } from '../../../../client/src/types.ts'
import { codeOf } from '../refusals.ts'
import { address, pageMax, type Span } from './address.ts'
import { now } from './clock.ts'
import { createQuestions } from './latest.ts'
import { can, noteLimit, petstore } from './session.ts'

/**
 * A sale that is returned within this time, on the same day and with the same key, was a mistake and counts as neither.
 */
export const undoneMinutes = 15

export interface ReportLine {
  readonly at: string
  readonly what: 'sold' | 'returned' | 'undone'
  readonly order: Order
  readonly pet: Pet | undefined
  readonly by: string | undefined
}

export interface Figures {
  readonly sold: number
  readonly returned: number
  readonly undone: number
}

/** A day with its figures. `nameless` is the number of sales and returns without a line. */
export interface ReportDay extends Figures {
  readonly day: string
  readonly lines: readonly ReportLine[]
  readonly nameless: Pick<Figures, 'sold' | 'returned'>
}

/** Days in UTC. The last one is excluded. */
export interface Range {
  readonly from: string
  readonly until: string
}

interface Loaded extends Range {
  readonly sales: readonly DaySales[]
  readonly events: readonly Event[]
  readonly pets: ReadonlyMap<bigint, Pet>
  /** The cursor of events that are still to come, or undefined once the range is over. */
  readonly cursor?: string | undefined
  readonly failure?: unknown
}

const dayMs = 86_400_000
/** The service counts this many days. */
const salesDays = 366
/** A person does not read more sales and returns in one report. Further ones are counted without names. */
export const linesMax = 2_000
/** The number of concurrent requests. A browser has six connections, and some must stay free. */
const atOnce = 3
const types = ['order.completed', 'order.returned'] as const

const state = signal<Loaded | null>(null)
const questions = createQuestions()

export const isReportShown = (): boolean =>
  address.value.show === 'report' && can('orders:read', 'events:read', 'pets:read')

export const dayOf = (at: string | number): string => new Date(at).toISOString().slice(0, 10)
const present = computed(() => dayOf(now.value))
export const today = (): string => present.value
export const firstDay = (): string => dayAfter(today(), 1 - salesDays)
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayAfter = (day: string, days: number): string => dayOf(startOf(day) + days * dayMs)

/** The day of the address, or today if the address has no valid day. */
export function dayShown(): string {
  const { day } = address.value
  const isDay = day && !Number.isNaN(startOf(day)) && dayOf(startOf(day)) === day
  return isDay ? day : today()
}

/**
 * Returns the range around a day. A week begins on Monday. `step` is -1 for the range before, and 1 for the one after.
 */
export function rangeOf(day: string, span: Span, step = 0): Range {
  if (span === 'month') {
    const date = new Date(startOf(day))
    const first = (more: number) => dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + step + more, 1))
    return { from: first(0), until: first(1) }
  }
  const days = span === 'week' ? 7 : 1
  const before = span === 'week' ? (new Date(startOf(day)).getUTCDay() + 6) % 7 : 0
  const from = dayAfter(day, step * days - before)
  return { from, until: dayAfter(from, days) }
}

export const daysIn = ({ from, until }: Range): string[] =>
  Array.from({ length: Math.round((startOf(until) - startOf(from)) / dayMs) }, (_, i) => dayAfter(from, i))

/** Returns the sales and returns in the events, the oldest first. A sale that was undone is one line. */
function linesOf(events: readonly Event[], pets: ReadonlyMap<bigint, Pet>): ReportLine[] {
  const sales = new Map(events.flatMap((event) => (event.type === 'order.completed' ? [[event.data.id, event]] : [])))
  const undone = new Set<Event>()
  const lines = events.map((event): ReportLine => {
    const { at, type, by } = event
    const order = event.data as Order
    const line = { at, order, pet: pets.get(order.petId), by }
    if (type === 'order.completed') return { ...line, what: 'sold' }
    const sale = sales.get(order.id)
    const isSoon = sale && Date.parse(at) - Date.parse(sale.at) <= undoneMinutes * 60_000
    if (!sale || !isSoon || sale.by !== by || dayOf(sale.at) !== dayOf(at)) return { ...line, what: 'returned' }
    undone.add(sale)
    return { ...line, what: 'undone' }
  })
  return lines.filter((_, i) => !undone.has(events[i] as Event))
}

const count = (lines: readonly ReportLine[], what: ReportLine['what']): number =>
  lines.filter((line) => line.what === what).length

export function figuresOf(parts: readonly Figures[]): Figures {
  const sum = (name: keyof Figures) => parts.reduce((total, each) => total + each[name], 0)
  return { sold: sum('sold'), returned: sum('returned'), undone: sum('undone') }
}
export const figuresOfLines = (lines: readonly ReportLine[]): Figures => ({
  sold: count(lines, 'sold'),
  returned: count(lines, 'returned'),
  undone: count(lines, 'undone'),
})

/** The service counts a sale that was undone as a sale and as a return. Here it counts as neither. */
function dayWith(sales: DaySales | undefined, day: string, lines: readonly ReportLine[]): ReportDay {
  const named = figuresOfLines(lines)
  const nameless = {
    sold: Math.max(0, (sales?.sold ?? 0) - named.sold - named.undone),
    returned: Math.max(0, (sales?.returned ?? 0) - named.returned - named.undone),
  }
  const { undone } = named
  return {
    day,
    lines,
    nameless,
    undone,
    sold: named.sold + nameless.sold,
    returned: named.returned + nameless.returned,
  }
}

export interface Report extends Range {
  /** The days up to today. */
  readonly days: readonly ReportDay[]
  readonly failure?: unknown
}

/** Null until the report is loaded. */
export const report: ReadonlySignal<Report | null> = computed(() => {
  if (!state.value) return null
  const { from, until, sales, events, pets, failure } = state.value
  const figures = new Map(sales.map((each) => [each.day, each]))
  const lines = Map.groupBy(linesOf(events, pets), ({ at }) => dayOf(at))
  const days = daysIn({ from, until }).filter((day) => day <= today())
  return { from, until, failure, days: days.map((day) => dayWith(figures.get(day), day, lines.get(day) ?? [])) }
})

type Read = Pick<Loaded, 'events' | 'cursor'>

/** Reads the sales and returns from a day on, or after those that are known, until the range is over. */
async function readEvents({ from, until }: Range, before: Read, isLatest: () => boolean): Promise<Read> {
  const end = `${until}T00:00:00.000Z`
  const events = [...before.events]
  let { cursor } = before
  while (events.length < linesMax && isLatest()) {
    const start = cursor === undefined ? { since: `${from}T00:00:00.000Z` } : { cursor }
    const page = await petstore()
      .events.list({ type: types, limit: pageMax, ...start })
      .page()
    const known = new Set(events.map(({ id }) => id))
    events.push(...page.items.filter(({ id, at }) => at < end && !known.has(id)))
    if (page.items.some(({ at }) => at >= end)) return { events }
    if (page.next === cursor) break
    cursor = page.next
  }
  return { events, cursor }
}

/** Returns what is known, together with new events, or undefined if the events must be read. */
function withHeard(before: Loaded | undefined, heard: readonly Event[]): Read | undefined {
  if (!before || before.failure) return undefined
  // The range is over, or contains more than is listed.
  if (before.cursor === undefined || (heard.length > 0 && before.events.length >= linesMax)) return before
  if (heard.length === 0) return undefined
  const known = new Set(before.events.map(({ id }) => id))
  const fresh = heard.filter(({ id, at }) => !known.has(id) && at < `${before.until}T`)
  return { events: [...before.events, ...fresh], cursor: before.cursor }
}

async function readPets(events: readonly Event[], known: ReadonlyMap<bigint, Pet>): Promise<Map<bigint, Pet>> {
  const pets = new Map(known)
  const ids = [...new Set(events.map(({ data }) => (data as Order).petId))].filter((id) => !pets.has(id))
  const rest = Array.from({ length: Math.ceil(ids.length / pageMax) }, (_, i) =>
    ids.slice(i * pageMax, (i + 1) * pageMax),
  ).values()
  const work = async () => {
    for (const id of rest)
      for (const pet of (await petstore().pets.list({ id, limit: pageMax }).page()).items) pets.set(pet.id, pet)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return pets
}

async function read(
  range: Range,
  before: Loaded | undefined,
  heard: readonly Event[],
  isLatest: () => boolean,
): Promise<Loaded> {
  const days = Math.min(salesDays, Math.max(1, (startOf(today()) - startOf(range.from)) / dayMs + 1))
  // The figures are read first, so that the events contain everything that happens meanwhile.
  const sales = await petstore().sales(days)
  const found = withHeard(before, heard) ?? (await readEvents(range, before ?? { events: [] }, isLatest))
  return {
    ...range,
    ...found,
    sales,
    pets: isLatest() ? await readPets(found.events, before?.pets ?? new Map()) : new Map(),
  }
}

/**
 * Reads the report of the address. If it is already shown, only what has come since is read. If events have just
 * reported that, only the figures and the names of animals are read.
 */
export async function loadReport(heard: readonly Event[] = []): Promise<void> {
  const { span = 'day' } = address.peek()
  const range = rangeOf(dayShown(), span)
  const isLatest = questions.ask()
  const before = state.peek()
  const isSame = before?.from === range.from && before.until === range.until && !before.failure
  if (!isSame) state.value = null
  const nothing = { ...range, events: [], sales: [], pets: new Map<bigint, Pet>() }
  try {
    const loaded = await read(range, isSame ? before : undefined, heard, isLatest).catch((error) => {
      // If events after the known position were removed or lost, the report begins again.
      if (codeOf(error) !== 'events_expired' || !isSame) throw error
      return read(range, undefined, [], isLatest)
    })
    if (isLatest()) state.value = loaded
  } catch (failure) {
    if (!isLatest()) return
    noteLimit(failure)
    // A key that has to wait is told so, and the page asks again by itself.
    const isKept = isSame && codeOf(failure) === 'rate_limited'
    if (!isKept) state.value = { ...(isSame ? before : nothing), failure }
  }
}

export function forgetReport(): void {
  questions.ask()
  state.value = null
}
