/**
 * Forms for an animal: a new one; one edited in place; and when somebody else changed it meanwhile, both versions and a
 * choice.
 */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { randomKey } from '../../../client/src/transport.ts'
import type { Pet, PetStatus } from '../../../client/src/types.ts'
import { address, statuses } from './address.ts'
import { CategoryField } from './categories.ts'
import { addPet, changesOf, keepTheirs, saveEdit, saveMine } from './changes.ts'
import { type EditDraft, edited, type NewPetDraft, newPet } from './drafts.ts'
import { Fault, html, nameLength, Sheet, typed } from './parts.ts'
import { added, busy, categories, categoryName } from './state.ts'

/** Enter adds the animal and makes ready for the next one of the same category. */
export function Add({ onClose }: { onClose: () => void }): VNode {
  const name = useRef<HTMLInputElement>(null)
  const [only] = categories.value.length === 1 ? categories.value : []
  const category = String(address.value.category ?? only?.categoryId ?? '')
  const draft: NewPetDraft = { name: '', category, ...newPet.value }
  const put = (part: Partial<NewPetDraft>) => {
    newPet.value = { name: '', ...newPet.value, ...part, attempt: undefined }
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    const attempt = draft.attempt ?? randomKey()
    const sent = (newPet.value = { ...draft, attempt })
    if (!(await addPet(sent, attempt))) return
    // What was typed meanwhile is the next one.
    if (newPet.value === sent) newPet.value = { name: '', category: String(added.value[0]?.categoryId ?? '') }
    name.current?.focus()
  }
  useEffect(
    () => () => {
      // The category of the next one follows the filter again.
      if (newPet.value?.name === '') newPet.value = null
    },
    [],
  )
  return html`<${Sheet} title="Add an animal" isForm onClose=${onClose}>
    <form class="fields" onSubmit=${submit}>
      <label>
        Name
        <input
          ref=${name}
          dir="auto"
          required
          maxlength=${nameLength}
          autocomplete="off"
          autofocus
          value=${draft.name}
          aria-describedby="name-fault"
          onInput=${typed((text) => put({ name: text }))}
        />
      </label>
      <${Fault} of="add" field="name" />
      <${CategoryField} category=${draft.category} newCategory=${draft.newCategory} put=${put} />
      <${Fault} of="add" field="categoryId" />
      <div class="actions"><button class="primary" disabled=${busy.value.has('add')}>Add</button></div>
      <p class="quiet">Enter adds it and makes ready for the next.</p>
    </form>
  <//>`
}

interface EditProps {
  readonly draft: EditDraft
  /** Whether an order decides on the status. */
  readonly isHeld: boolean
}

const stop = () => {
  edited.value = null
}

/** A draft in which nothing was changed is none. */
function leave(): void {
  const draft = edited.value
  if (draft && !draft.newCategory && !draft.theirs && Object.keys(changesOf(draft)).length === 0) edited.value = null
}

export const Edit = ({ draft, isHeld }: EditProps): VNode =>
  draft.theirs
    ? html`<${Conflict} draft=${draft} theirs=${draft.theirs} />`
    : html`<${Fields} draft=${draft} isHeld=${isHeld} />`

/** A sale is an order: one that was sold without, as in another program, can only become something else. */
const offered = ({ before }: EditDraft): readonly PetStatus[] =>
  statuses.filter((status) => status !== 'sold' || before.status === status)

function Fields({ draft, isHeld }: EditProps): VNode {
  const name = useRef<HTMLInputElement>(null)
  useEffect(() => {
    name.current?.focus()
    return leave
  }, [])
  const put = (part: Partial<EditDraft>) => {
    edited.value = { ...(edited.value ?? draft), ...part }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    saveEdit()
  }
  return html`<form class="fields" onSubmit=${submit}>
    <label>
      Name
      <input
        ref=${name}
        dir="auto"
        required
        maxlength=${nameLength}
        value=${draft.name}
        aria-describedby="name-fault"
        onInput=${typed((text) => put({ name: text }))}
      />
    </label>
    <${Fault} of="save" field="name" />
    <${CategoryField} category=${draft.category} newCategory=${draft.newCategory} put=${put} />
    <${Fault} of="save" field="categoryId" />
    ${
      isHeld
        ? html`<p class="quiet">
            Whether it is available, pending or sold follows from its order: complete or cancel the order, or take the
            animal back.
          </p>`
        : html`<label>Status
      <select value=${draft.status} onChange=${typed((text) => put({ status: text as PetStatus }))}>
        ${offered(draft).map((status) => html`<option value=${status}>${status}</option>`)}
      </select>
    </label>`
    }
    <div class="actions">
      <button class="primary" disabled=${busy.value.has('save')}>Save</button>
      <button type="button" onClick=${stop}>Cancel</button>
    </div>
  </form>`
}

const rows = [
  { label: 'Name', textOf: ({ name }: Pet) => name },
  { label: 'Category', textOf: ({ categoryId }: Pet) => categoryName(categoryId) },
  { label: 'Status', textOf: ({ status }: Pet) => status },
]

function Conflict({ draft, theirs }: { draft: EditDraft; theirs: Pet }): VNode {
  const mine = { ...theirs, ...changesOf(draft) }
  const differing = rows.filter(({ textOf }) => [theirs, mine].some((pet) => textOf(pet) !== textOf(draft.before)))
  const column = (title: string, pet: Pet) => html`<section>
    <h4>${title}</h4>
    <dl>
      ${differing.map(
        ({ label, textOf }) => html`<div class=${textOf(theirs) !== textOf(mine) ? 'changed' : ''}>
          <dt>${label}</dt><dd dir="auto">${textOf(pet)}</dd>
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
