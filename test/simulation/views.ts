/** What lists and counts must show after an event. */
import type { Ledger, Pet } from './ledger.ts'
import type { Ask } from './requests.ts'

const day = 24 * 60 * 60 * 1000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

export function pageOf(
  ledger: Ledger,
  { status, categoryId, search, limit }: Ask & { kind: 'list' },
  moment: number,
): string {
  const isShown = (text: string): boolean => {
    const pet: Pet = JSON.parse(text)
    const words = pet.name.toLowerCase().split(/[^a-z0-9]+/)
    return (
      (status === undefined || pet.status === status) &&
      (categoryId === undefined || pet.categoryId === categoryId) &&
      (search === undefined || words.some((word) => word.startsWith(search)))
    )
  }
  return `[${ledger.rows('pet', moment).filter(isShown).slice(0, limit).join()}]`
}

export function countsOf(ledger: Ledger, moment = ledger.last): string {
  const counts = { available: 0, pending: 0, sold: 0 }
  for (const text of ledger.rows('pet', moment)) counts[(JSON.parse(text) as Pet).status]++
  return JSON.stringify(counts)
}

/** Those that have animals or a name. */
export function categoriesOf(ledger: Ledger, moment: number): string {
  const all = new Map<number, object>()
  for (const text of ledger.rows('category', moment)) {
    const { id, name } = JSON.parse(text)
    all.set(id, { categoryId: id, name, available: 0, pending: 0, sold: 0 })
  }
  for (const text of ledger.rows('pet', moment)) {
    const { categoryId: id, status } = JSON.parse(text) as Pet
    const counts = (all.get(id) ?? { categoryId: id, available: 0, pending: 0, sold: 0 }) as Record<string, number>
    all.set(id, { ...counts, [status]: (counts[status] ?? 0) + 1 })
  }
  return JSON.stringify([...all].sort(([a], [b]) => a - b).map(([, counts]) => counts))
}

/** Animals added, sold and returned on a day, by the time of the events. */
export function daySales(
  ledger: Ledger,
  wanted: string,
  moment = ledger.last,
): { day: string; added: number; sold: number; returned: number } {
  const sales = { day: wanted, added: 0, sold: 0, returned: 0 }
  for (const { id, at, type, data } of ledger.events.slice(0, moment)) {
    if (!type.startsWith('pet.') || dayOf(at) !== wanted) continue
    const pet: Pet = JSON.parse(data)
    const was = ledger.rowOf('pet', pet.id, id - 1)?.status
    if (type === 'pet.created') sales.added++
    if (type !== 'pet.updated' || was === pet.status) continue
    if (pet.status === 'sold') sales.sold++
    if (was === 'sold') sales.returned++
  }
  return sales
}

/** Those of yesterday and today. */
export function salesOf(ledger: Ledger, now: number, moment: number): string {
  return JSON.stringify([dayOf(now - day), dayOf(now)].map((wanted) => daySales(ledger, wanted, moment)))
}
