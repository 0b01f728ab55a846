/** Until when a reservation lasts: the times that can be chosen with one click, and any other time. */

/** The store closes at this hour, until which an animal is kept on its last day. */
const closingHour = 18

export const presets = ['today', 'tomorrow', 'friday', 'week', 'none'] as const
export type Preset = (typeof presets)[number]
/** A preset, a local time in the form of a field, or nothing, in which case the service decides. */
export type Until = { readonly preset: Preset } | { readonly local: string } | null

const friday = 5

/** Returns the time that a preset means now, or null if the reservation has no end. */
export function timeOf(preset: Preset, now: Date): Date | null {
  if (preset === 'none') return null
  const atClosing = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, closingHour, 0)
  if (preset === 'tomorrow') return atClosing(1)
  if (preset === 'week') return atClosing(7)
  if (preset === 'friday') {
    const days = (friday - now.getDay() + 7) % 7
    return atClosing(days === 0 && now >= atClosing(0) ? 7 : days)
  }
  // After closing time, today lasts until midnight.
  const today = atClosing(0)
  return now < today ? today : new Date(now.getFullYear(), now.getMonth(), now.getDate(), 23, 59, 59)
}

/** Writes a time for a field with a date and a time, in the local time zone, to the minute. */
export function localTime(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Returns the value for the API: null for a reservation without an end, and undefined if the service decides. */
export function heldUntilOf(until: Until, now: Date): string | null | undefined {
  if (until === null) return undefined
  if ('preset' in until) return timeOf(until.preset, now)?.toISOString() ?? null
  const time = new Date(until.local)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
