/**
 * What was just done, with its Undo; what has failed; and whether the service can be reached. No message takes the
 * focus.
 */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isTyped } from '../state/drafts.ts'
import {
  dismiss,
  dismissMessage,
  type Message,
  message,
  messages,
  type Problem,
  problems,
  showMessage,
} from '../state/messages.ts'
import { type Task, task } from '../state/selection.ts'
import { isOnline, me } from '../state/session.ts'
import { markStale } from '../state/stale.ts'
import { number } from '../words.ts'
import { Told } from './parts.tsx'

/**
 * How long a message stays after somebody is there to see it, as long as the pointer is not over it and it does not
 * have the focus.
 */
const messageSeconds = 8
/** Events that show that somebody is there. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const

/** Removes a message after some seconds, which count from the first sign that somebody is there. */
function useLeaving(shown: Message | null, isPointedAt: () => boolean): void {
  useEffect(() => {
    if (!shown || !isOnline.value) return
    let left = messageSeconds
    let isSomebodyThere = false
    const notice = () => {
      isSomebodyThere = true
    }
    for (const sign of signs) addEventListener(sign, notice, { capture: true, passive: true })
    const timer = setInterval(() => {
      const isSeen = isSomebodyThere && document.visibilityState === 'visible'
      if (isSeen && !isPointedAt() && --left <= 0) showMessage(null)
    }, 1_000)
    return () => {
      clearInterval(timer)
      for (const sign of signs) removeEventListener(sign, notice, { capture: true })
    }
  }, [shown, isOnline.value])
}

interface LineProps {
  readonly of: Message
  readonly isProblem?: boolean
  readonly onDismiss: () => void
}

const Line = ({ of: { text, undo }, isProblem = false, onDismiss }: LineProps) => (
  <div class={`message ${isProblem ? 'failed' : ''}`}>
    <span dir="auto">
      <Told text={text} />
    </span>
    {undo && (
      <button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick={undo}>
        {isProblem ? 'Try again' : 'Undo'}
      </button>
    )}
    <button type="button" class="plain" onClick={onDismiss}>
      <span aria-hidden="true">✕</span>
      <span class="hidden">Dismiss</span>
    </button>
  </div>
)

/** Shows the progress of a task, so that nothing else moves as it begins and ends, wherever the page is scrolled to. */
function Underway({ task: { title, done, total, stop } }: { task: Task }) {
  const button = useRef<HTMLButtonElement>(null)
  // A task that has begun earlier must not take the focus from what is open now.
  useLayoutEffect(() => {
    if (done === 0) button.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class="message" aria-live="off">
      <span>
        {title}: {number(done)}
        {total !== undefined && ` of ${number(total)}`}
      </span>
      {/* The second click of a double click on Undo must not stop the Undo. */}
      <button type="button" ref={button} onClick={({ detail }) => detail > 1 || stop()}>
        Stop
      </button>
    </div>
  )
}

const spoken = ({ text, back, undo }: Problem): Message => ({ text: (isOnline.value && back) || text, undo })

/** What was done and what has failed, which only the person who did it may see. */
const Lines = () => (
  <>
    {task.value && <Underway task={task.value} />}
    {problems.value.map((problem) => (
      <Line key={problem} of={spoken(problem)} isProblem onDismiss={() => dismiss(problem)} />
    ))}
    {messages.value.map((each) => (
      <Line key={each} of={each} onDismiss={() => dismissMessage(each)} />
    ))}
  </>
)

export function Messages() {
  const region = useRef<HTMLDivElement>(null)
  useLeaving(message.value, () => region.current?.matches(':hover, :focus-within') ?? false)
  return (
    <div class="messages" role="status" ref={region}>
      {!isOnline.value && (
        <p class="message offline">
          No connection. {isTyped() && 'What you typed is kept. '}
          <button type="button" onClick={() => markStale({ everything: true })}>
            Try again
          </button>
        </p>
      )}
      {me.value && <Lines />}
    </div>
  )
}
