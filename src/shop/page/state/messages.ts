/** What was just done, with its way back, and what failed. */
import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { key } from '../../../reference/docs/shared-key.ts'
import { isOffline, wordsOf } from '../refusals.ts'
import type { Said } from '../words.ts'
import { noteLimit, setOnline } from './session.ts'

export interface Message {
  readonly text: Said
  readonly undo?: (() => unknown) | undefined
}

export interface Problem extends Message {
  /** What it says once there is a connection again. */
  readonly back?: Said | undefined
  /** Whether it goes by itself when the key may ask again. */
  readonly isWaiting?: boolean | undefined
}

/** More would cover the list. */
const problemsMax = 3

const latest = signal<Message | null>(null)
const failed = signal<readonly Problem[]>([])
/** The latest thing that was done. */
export const message: ReadonlySignal<Message | null> = latest
/** What failed, until somebody dismisses it. */
export const problems: ReadonlySignal<readonly Problem[]> = failed

export function showMessage(next: Message | null): void {
  latest.value = next
}

export function showProblem(problem: Problem): void {
  const text = JSON.stringify(problem.text)
  const others = failed.value.filter((each) => JSON.stringify(each.text) !== text)
  failed.value = [...others, problem].slice(-problemsMax)
}

export function dismiss(problem: Problem): void {
  failed.value = failed.value.filter((each) => each !== problem)
}
/** What a next try or the end of a pause has settled. */
export function dismissAll(isOnlyWaiting = false): void {
  failed.value = isOnlyWaiting ? failed.value.filter(({ isWaiting }) => !isWaiting) : []
}

/** Says what failed; `undo` is what can be tried again. */
export function tell(error: unknown, undo?: () => unknown): void {
  if (key.value === null) return
  if (isOffline(error)) setOnline(false)
  else showProblem({ text: [wordsOf(error)], isWaiting: noteLimit(error), undo })
}

export function forgetMessages(): void {
  batch(() => {
    latest.value = null
    failed.value = []
  })
}
