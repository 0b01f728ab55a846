/** The selected animals, what is being done with them, and which of them were refused. */
import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { Pet } from '../../../../client/src/types.ts'

/** A task that takes many requests, and its progress. */
export interface Task {
  readonly title: string
  readonly done: number
  /** Undefined if nobody knows the total. */
  readonly total: number | undefined
  readonly stop: () => void
}

/** An animal for which the service has refused an action on several animals. */
export interface Refused {
  readonly pet: Pet
  readonly why: string
}

const chosen = signal<ReadonlySet<bigint> | null>(null)
const running = signal<Task | null>(null)
const left = signal<readonly Refused[]>([])
/** Null unless animals are being selected. */
export const selected: ReadonlySignal<ReadonlySet<bigint> | null> = chosen
export const task: ReadonlySignal<Task | null> = running
export const refused: ReadonlySignal<readonly Refused[]> = left

export function select(ids: Iterable<bigint> | null): void {
  chosen.value = ids && new Set(ids)
}
export function pick(id: bigint, isPicked: boolean): void {
  const others = [...(chosen.value ?? [])].filter((each) => each !== id)
  chosen.value = new Set(isPicked ? [...others, id] : others)
}
export function setTask(next: Task | null): void {
  running.value = next
}
export function setRefused(all: readonly Refused[]): void {
  left.value = all
}
export function forgetSelection(): void {
  batch(() => {
    running.value?.stop()
    chosen.value = null
    left.value = []
  })
}
