/** A dialog over the page. Escape, its button and a click outside of it close it. */
import type { ComponentChildren, TargetedMouseEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { showFaults } from '../state/forms.ts'
import { Messages } from './messages.tsx'

interface SheetProps {
  readonly title: string
  /** Whether one of its fields gets the focus. */
  readonly isForm?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Sheet({ title, isForm = false, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isPressed = useRef(false)
  useEffect(() => {
    dialog.current?.showModal()
    return () => showFaults(null)
  }, [])
  useEffect(() => {
    // The button that had the focus may be gone.
    if (!dialog.current?.contains(document.activeElement)) heading.current?.focus()
  })
  const onCancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  type Press = TargetedMouseEvent<HTMLDialogElement>
  const isBeside = ({ target }: Press) => target === dialog.current
  // A press that began inside, for example to select text, may end outside.
  return (
    <dialog
      ref={dialog}
      aria-labelledby="sheet-title"
      onCancel={onCancel}
      onMouseDown={(event) => {
        isPressed.current = isBeside(event)
      }}
      onClick={(event) => isPressed.current && isBeside(event) && onClose()}
    >
      <div class="sheet">
        <div class="head">
          <h2 id="sheet-title" ref={heading} dir="auto" tabIndex={title.length > 99 ? 0 : -1} autofocus={!isForm}>
            {title}
          </h2>
          <button type="button" class="plain" onClick={onClose}>
            <span aria-hidden="true">✕</span>
            <span class="hidden">Close</span>
          </button>
        </div>
        {children}
      </div>
      <Messages />
    </dialog>
  )
}
