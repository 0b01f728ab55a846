/** Messages: what was just done, with its Undo, and what has failed. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { key } from '../../../reference/docs/shared-key.ts'
import { isOffline, wordsOf } from '../refusals.ts'
import type { Said } from '../words.ts'
import { address } from './address.ts'
import { task } from './selection.ts'
import { isEnded, noteLimit, setOnline } from './session.ts'

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

/** More messages of a kind would cover the list. */
const messagesMax = 3

const done = signal<readonly Message[]>([])
const failed = signal<readonly Problem[]>([])
/** What was done, the latest last. There are several if a change began before the change before it was answered. */
export const messages: ReadonlySignal<readonly Message[]> = done
/** The latest change. */
export const message = computed((): Message | null => done.value.at(-1) ?? null)
/** The failures that nobody has dismissed. */
export const problems: ReadonlySignal<readonly Problem[]> = failed

/** How long a click is not meant for something that has just appeared in the place of something else. */
export const surpriseMs = 600

/** Makes an Undo ignore clicks for a moment, because it may have appeared where another button was. */
function afterSurprise(undo: () => unknown): () => unknown {
  const from = performance.now() + surpriseMs
  return () => performance.now() >= from && undo()
}

/**
 * Shows a message. Those whose Undo nobody has seen yet stay: a change removes what was shown before it begins, with
 * null.
 */
export function showMessage(next: Message | null): void {
  const kept = next ? done.value.filter(({ undo }) => undo) : []
  // Beside the orders or the report, the button that stops a task is among the messages.
  const isStopThere = task.value !== null && address.peek().show !== undefined
  const isInPlace = kept.length > 0 || failed.value.length > 0 || isStopThere
  const shown = next?.undo && isInPlace ? { ...next, undo: afterSurprise(next.undo) } : next
  done.value = [...kept, ...(shown ? [shown] : [])].slice(-messagesMax)
}
export function dismissMessage(message: Message): void {
  done.value = done.value.filter((each) => each !== message)
}

export function showProblem(problem: Problem): void {
  const text = JSON.stringify(problem.text)
  const others = failed.value.filter((each) => JSON.stringify(each.text) !== text)
  failed.value = [...others, problem].slice(-messagesMax)
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

/** Says what has failed: what a person wanted to do, if `of` names it, and else what the page has read. */
export function tell(error: unknown, of?: string, undo?: () => unknown): void {
  if (key.value === null || isEnded(error)) return
  if (isOffline(error)) setOnline(false)
  else {
    const isDeed = of !== undefined
    const isLimited = noteLimit(error)
    showProblem({ text: [wordsOf(error, isDeed)], isWaiting: isLimited && !isDeed, undo, of })
  }
}

export function forgetMessages(): void {
  batch(() => {
    done.value = []
    failed.value = []
  })
}
