/** The words of the page: names of statuses, how counts and names are written, and how names are compared. */
import type { OrderStatus, PetStatus } from '../../../client/src/types.ts'

/** The words of staff for the status of an animal. `pending` is only a word of the API. */
export const petWords: Readonly<Record<PetStatus | 'removed', string>> = {
  available: 'available',
  pending: 'reserved',
  sold: 'sold',
  removed: 'removed',
}
/** The words of staff for the state of an order. `placed` is only a word of the API. */
export const orderWords: Readonly<Record<OrderStatus, string>> = {
  placed: 'open',
  completed: 'completed',
  cancelled: 'cancelled',
  returned: 'returned',
  expired: 'expired',
}

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Writes a count with separated thousands. */
export const number = (count: number): string => count.toLocaleString('en')
const counted = (count: number, one: string): string => `${number(count)} ${one}${count === 1 ? '' : 's'}`
export const animals = (count: number): string => counted(count, 'animal')
export const ordersOf = (count: number): string => counted(count, 'order')

/**
 * A text for a person. Names stand apart, so that a name that is written from right to left does not reorder the rest.
 */
export type Said = readonly (string | { readonly name: string })[]

/** Joins texts and things with a name, as in say`${pet} is sold.` */
export const say = (
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | bigint | { readonly name: string })[]
): Said =>
  texts.flatMap((text, i) => {
    const part = parts[i]
    if (part === undefined) return [text]
    return [text, typeof part === 'object' ? { name: shortened(part.name) } : String(part)]
  })

function shortened(name: string): string {
  const letters = [...name]
  return letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : name
}

export const byName = new Intl.Collator(undefined, { numeric: true })
export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
export const wordsIn = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the number that a person means with `42`, `#42` or `19,437`. */
export function numberIn(text: string): bigint | undefined {
  const [, digits] = /^#?(\d{1,19}|\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+)$/.exec(text.trim()) ?? []
  return digits === undefined ? undefined : int64(digits.replace(/\D/g, ''))
}

export function int64(text: string | null): bigint | undefined {
  if (text === null || !/^-?\d{1,19}$/.test(text)) return undefined
  const id = BigInt.asIntN(64, BigInt(text))
  return String(id) === text ? id : undefined
}
