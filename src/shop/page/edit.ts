// @ts-nocheck
/** An animal edited in place; when somebody else changed it meanwhile, both versions and a choice. */
import { useEffect, useRef } from 'preact/hooks'
import { statuses } from './address.ts'
import { categoryName } from './catalogue.ts'
import { busy, changesOf, edited, keepTheirs, saveEdit, saveMine } from './changes.ts'
import { CategoryField, html, nameLength } from './parts.ts'

const stop = () => {
  edited.value = null
}

export const Edit = ({ isHeld }) =>
  edited.value.theirs ? html`<${Conflict} draft=${edited.value} />` : html`<${Fields} isHeld=${isHeld} />`

function Fields({ isHeld }) {
  const name = useRef()
  useEffect(() => name.current.focus(), [])
  const draft = edited.value
  // One that was chosen before the order was placed can be taken back.
  const isFixed = isHeld && draft.status === draft.before.status
  const put = (member) => (value) => {
    edited.value = { ...edited.value, [member]: value }
  }
  const submit = (event) => {
    event.preventDefault()
    saveEdit()
  }
  return html`<form class="fields" onSubmit=${submit}>
    <label>Name<input ref=${name} dir="auto" required maxlength=${nameLength} value=${draft.name} onInput=${({ target }) => put('name')(target.value)} /></label>
    <${CategoryField} value=${draft.categoryId} onInput=${put('categoryId')} />
    <label>Status
      <select value=${draft.status} disabled=${isFixed} aria-describedby=${isHeld ? 'status-note' : undefined} onChange=${({ target }) => put('status')(target.value)}>
        ${statuses.map((status) => html`<option value=${status}>${status}</option>`)}
      </select>
    </label>
    ${isHeld && html`<p id="status-note" class="quiet">Its order decides.</p>`}
    <div class="actions">
      <button class="primary" disabled=${busy.value.has('save')}>Save</button>
      <button type="button" onClick=${stop}>Do not save</button>
    </div>
  </form>`
}

const labels = { name: 'Name', categoryId: 'Category', status: 'Status' }
const shown = (member, value) => (member === 'categoryId' ? categoryName(value) : value)

function Conflict({ draft }) {
  const { theirs, before } = draft
  const mine = { ...theirs, ...changesOf(draft) }
  const differing = Object.keys(labels).filter(
    (member) => theirs[member] !== before[member] || mine[member] !== before[member],
  )
  const column = (title, pet) => html`<section>
    <h4>${title}</h4>
    <dl>
      ${differing.map(
        (member) => html`<div class=${theirs[member] !== mine[member] ? 'changed' : ''}>
          <dt>${labels[member]}</dt><dd dir="auto">${shown(member, pet[member])}</dd>
        </div>`,
      )}
    </dl>
  </section>`
  return html`<div class="conflict" role="alert">
    <h3>It changed meanwhile</h3>
    <p>Somebody else saved this animal while you were editing it. Nothing is lost: choose what it should be.</p>
    <div class="versions">${column('Theirs, as it is now', theirs)}${column('Yours, on top of it', mine)}</div>
    <div class="actions">
      <button type="button" class="primary" disabled=${busy.value.has('save')} onClick=${saveMine}>Save yours</button>
      <button type="button" onClick=${keepTheirs}>Keep theirs</button>
    </div>
  </div>`
}
