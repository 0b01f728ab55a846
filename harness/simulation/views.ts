/** What lists and counts must show after an event. */
import type { Order } from '../order.ts'
import { parse, stringify } from './exact-json.ts'
import { byNumber, type Ledger, type Moment, type Pet, type Row } from './ledger.ts'
import type { Ask, Call } from './requests.ts'

const day = 24 * 60 * 60 * 1000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The answer to a request that changes nothing. */
export function shownTo({ ask, at }: Pick<Call, 'ask' | 'at'>, ledger: Ledger, moment: Moment): string | undefined {
  switch (ask.kind) {
    case 'get':
      return ledger.textOf(ask.of, ask.id, moment)
    case 'list':
      return pageOf(ledger, ask, moment)
    case 'orders': {
      const shown = ledger.versions('order', moment).filter(({ row }) => isShown(ledger, ask, row, moment))
      return `[${[...shown.take(10)].map(({ json }) => json)}]`
    }
    case 'counts':
      return countsOf(ledger, moment)
    case 'orderCounts':
      return orderCountsOf(ledger, at, moment)
    case 'categories':
      return categoriesOf(ledger, moment)
    case 'sales':
      return stringify([dayOf(at - day), dayOf(at)].map((wanted) => daySales(ledger, wanted, moment)))
    default:
      return undefined
  }
}

/**
 * Whether a list of orders shows this order. Each word of the search must begin a word of the reference or of the
 * animal's name, or be a number of the order.
 */
function isShown(ledger: Ledger, { reference, search }: Ask & { kind: 'orders' }, order: Row, moment: Moment): boolean {
  if (reference !== undefined && order.reference !== reference) return false
  if (search === undefined) return true
  const { name } = parse(ledger.textOf('pet', order.petId, moment) ?? '{"name":""}') as Pet
  const words = wordsOf(`${order.reference ?? ''} ${name}`)
  const numbers = [String(order.id), String(order.petId)]
  return wordsOf(search).every((each) => numbers.includes(each) || words.some((word) => word.startsWith(each)))
}

type List = Ask & { kind: 'list' }
function pageOf(ledger: Ledger, { status, categoryId, search, limit }: List, moment: Moment): string {
  const isShown = (pet: Row): boolean =>
    (status === undefined || pet.status === status) &&
    (categoryId === undefined || pet.categoryId === categoryId) &&
    (search === undefined || wordsOf(pet.name).some((word) => word.startsWith(search)))
  const shown: string[] = []
  for (const { row, json = '' } of ledger.versions('pet', moment)) if (isShown(row) && shown.push(json) === limit) break
  return `[${shown}]`
}

/**
 * Returns the category with a name: the lowest of those with exactly this spelling, or else of those with the same
 * words.
 */
export function madeBefore(ledger: Ledger, name: string, moment: Moment): string | undefined {
  const folded = (text: string) => wordsOf(text).filter(Boolean).join(' ')
  const all = [...ledger.versions('category', moment)].sort((a, b) => byNumber(a.row.id, b.row.id))
  const exact = all.find(({ row }) => row.name === name)
  return (exact ?? all.find(({ row }) => folded(row.name) === folded(name)))?.json
}

/** Returns the number that a new category gets. */
export function nextNumber(ledger: Ledger, moment: Moment): number {
  const names = [...ledger.versions('category', moment)].map(({ row }) => row.id)
  const animals = [...ledger.versions('pet', moment)].map(({ row }) => row.categoryId)
  // Large numbers, which clients choose, have no influence on it.
  const short = [...names, ...animals].filter((number) => number < 1_000)
  return Math.max(0, ...short) + 1
}

const wordsOf = (name: string): string[] => name.toLowerCase().split(/[^a-z0-9]+/)

function countsOf(ledger: Ledger, moment: Moment): string {
  const counts = { available: 0, pending: 0, sold: 0 }
  for (const { row } of ledger.versions('pet', moment)) counts[row.status as Pet['status']]++
  return stringify(counts)
}

function orderCountsOf(ledger: Ledger, at: number, moment: Moment): string {
  const counts = { placed: 0, completed: 0, cancelled: 0, returned: 0, expired: 0, dueToday: 0 }
  for (const { row } of ledger.versions('order', moment)) {
    counts[row.status as Order['status']]++
    if (row.status === 'placed' && endOf(row) > at && endOf(row) <= at + day) counts.dueToday++
  }
  return stringify(counts)
}

/** For an order that never expires this is NaN, which is neither before nor after any time. */
const endOf = ({ heldUntil = '' }: Row): number => Date.parse(heldUntil)

/**
 * Returns the times, up to `until`, from which the answer to a request may change without any event: a day may end, and
 * an order may become due or be over.
 */
export function timesOf({ ask, at }: Pick<Call, 'ask' | 'at'>, until: number, ledger: Ledger, moment: Moment) {
  const times = [at, until]
  if (ask.kind === 'orderCounts')
    for (const { row } of ledger.versions('order', moment))
      times.push(...[endOf(row), endOf(row) - day].filter((time) => time > at && time < until))
  return times
}

/** Returns the categories that have animals or a name. */
function categoriesOf(ledger: Ledger, moment: Moment): string {
  const all = new Map<number, Record<Pet['status'], number> & { categoryId: number; name?: string }>()
  const none = { available: 0, pending: 0, sold: 0 }
  for (const { row } of ledger.versions('category', moment))
    all.set(row.id, { categoryId: row.id, name: row.name, ...none })
  for (const { row } of ledger.versions('pet', moment)) {
    const counts = all.get(row.categoryId) ?? { categoryId: row.categoryId, ...none }
    counts[row.status as Pet['status']]++
    all.set(row.categoryId, counts)
  }
  const page = [...all].sort(([a], [b]) => byNumber(a, b)).slice(0, 100)
  return stringify(page.map(([, counts]) => counts))
}

/** Returns the animals added, sold and returned on a day, by the time of the events. */
export function daySales(
  ledger: Ledger,
  wanted: string,
  moment: Moment = ledger.last,
): { day: string; added: number; sold: number; returned: number } {
  const sales = { day: wanted, added: 0, sold: 0, returned: 0 }
  for (const sale of ledger.sales) {
    if (sale.day !== wanted || !ledger.counts(sale, moment)) continue
    sales.added += sale.added
    sales.sold += sale.sold
    sales.returned += sale.returned
  }
  return sales
}
