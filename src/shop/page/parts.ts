// @ts-nocheck
/** Small parts that several views share. */
import { signal } from '@preact/signals'
import htm from 'htm'
import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isOnline } from './api.ts'
import { categories, message, refresh } from './catalogue.ts'

export const html = htm.bind(h)

/** A count with its thousands set apart. */
export const number = (count) => count.toLocaleString('en')
export const animals = (count) => `${number(count)} animal${count === 1 ? '' : 's'}`

/** Which sheet is open besides that of an animal: add, categories or shortcuts. */
export const sheet = signal(null)

export const ReferenceLink = () => html`<a class="reference" href="docs">API reference</a>`

export const Status = ({ status }) => html`<span class="status ${status}">${status}</span>`

const segmenter = new Intl.Segmenter()

/** The first character of a name on a tint of its category. */
export function Initial({ pet }) {
  const [first] = segmenter.segment(pet.name.trim().slice(0, 32))
  const hue = (Number(BigInt.asUintN(16, BigInt(pet.categoryId))) * 67 + 20) % 360
  return html`<span class="initial" aria-hidden="true" style=${{ '--hue': hue }}>${first.segment.toUpperCase()}</span>`
}

/** In UTF-16 units, of which a character of the 1024 that the service takes may have two. */
export const nameLength = 2048

/** A dialog over the page; Escape, its button and a press beside it close it. */
export function Sheet({ title, isForm, onClose, children }) {
  const dialog = useRef()
  const heading = useRef()
  const pressed = useRef()
  useEffect(() => {
    const before = document.activeElement
    dialog.current.showModal()
    // The dialog is gone by then, and cannot give the focus back itself.
    return () => before.focus()
  }, [])
  useEffect(() => {
    // A button that was pressed may be gone.
    if (!dialog.current.contains(document.activeElement)) heading.current.focus()
  })
  const onCancel = (event) => {
    event.preventDefault()
    onClose()
  }
  const isBeside = ({ target }) => target === dialog.current
  // A press that began inside, such as to select a text, may end beside it.
  return html`<dialog ref=${dialog} aria-labelledby="sheet-title" onCancel=${onCancel}
    onMouseDown=${(event) => (pressed.current = isBeside(event))}
    onClick=${(event) => pressed.current && isBeside(event) && onClose()}>
    <div class="sheet">
      <div class="head">
        <h2 id="sheet-title" ref=${heading} dir="auto" tabindex=${title.length > 99 ? 0 : -1} autofocus=${!isForm}>${title}</h2>
        <button type="button" class="plain" onClick=${onClose}><span aria-hidden="true">✕</span><span class="hidden">Close</span></button>
      </div>
      ${children}
      <${Messages} />
    </div>
  </dialog>`
}

/** What was just done, with its way back; and whether the service can be reached. */
export function Messages() {
  const { text, undo, isError } = message.value ?? {}
  return html`<div class="messages" role="status">
    ${!isOnline.value && html`<p class="message offline">No connection. What you typed is kept. <button type="button" onClick=${refresh}>Try again</button></p>`}
    ${
      text &&
      html`<p class="message ${isError ? 'failed' : ''}"><span dir="auto">${text}</span>
        ${undo && html`<button type="button" onClick=${undo}>Undo</button>`}
        <button type="button" class="plain" onClick=${() => (message.value = null)}><span aria-hidden="true">✕</span><span class="hidden">Dismiss</span></button>
      </p>`
    }
  </div>`
}

/** The categories that are known, to choose one of. */
export const categoryOptions = () =>
  categories.value.map(({ categoryId, label }) => html`<option key=${categoryId} value=${categoryId}>${label}</option>`)

/** Chooses a category, or takes any number. */
export function CategoryField({ value, onInput }) {
  const [isAsked, ask] = useState(false)
  const isOther = isAsked || (value !== '' && !categories.value.some(({ categoryId }) => categoryId === value))
  const choose = ({ target }) => {
    ask(target.value === 'other')
    onInput(target.value === 'other' ? '' : target.value)
  }
  return html`<label>Category
      <select value=${isOther ? 'other' : value} onChange=${choose}>
        ${categoryOptions()}
        <option value="other">Another number…</option>
      </select>
    </label>
    ${
      isOther &&
      html`<label>Number of the category
        <input inputmode="numeric" required pattern="-?[0-9]+" maxlength="20" value=${value} onInput=${({ target }) => onInput(target.value)} />
      </label>`
    }`
}
