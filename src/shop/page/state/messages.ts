/** Messages: what was just done, with its Undo, and what has failed. */
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
  /** The action that failed, such as "order 7". Its next success removes the message. */
  readonly of?: string | undefined
  /** The text after the connection is back. */
  readonly back?: Said | undefined
  /** Whether it disappears by itself when the key may send requests again. */
  readonly isWaiting?: boolean | undefined
}

/** More messages would cover the list. */
const problemsMax = 3

const latest = signal<Message | null>(null)
const failed = signal<readonly Problem[]>([])
/** The latest change. */
export const message: ReadonlySignal<Message | null> = latest
/** The failures that nobody has dismissed. */
export const problems: ReadonlySignal<readonly Problem[]> = failed

/** How long a click is not meant for something that has just appeared in the place of something else. */
const surpriseMs = 600

/** Makes an Undo ignore clicks for a moment, because it may have appeared where another button was. */
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
/** Removes the messages about something whose next attempt has succeeded. */
export function dismissOf(what: string): void {
  failed.value = failed.value.filter(({ of = what }) => of !== what)
}
/** Removes the messages that the end of a pause has settled. */
export function dismissWaiting(): void {
  failed.value = failed.value.filter(({ isWaiting }) => !isWaiting)
}

/** Says what has failed. `undo` is what can be tried again. */
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
