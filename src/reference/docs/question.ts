/** Asks in the page before something is changed, where the button was pressed. */
import { useEffect, useRef } from 'preact/hooks'
import { html } from './base.ts'
import { Code } from './code.ts'
import type { PlannedRequest } from './request.ts'

interface QuestionProps {
  request: PlannedRequest
  onAgree: () => void
  onCancel: () => void
}

export function Question({ request: { method, url, body }, onAgree, onCancel }: QuestionProps) {
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => yes.current?.focus(), [])
  return html`<div class="question" role="alertdialog" aria-label="Send it?">
    <p>This changes what the service stores. Send it?</p>
    <${Code} what="What is sent" text=${[`${method} ${url}`, ...(body ? [body] : [])].join('\n')} />
    <p class="actions">
      <button type="button" class="primary" ref=${yes} onClick=${onAgree}>Send it</button>${' '}
      <button type="button" onClick=${onCancel}>Cancel</button>
    </p>
  </div>`
}
