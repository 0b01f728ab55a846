/** Times in words: in the zone of whoever looks at the page, with the weekday, and how far away they are. */

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
const ofThisYear = new Intl.DateTimeFormat(undefined, day)
const ofOtherYears = new Intl.DateTimeFormat(undefined, { ...day, year: 'numeric' })
const distances = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export const clockText = (at: Date): string => clock.format(at)

/** The day of a time, within a sentence: today, tomorrow, yesterday, or its date with the weekday. */
export function dateText(at: Date, now: number): string {
  const today = new Date(now)
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  const days = (midnight(at) - midnight(today)) / 86_400_000
  const near = ['yesterday', 'today', 'tomorrow'][days + 1]
  return near ?? (at.getFullYear() === today.getFullYear() ? ofThisYear : ofOtherYears).format(at)
}

/** When the day ends, where somebody looks at it. */
export function endOfDay(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}

/** A day and a time, such as "Fri, Nov 20, 18:00". */
export const timeText = (at: string, now = Date.now()): string => {
  const date = new Date(at)
  return `${dateText(date, now)}, ${clock.format(date)}`
}

/** How far away a time is: "in 3 hours". */
export function distanceText(at: string, now: number): string {
  const left = Date.parse(at) - now
  const [unit, size] = units.find(([, size]) => Math.abs(left) >= size) ?? ['minute', 60_000]
  return Math.abs(left) < 60_000 ? 'in less than a minute' : distances.format(Math.trunc(left / size), unit)
}

/** The zone of all times on the page, such as "Europe/Prague (GMT+1)". */
export function zoneText(now: number): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(now)
  return `${timeZone} (${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''})`
}
