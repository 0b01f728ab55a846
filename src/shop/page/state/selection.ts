/** The selected animals, what is being done with them, and which of them were refused. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Pet } from '../../../../client/src/types.ts'
import { putSelected, selectedIds } from './drafts.ts'

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

const running = signal<Task | null>(null)
const left = signal<readonly Refused[]>([])
const unanswered = signal<ReadonlyMap<bigint, Pet>>(new Map())
/** Null unless animals are being selected. */
export const selected = computed((): ReadonlySet<bigint> | null =>
  selectedIds.value ? new Set(selectedIds.value) : null,
)
export const task: ReadonlySignal<Task | null> = running
export const refused: ReadonlySignal<readonly Refused[]> = left

export function select(ids: Iterable<bigint> | null): void {
  putSelected(ids && [...new Set(ids)])
}
export function pick(id: bigint, isPicked: boolean): void {
  const others = (selectedIds.value ?? []).filter((each) => each !== id)
  putSelected(isPicked ? [...others, id] : others)
}
export function setTask(next: Task | null): void {
  running.value = next
}
export function setRefused(all: readonly Refused[]): void {
  left.value = all
}
/** Returns an animal as it was before a move to which there was no answer. */
export const unansweredMove = (id: bigint): Pet | undefined => unanswered.value.get(id)
/** Notes how an animal is before it is moved. Null means that the service has answered. */
export function noteMove(id: bigint, before: Pet | null): void {
  const others = [...unanswered.value].filter(([each]) => each !== id)
  unanswered.value = new Map(before ? [...others, [id, before]] : others)
}
export function forgetSelection(): void {
  batch(() => {
    running.value?.stop()
    putSelected(null)
    left.value = []
    unanswered.value = new Map()
  })
}
