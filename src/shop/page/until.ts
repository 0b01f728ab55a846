/** Until when a reservation lasts: the times that can be chosen with one click, and any other. */

/** The store's closing time, until which an animal is kept on its last day. */
const closingHour = 18

export const presets = ['today', 'tomorrow', 'friday', 'week', 'none'] as const
export type Preset = (typeof presets)[number]
/** A preset, a local time as a field takes it, or nothing: then the service decides. */
export type Until = { readonly preset: Preset } | { readonly local: string } | null

const friday = 5

/** The time that a preset means now; null if the reservation has no end. */
export function timeOf(preset: Preset, now: Date): Date | null {
  if (preset === 'none') return null
  const atClosing = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, closingHour, 0)
  if (preset === 'tomorrow') return atClosing(1)
  if (preset === 'week') return atClosing(7)
  if (preset === 'friday') {
    const days = (friday - now.getDay() + 7) % 7
    return atClosing(days === 0 && now >= atClosing(0) ? 7 : days)
  }
  // Who stays longer today has until midnight.
  const today = atClosing(0)
  return now < today ? today : new Date(now.getFullYear(), now.getMonth(), now.getDate(), 23, 59, 59)
}

/** As a field for a date and a time takes it: of this place, to the minute. */
export function localTime(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** As the API takes it: null for a reservation without an end, undefined where the service decides. */
export function heldUntilOf(until: Until, now: Date): string | null | undefined {
  if (until === null) return undefined
  if ('preset' in until) return timeOf(until.preset, now)?.toISOString() ?? null
  const time = new Date(until.local)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
