/**
 * The API key: a field at the top of the page, and what the service says of the key. Once accepted, it is that of all
 * tabs.
 */
import { computed, effect, signal } from '@preact/signals'
import type { TargetedEvent, TargetedInputEvent } from 'preact'
import { useState } from 'preact/hooks'
import { here, html } from './base.ts'
import { type DocumentedOperation, isObject, keyScheme, outline, scopesOf } from './contract.ts'
import { Markdown } from './markdown.ts'
import { dropKey, endAll, isRemembered, keepKey, key as shared, shareKey } from './shared-key.ts'

/** The key as it is typed, or as another tab has it. */
export const key = signal('')
effect(() => {
  if (shared.value !== null) key.value = shared.value
})
const clear = () => {
  key.value = ''
  verdict.value = {}
}
shareKey(clear)

/** What is wrong with a key, or that it is accepted. */
interface Verdict {
  readonly of?: string
  readonly problem?: string
  readonly isAccepted?: boolean
}

/** About the key that is in the field. */
const verdict = signal<Verdict>({})

/** The pattern of a key, where the document states one. */
const form = computed(() => {
  const { 'x-pattern': pattern = '^[!-~]+$' } = keyScheme()
  return new RegExp(pattern)
})

/** Asks an operation that every key may call, where there is one. */
const open = computed(() => {
  const needsNothing = ({ parameters }: DocumentedOperation) => !parameters.some(({ required }) => required)
  const isOpen = (each: DocumentedOperation) =>
    each.method === 'GET' && scopesOf(each)?.length === 0 && needsNothing(each)
  return outline.value.operations.find((each) => isOpen(each) && !each.isWebhook)
})

/** Ends all tabs, as in the shop. */
const signOut = () => {
  clear()
  endAll()
}

export const refuse = (problem: string): void => {
  verdict.value = { of: key.value, problem }
}

/** The header that carries the key, if one is entered. */
export const keyHeader = (): [string, string][] => {
  const { header, before } = keyScheme()
  return key.value === '' ? [] : [[header, before + key.value]]
}

/** Tells at the field that the service refuses the key, in its own words if they are JSON. */
export function refused(text: string): void {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {}
  // It stays in the field, to be mended there.
  if (key.value === shared.value) dropKey()
  refuse(`The service refuses this key. ${isObject(said) ? said.message : ''}`)
}

async function check(): Promise<void> {
  const asked = key.value
  // Enter is a change and a submission.
  if (asked === '' || verdict.value.of === asked) return
  if (!form.value.test(asked)) return refuse('This is not a whole key: its form is wrong.')
  const pending = { of: asked }
  verdict.value = pending
  if (!open.value) return
  const response = await fetch(here + open.value.path, { headers: keyHeader() }).catch(() => undefined)
  // Another key was entered meanwhile, or an operation has refused this one.
  if (!response || verdict.value !== pending) return
  if (response.status === 401) refused(await response.text())
  else verdict.value = { of: asked, isAccepted: response.ok }
  if (response.ok) keepKey(asked, isRemembered.value && shared.value === asked)
}

const Remember = ({ apiKey }: { apiKey: string }) => html`<label>
  <input
    type="checkbox"
    checked=${isRemembered.value}
    onChange=${() => keepKey(apiKey, !isRemembered.value)}
  /> Remember it<span class="hidden"> on this device</span>
</label>`

/** The key as it is typed, wherever it is asked for. */
export function KeyInput({ id, isShown = false }: { id: string; isShown?: boolean }) {
  const enter = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    key.value = currentTarget.value.trim()
    verdict.value = {}
  }
  return html`<input
    id=${id}
    type="text"
    class=${isShown ? '' : 'concealed'}
    placeholder="Enter a key to try the operations"
    maxlength="200"
    autocomplete="off"
    autocapitalize="off"
    spellcheck=${false}
    aria-describedby="key-state key-help"
    aria-invalid=${Boolean(verdict.value.problem)}
    value=${key.value}
    onInput=${enter}
    onChange=${check}
  />`
}

export function KeyField() {
  const [isShown, setShown] = useState(false)
  const { problem, isAccepted } = verdict.value
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    check()
  }
  const words = isAccepted ? 'The service accepts this key.' : 'Calls from this page use this key.'
  const kept = isRemembered.value ? 'It is kept until you sign out.' : 'It is kept until the last tab is closed.'
  const state = problem ?? (key.value && (key.value === shared.value ? `${words} ${kept}` : words))
  return html`<form class="key" autocomplete="off" onSubmit=${submit}>
    <label for="key">API key</label>
    <${KeyInput} id="key" isShown=${isShown} />
    <button type="button" onClick=${() => setShown(!isShown)}>
      ${isShown ? 'Hide' : 'Show'}<span class="hidden"> the key</span>
    </button>
    ${shared.value !== null && html`<button type="button" onClick=${signOut}>Sign out</button>`}
    <p id="key-state" role="status" class=${problem ? 'problem' : 'quiet'}>
      ${state} ${!problem && key.value === shared.value && html`<${Remember} apiKey=${key.value} />`}
    </p>
    <div id="key-help" class="quiet"><${Markdown} text=${keyScheme().description} /></div>
  </form>`
}
