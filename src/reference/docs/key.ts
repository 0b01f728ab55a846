/** The API key: its dialog, and what the service says about it. All tabs share a key that was accepted. */
import { effect } from '@preact/signals-core'
import { find } from './elements.ts'
import { here } from './request.ts'
import { dropKey, endAll, isRemembered, keepKey, key, shareKey } from './shared-key.ts'

const dialog = find<HTMLDialogElement>('#key-dialog')
const field = find<HTMLInputElement>('#key')
const state = find('#key-state')
const show = find('#key-show')
const remember = find('#key-remember')
const signOut = find('#key-out')

function say(text: string, isProblem: boolean): void {
  state.textContent = text
  state.className = isProblem ? 'problem' : 'quiet'
  field.setAttribute('aria-invalid', String(isProblem))
}

/** Asks for the key. `problem` is the reason. */
export function askForKey(problem = ''): void {
  if (!dialog.open) dialog.showModal()
  if (problem) say(problem, true)
  field.select()
}

/** The header with the key, if there is one. */
export const keyHeader = (): [string, string][] =>
  key.value === null ? [] : [['Authorization', `Bearer ${key.value}`]]

/** Says at the field that the service refuses the key, using the message of the service if there is one. */
export function refused(text: string): void {
  let words = ''
  try {
    words = JSON.parse(text).message
  } catch {}
  // The key stays in the field, so that it can be corrected.
  if (field.value === key.value) dropKey()
  askForKey(`The service refuses this key. ${words}`)
}

/** Says how long an accepted key is kept. */
function announceKey(): void {
  const end = isRemembered.value ? 'you sign out' : 'the last tab is closed'
  if (key.value !== null) say(`The service accepts this key. It is kept until ${end}.`, false)
}

async function check(): Promise<void> {
  const asked = field.value.trim()
  // The service says what form its keys have. Here, only characters that a header cannot contain are refused.
  if (!/^[!-~]+$/.test(asked)) return say('A key has only ASCII characters, and no spaces.', true)
  const headers = { Authorization: `Bearer ${asked}` }
  const response = await fetch(here + document.body.dataset.check, { headers }).catch(() => undefined)
  // Another key was entered meanwhile.
  if (field.value.trim() !== asked) return
  if (!response) return say('The service cannot be reached.', true)
  if (response.status === 401) return refused(await response.text())
  keepKey(asked, isRemembered.value && key.value === asked)
  announceKey()
  dialog.close()
}

export function followKey(): void {
  effect(() => {
    if (key.value !== null) field.value = key.value
    find('#key-button').textContent = key.value === null ? 'Enter API key' : 'API key entered'
    remember.hidden = signOut.hidden = key.value === null
    find<HTMLInputElement>('input', remember).checked = isRemembered.value
    announceKey()
  })
  const forget = () => {
    field.value = ''
    say('', false)
  }
  shareKey(forget)
  find('#key-button').addEventListener('click', () => askForKey())
  find('#key-close').addEventListener('click', () => dialog.close())
  find('#key-form').addEventListener('submit', (event) => {
    event.preventDefault()
    check()
  })
  field.addEventListener('input', () => say('', false))
  const conceal = (isShown: boolean) => {
    field.type = isShown ? 'text' : 'password'
    show.textContent = isShown ? 'Hide' : 'Show'
    show.setAttribute('aria-pressed', String(isShown))
  }
  show.addEventListener('click', () => conceal(field.type === 'password'))
  // When the dialog is opened again, nobody expects to see the key.
  dialog.addEventListener('close', () => conceal(false))
  remember.addEventListener('change', () => key.value !== null && keepKey(key.value, !isRemembered.value))
  signOut.addEventListener('click', () => {
    endAll()
    forget()
  })
}
