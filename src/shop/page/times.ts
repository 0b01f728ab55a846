/** Times in words, in the time zone of the user, with the weekday and the distance from now. */

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const day = { day: 'numeric', month: 'short' } as const
const withWeekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', ...day })
const withYear = new Intl.DateTimeFormat(undefined, { ...day, year: 'numeric' })
/** A day that is as near as this needs no year, and one that is further away needs no weekday. */
const nearDays = 180
const distances = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export const clockText = (at: Date): string => clock.format(at)

/** Writes the day of a time within a sentence: today, tomorrow, yesterday, or its date with the weekday or the year. */
export function dateText(at: Date, now: number): string {
  const today = new Date(now)
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  const days = (midnight(at) - midnight(today)) / 86_400_000
  const near = ['yesterday', 'today', 'tomorrow'][days + 1]
  return near ?? (Math.abs(days) <= nearDays ? withWeekday : withYear).format(at)
}

/** Returns the end of the day in the time zone of the user. */
export function endOfDay(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}

/** Writes a day and a time, such as "Fri, Nov 20, 18:00". */
export const timeText = (at: string, now = Date.now()): string => {
  const date = new Date(at)
  return `${dateText(date, now)}, ${clock.format(date)}`
}

/** Writes how far away a time is, such as "in 3 hours". */
export function distanceText(at: string, now: number): string {
  const left = Date.parse(at) - now
  const [unit, size] = units.find(([, size]) => Math.abs(left) >= size) ?? ['minute', 60_000]
  return Math.abs(left) < 60_000 ? 'in less than a minute' : distances.format(Math.trunc(left / size), unit)
}

/** Writes the zone of all times on the page, such as "Europe/Prague (GMT+1)". */
export function zoneText(now: number): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(now)
  return `${timeZone} (${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''})`
}
