/** The forms for a new animal, and for an animal that is edited in place. */
import type { TargetedEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { randomKey } from '../../../../client/src/transport.ts'
import type { Pet, PetStatus } from '../../../../client/src/types.ts'
import { addPet, changesOf, keepTheirs, leaveEdit, readTheirs, saveEdit, saveMine } from '../changes/animal.ts'
import { Conflict } from '../parts/conflict.tsx'
import { Fault, nameLength, typed } from '../parts/parts.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { address, statuses } from '../state/address.ts'
import { added, isSame } from '../state/animals.ts'
import { categories, categoryName } from '../state/catalogue.ts'
import { type EditDraft, editOf, type NewPetDraft, newPet, putEdit, putNewPet } from '../state/drafts.ts'
import { busy } from '../state/forms.ts'
import { tell } from '../state/messages.ts'
import { decisive, petOf } from '../state/opened.ts'
import { me } from '../state/session.ts'
import { petWords } from '../words.ts'
import { CategoryField } from './categories.tsx'

/** The form for a new animal. Enter adds the animal and prepares the form for the next one in the same category. */
export function AddSheet({ onClose }: { onClose: () => void }) {
  const name = useRef<HTMLInputElement>(null)
  const [only] = categories.value.length === 1 ? categories.value : []
  const category = String(address.value.category ?? only?.categoryId ?? '')
  const draft: NewPetDraft = { name: '', category, ...newPet() }
  const put = (part: Partial<NewPetDraft>) => putNewPet({ name: '', ...newPet(), ...part, attempt: undefined })
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy.value.has('add')) return
    const attempt = draft.attempt ?? randomKey()
    const sent = { ...draft, attempt }
    putNewPet(sent)
    if (!(await addPet(sent, attempt))) return
    // Text that was typed meanwhile belongs to the next animal.
    if (newPet() === sent) putNewPet({ name: '', category: String(added.value[0]?.categoryId ?? '') })
    name.current?.focus()
  }
  // The category of the next animal follows the filter again.
  useEffect(
    () => () => {
      if (newPet()?.name === '') putNewPet(null)
    },
    [],
  )
  return (
    <Sheet title="Add an animal" isForm onClose={onClose}>
      <form class="fields" onSubmit={submit}>
        <label>
          Name
          <input
            ref={name}
            dir="auto"
            required
            maxlength={nameLength}
            autocomplete="off"
            autofocus
            value={draft.name}
            aria-describedby="name-fault"
            onInput={typed((text) => put({ name: text }))}
          />
        </label>
        <Fault of="add" field="name" />
        <CategoryField category={draft.category} newCategory={draft.newCategory} put={put} />
        <Fault of="add" field="categoryId" />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={busy.value.has('add')}>
            Add
          </button>
        </div>
        <p class="quiet">Press Enter to add it, and then type the next one.</p>
      </form>
    </Sheet>
  )
}

const rows = [
  { label: 'Name', textOf: ({ name }: Pet) => name },
  { label: 'Category', textOf: ({ categoryId }: Pet) => categoryName(categoryId) },
  { label: 'Status', textOf: ({ status }: Pet) => petWords[status] },
]

export function EditForm({ draft }: { draft: EditDraft }) {
  const { before, theirs } = draft
  const { id } = before
  useEffect(
    () => () => {
      // If the key was refused, the form must be there again for the next key.
      if (me.peek() && editOf(id)?.isOpen) leaveEdit(id)
    },
    [],
  )
  const now = petOf.value
  const isOld = theirs !== undefined && now?.id === id && now.status !== 'removed' && !isSame(now, theirs)
  useEffect(() => {
    if (isOld) readTheirs(id).catch(tell)
  }, [isOld && now])
  if (!theirs) return <EditFields draft={draft} />
  return (
    <Conflict
      what="animal"
      rows={rows}
      before={before}
      theirs={theirs}
      mine={{ ...theirs, ...changesOf(draft) }}
      isBusy={busy.value.has(`save ${id}`)}
      onSave={() => saveMine(id)}
      onKeep={() => keepTheirs(id)}
    />
  )
}

/** A sale is an order. An animal that was sold without an order, as by another program, can only get another status. */
const offered = ({ before }: EditDraft): readonly PetStatus[] =>
  statuses.filter((status) => status !== 'sold' || before.status === status)

function EditFields({ draft }: { draft: EditDraft }) {
  const { id } = draft.before
  const of = `save ${id}`
  const name = useRef<HTMLInputElement>(null)
  useEffect(() => name.current?.focus(), [])
  const put = (part: Partial<EditDraft>) => putEdit(id, { ...(editOf(id) ?? draft), ...part })
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    saveEdit(id)
  }
  return (
    <form class="fields" onSubmit={submit}>
      <label>
        Name
        <input
          ref={name}
          dir="auto"
          required
          maxlength={nameLength}
          value={draft.name}
          aria-describedby="name-fault"
          onInput={typed((text) => put({ name: text }))}
        />
      </label>
      <Fault of={of} field="name" />
      <CategoryField category={draft.category} newCategory={draft.newCategory} put={put} />
      <Fault of={of} field="categoryId" />
      {decisive.value ? (
        <p class="quiet">
          Whether it is available, reserved or sold follows from its order: hand it over, cancel the order, or take the
          animal back.
        </p>
      ) : (
        <label>
          Status
          <select value={draft.status} onChange={typed((text) => put({ status: text as PetStatus }))}>
            {offered(draft).map((status) => (
              <option key={status} value={status}>
                {petWords[status]}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={busy.value.has(of)}>
          Save
        </button>
        <button type="button" onClick={() => putEdit(id, null)}>
          Cancel
        </button>
      </div>
    </form>
  )
}
