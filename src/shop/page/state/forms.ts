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

/** Of what there are fields on the page, once for each field. */
const fields = signal<readonly string[]>([])
export const isShown = (what: string): boolean => fields.value.includes(what)
export function showField(of: string): void {
  fields.value = [...fields.peek(), of]
}
export function hideField(of: string): void {
  fields.value = fields.peek().toSpliced(fields.peek().indexOf(of), 1)
}

export function begin(what: string): void {
  underWay.value = new Set(underWay.value).add(what)
}
export function end(what: string): void {
  underWay.value = new Set([...underWay.value].filter((each) => each !== what))
}
export function showFaults(faults: Faults | null): void {
  found.value = faults
}
