/** How a change is made: once at a time, with a word on what was done, and on what was not. */
import type { VNode } from 'preact'
import { guardSpot, releaseSpot } from './guard.ts'
import { loadCounts, refresh } from './load.ts'
import { html } from './parts.ts'
import { faultsOf, isFinal, isOffline } from './session.ts'
import { busy, faults, type Message, showMessage, tell } from './state.ts'

/**
 * Runs a change unless it is under way; then says what was done and counts again. Resolves with whether it succeeded.
 * `again` is offered when the service has not decided.
 */
export async function change(
  what: string,
  run: () => Promise<Message | null>,
  again?: () => unknown,
): Promise<boolean> {
  if (busy.value.has(what)) return false
  busy.value = new Set(busy.value).add(what)
  showMessage(null)
  faults.value = null
  const wasOffline = !navigator.onLine
  try {
    showMessage(await run())
    guardSpot()
    loadCounts().catch(tell)
    return true
  } catch (error) {
    releaseSpot()
    const fields = hasForm(what) && faultsOf(error)
    if (fields) {
      faults.value = { of: what, fields }
      return false
    }
    tell(error, isFinal(error) ? undefined : again)
    if (isOffline(error)) showMessage({ text: notDone(what, wasOffline), isError: true, undo: again })
    // What is shown was not what the service has: somebody else may have been faster.
    if (isFinal(error)) refresh()
    return false
  } finally {
    busy.value = new Set([...busy.value].filter((each) => each !== what))
  }
}

/** Whether there are fields beside which it can be said what is wrong. */
const hasForm = (what: string): boolean => /^(?:add|save|name|hold)\b/.test(what)

const deeds: Readonly<Record<string, readonly [what: string, done: string]>> = {
  add: ['The animal', 'added'],
  save: ['What you typed', 'saved'],
  order: ['The order', 'placed'],
  move: ['The order', 'changed'],
  hold: ['The order', 'saved'],
  name: ['The name', 'saved'],
  remove: ['The animal', 'removed'],
  undo: ['It', 'undone'],
}

/** That nothing was done, which is certain only if there was no connection from the beginning. */
function notDone(what: string, wasOffline: boolean): string {
  const [subject, done] = deeds[what.replace(/ .*/, '')] ?? ['It', 'done']
  return wasOffline && !navigator.onLine
    ? `${subject} was not ${done}. Try again when the connection is back.`
    : `${subject} was perhaps ${done}: no answer came. When the connection is back, the page shows how it is.`
}

export function undoing(what: string, run: () => Promise<Message>): () => unknown {
  const undo = () => change(`undo ${what}`, run, undo)
  return undo
}

/** A name within a sentence, set apart so that one written from right to left turns nothing else around. */
export function short({ name }: { readonly name: string }): VNode {
  const letters = [...name]
  return html`<bdi>${letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : name}</bdi>`
}
