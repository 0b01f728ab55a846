/** Which changes are being sent, and what the service has found wrong in a form. */
import { type ReadonlySignal, signal } from '@preact/signals'

/** What is wrong in a form, by the names of its fields. `of` is the change that was tried. */
export interface Faults {
  readonly of: string
  readonly fields: ReadonlyMap<string, string>
}

const underWay = signal<ReadonlySet<string>>(new Set())
const found = signal<Faults | null>(null)
/** The changes that are being sent. A second click on one of them does nothing. */
export const busy: ReadonlySignal<ReadonlySet<string>> = underWay
export const faults: ReadonlySignal<Faults | null> = found

/** The changes for which there are fields on the page, once for each field. */
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
