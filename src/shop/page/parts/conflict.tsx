/** Shows both versions if somebody else has saved something meanwhile, and offers a choice. */

import { useRef } from 'preact/hooks'
import { surpriseMs } from '../state/messages.ts'

interface ConflictProps<T> {
  /** The thing with two versions, as in "this animal". */
  readonly what: string
  readonly rows: readonly { readonly label: string; readonly textOf: (thing: T) => string }[]
  readonly before: T
  readonly theirs: T
  readonly mine: T
  readonly isBusy: boolean
  readonly onSave: () => unknown
  readonly onKeep: () => unknown
}

export function Conflict<T>({ what, rows, before, theirs, mine, isBusy, onSave, onKeep }: ConflictProps<T>) {
  const differing = rows.filter(({ textOf }) => [theirs, mine].some((each) => textOf(each) !== textOf(before)))
  const now = rows.map(({ textOf }) => textOf(theirs)).join('\n')
  const seen = useRef({ now, from: 0 })
  // A click at the moment at which somebody else changes it once more was meant for the version before.
  if (seen.current.now !== now) seen.current = { now, from: performance.now() + surpriseMs }
  const save = () => performance.now() >= seen.current.from && onSave()
  const column = (title: string, version: T) => (
    <section>
      <h4>{title}</h4>
      <dl>
        {differing.map(({ label, textOf }) => (
          <div key={label} class={textOf(theirs) !== textOf(mine) ? 'changed' : ''}>
            <dt>{label}</dt>
            <dd dir="auto">{textOf(version)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
  return (
    <div class="conflict" role="alert">
      <h3>It changed meanwhile</h3>
      <p>This {what} changed while you were editing it. Nothing is lost: choose what it should be.</p>
      <div class="versions">
        {column('As it is now', theirs)}
        {column('With your change', mine)}
      </div>
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={save}>
          Save yours
        </button>
        <button type="button" onClick={onKeep}>
          Keep it as it is
        </button>
      </div>
    </div>
  )
}
