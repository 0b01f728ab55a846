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
  /** What failed, such as "order 7": its next try settles it. */
  readonly of?: string | undefined
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

/** How long what has just appeared where something else was is not what a click was meant for. */
const surpriseMs = 600

/** An Undo that appears where another button was does nothing for a moment: a click then was meant for that one. */
function afterSurprise(undo: () => unknown): () => unknown {
  const from = performance.now() + surpriseMs
  return () => performance.now() >= from && undo()
}

export function showMessage(next: Message | null): void {
  const isInPlace = latest.value?.undo !== undefined || failed.value.length > 0
  latest.value = next?.undo && isInPlace ? { ...next, undo: afterSurprise(next.undo) } : next
}

export function showProblem(problem: Problem): void {
  const text = JSON.stringify(problem.text)
  const others = failed.value.filter((each) => JSON.stringify(each.text) !== text)
  failed.value = [...others, problem].slice(-problemsMax)
}

export function dismiss(problem: Problem): void {
  failed.value = failed.value.filter((each) => each !== problem)
}
/** What the next try of something has settled. */
export function dismissOf(what: string): void {
  failed.value = failed.value.filter(({ of = what }) => of !== what)
}
/** What the end of a pause has settled. */
export function dismissWaiting(): void {
  failed.value = failed.value.filter(({ isWaiting }) => !isWaiting)
}

/** Says what failed; `undo` is what can be tried again. */
export function tell(error: unknown, undo?: () => unknown, of?: string): void {
  if (key.value === null) return
  if (isOffline(error)) setOnline(false)
  else showProblem({ text: [wordsOf(error)], isWaiting: noteLimit(error), undo, of })
}

export function forgetMessages(): void {
  batch(() => {
    latest.value = null
    failed.value = []
  })
}
