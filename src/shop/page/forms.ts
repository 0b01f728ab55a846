// @ts-nocheck
/** The sheets for adding an animal and naming categories, and the form that asks for a key. */
import { useRef, useState } from 'preact/hooks'
import { address } from './address.ts'
import { newIdempotencyKey } from './api.ts'
import { categories, refusal, signIn } from './catalogue.ts'
import { addPet, busy, nameCategory, newPet } from './changes.ts'
import { animals, CategoryField, html, Messages, nameLength, ReferenceLink, Sheet } from './parts.ts'

export function SignIn() {
  const [isBusy, setBusy] = useState(false)
  const submit = async (event) => {
    event.preventDefault()
    setBusy(true)
    await signIn(new FormData(event.target).get('key').trim())
    setBusy(false)
  }
  return html`<main class="signin">
    <form class="fields" onSubmit=${submit}>
      <img src="shop/favicon.svg" alt="" width="64" height="64" />
      <h1>Pet Store</h1>
      <p>Sign in with your API key. It is kept until you close this tab.</p>
      <p role="alert" class="refusal">${refusal.value}</p>
      <label>API key<input name="key" type="password" required autocomplete="off" autocapitalize="off" spellcheck=${false} maxlength="200" autofocus /></label>
      <button class="primary" disabled=${isBusy}>Sign in</button>
      <${ReferenceLink} />
    </form>
    <${Messages} />
  </main>`
}

/** Enter adds the animal and makes ready for the next one of the same category. */
export function Add({ onClose }) {
  const name = useRef()
  const draft = newPet.value ?? {
    name: '',
    categoryId: address.value.category ?? categories.value[0]?.categoryId ?? '1',
  }
  const put = (part) => {
    newPet.value = { ...draft, ...part, attempt: undefined }
  }
  const submit = async (event) => {
    event.preventDefault()
    const sent = (newPet.value = { ...draft, attempt: draft.attempt ?? newIdempotencyKey() })
    if (!(await addPet({ name: sent.name, categoryId: sent.categoryId }, sent.attempt))) return
    // What was typed meanwhile is the next one.
    if (newPet.value === sent) newPet.value = { name: '', categoryId: sent.categoryId }
    name.current?.focus()
  }
  const close = () => {
    // The category of the next one follows the filter again.
    if (draft.name === '') newPet.value = null
    onClose()
  }
  return html`<${Sheet} title="Add an animal" isForm onClose=${close}>
    <form class="fields" onSubmit=${submit}>
      <label>Name<input ref=${name} dir="auto" required maxlength=${nameLength} autocomplete="off" autofocus value=${draft.name} onInput=${({ target }) => put({ name: target.value })} /></label>
      <${CategoryField} value=${draft.categoryId} onInput=${(categoryId) => put({ categoryId })} />
      <div class="actions"><button class="primary" disabled=${busy.value.has('add')}>Add</button></div>
      <p class="quiet">Enter adds it and makes ready for the next.</p>
    </form>
  <//>`
}

export const Categories = ({ onClose }) => html`<${Sheet} title="Categories" onClose=${onClose}>
  ${categories.value.length === 0 && html`<p class="quiet">A category appears here with its first animal.</p>`}
  <ul class="categories">${categories.value.map((each) => html`<${CategoryName} key=${each.categoryId} category=${each} />`)}</ul>
<//>`

function CategoryName({ category }) {
  const { categoryId, available, pending, sold } = category
  const submit = async (event) => {
    event.preventDefault()
    const form = event.target
    const name = new FormData(form).get('name')
    // From then on it shows the name that the category has.
    if (name === (category.name ?? '') || (await nameCategory(category, name))) form.reset()
  }
  return html`<li><form onSubmit=${submit}>
    <label><span class="hidden">Name of the category </span><span class="digits">${categoryId}</span>
      <input name="name" dir="auto" maxlength=${nameLength} placeholder="No name" defaultValue=${category.name ?? ''} />
    </label>
    <span class="quiet">${animals(available + pending + sold)}</span>
    <button disabled=${busy.value.has(`name ${categoryId}`)}>Save<span class="hidden"> the name of ${categoryId}</span></button>
  </form></li>`
}

const shortcuts = [
  ['/', 'Search'],
  ['n', 'Add an animal'],
  ['← ↑ → ↓', 'Go from animal to animal'],
  ['Enter', 'Open the animal'],
  ['Esc', 'Close, or clear the search'],
  ['?', 'This sheet'],
]

export const Shortcuts = ({ onClose }) => html`<${Sheet} title="Keyboard" onClose=${onClose}>
  <dl class="shortcuts">${shortcuts.map(([keys, meaning]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${meaning}</dd></div>`)}</dl>
<//>`
