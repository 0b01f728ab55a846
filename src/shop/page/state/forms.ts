/** What is being sent, and what the service has found wrong in a form. */
import { type ReadonlySignal, signal } from '@preact/signals'

/** The faults of a form by the names of its fields; `of` is what was to be done. */
export interface Faults {
  readonly of: string
  readonly fields: ReadonlyMap<string, string>
}

const underWay = signal<ReadonlySet<string>>(new Set())
const found = signal<Faults | null>(null)
/** What is under way; a second click on it does nothing. */
export const busy: ReadonlySignal<ReadonlySet<string>> = underWay
export const faults: ReadonlySignal<Faults | null> = found

export function begin(what: string): void {
  underWay.value = new Set(underWay.value).add(what)
}
export function end(what: string): void {
  underWay.value = new Set([...underWay.value].filter((each) => each !== what))
}
export function showFaults(faults: Faults | null): void {
  found.value = faults
}
