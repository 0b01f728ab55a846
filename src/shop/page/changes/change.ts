/** Runs a change, never twice at the same time, and says what was done and what was not. */
import { codeOf, faultsOf, isFinal, isOffline, wordsOf } from '../refusals.ts'
import { begin, busy, end, isShown, showFaults } from '../state/forms.ts'
import { dismissOf, type Message, type Problem, showMessage, showProblem, tell } from '../state/messages.ts'
import { isEnded, noteLimit, setOnline } from '../state/session.ts'
import { markStale } from '../state/stale.ts'

/** Whether the page has fields beside which it can say what is wrong. */
const hasForm = (what: string): boolean => /^(?:add|save|name|order)\b/.test(what)

/**
 * Runs a change unless it is already running. Then it says what was done, and updates the counts. Resolves with whether
 * it succeeded. `again` is offered if the service has not decided.
 */
export async function change(
  what: string,
  run: () => Promise<Message | null>,
  again?: () => unknown,
): Promise<boolean> {
  if (busy.value.has(what)) return false
  begin(what)
  // Opening a form changes nothing, so the Undo of the previous change stays.
  const isDeed = what !== 'edit'
  if (isDeed) showMessage(null)
  dismissOf(what)
  showFaults(null)
  const wasOffline = !navigator.onLine
  try {
    const said = await run()
    if (isDeed) showMessage(said)
    markStale({ counts: true, orderCounts: true, report: true })
    return true
  } catch (error) {
    if (isEnded(error)) return false
    const fields = hasForm(what) && faultsOf(error)
    if (fields && isShown(what)) showFaults({ of: what, fields })
    // The form was closed meanwhile.
    else if (fields) showProblem({ text: [[`${saidOf(what)}.`, ...fields.values()].join(' ')], of: what })
    else if (isOffline(error)) {
      setOnline(false)
      showProblem({ ...notDone(what, wasOffline), undo: again, of: what })
    } else if (noteLimit(error))
      showProblem({ text: [`${saidOf(what)}. ${wordsOf(error, true)}`], undo: again, of: what })
    else tell(error, what, isFinal(error) ? undefined : again)
    // Somebody else may have been faster, or a part of the change may have been carried out.
    if (!fields && !isOffline(error) && codeOf(error) !== 'rate_limited') markStale({ everything: true })
    return false
  } finally {
    end(what)
  }
}

const deeds: Readonly<Record<string, readonly [what: string, done: string]>> = {
  add: ['The animal', 'added'],
  save: ['What you typed', 'saved'],
  order: ['The order', 'placed'],
  move: ['The order', 'changed'],
  name: ['The name', 'saved'],
  remove: ['The animal', 'removed'],
  undo: ['It', 'undone'],
}

const deedOf = (what: string) => deeds[what.replace(/ .*/, '')] ?? ['It', 'done']
/** Writes a text such as "The order was not placed". */
function saidOf(what: string): string {
  const [subject, done] = deedOf(what)
  return `${subject} was not ${done}`
}

/** Says that nothing was done, which is certain only if there was no connection from the beginning. */
function notDone(what: string, wasOffline: boolean): Pick<Problem, 'text' | 'back'> {
  const [subject, done] = deedOf(what)
  if (wasOffline && !navigator.onLine) {
    const text = `${saidOf(what)}.`
    return { text: [`${text} Try again when the connection is back.`], back: [text] }
  }
  const text = `${subject} was perhaps ${done}: no answer came.`
  return {
    text: [`${text} When the connection is back, the page shows how it is.`],
    back: [`${text} The connection is back, and the page shows how it is. Look before you try again.`],
  }
}

export function undoing(what: string, run: () => Promise<Message>): () => unknown {
  const undo = () => change(`undo ${what}`, run, undo)
  return undo
}
