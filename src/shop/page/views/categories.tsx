/** Categories: the sheet that adds, renames and removes them, and the field that chooses one. */
import type { TargetedEvent } from 'preact'
import { addCategory, nameCategory, removeCategory } from '../changes/category.ts'
import { type Choice, Combobox } from '../parts/combobox.tsx'
import { Fault, nameLength, typed } from '../parts/parts.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { categories, categoryCalled, categoryName, countOf, type LabelledCategory } from '../state/catalogue.ts'
import { nameDraftOf, putName } from '../state/drafts.ts'
import { markStale } from '../state/stale.ts'
import { animals, number } from '../words.ts'

/** Returns the known categories by their names, as choices. */
export const categoryChoices = (): Choice[] =>
  categories.value.map((each) => ({
    value: String(each.categoryId),
    text: each.label,
    note: number(countOf(each)),
  }))

/** A category that was chosen by its number, or typed. A name that no category has means a new category. */
export interface Wanted {
  readonly category: string
  readonly newCategory: string
}

export function wantedBy(text: string): Wanted {
  const known = categoryCalled(text)
  return { category: known ? String(known.categoryId) : '', newCategory: known ? '' : text }
}

interface CategoryFieldProps {
  /** A number, or an empty text if no category or a new one was chosen. */
  readonly category?: string | undefined
  readonly newCategory?: string | undefined
  readonly put: (part: Wanted) => void
}

/** A field that chooses a category, or accepts the name of a new one. */
export function CategoryField({ category, newCategory = '', put }: CategoryFieldProps) {
  return (
    <div class="field">
      <span aria-hidden="true">Category</span>
      <Combobox
        label="Category"
        placeholder="Choose one, or type a new one"
        required
        text={category ? categoryName(BigInt(category)) : newCategory}
        choices={categoryChoices()}
        onPick={(value) => put({ category: value, newCategory: '' })}
        onType={(text) => put(wantedBy(text))}
        onOpen={() => markStale({ categories: true })}
      />
      <p class="quiet" role="status">
        {!category && newCategory.trim() && 'A new category.'}
      </p>
    </div>
  )
}

export function CategoriesSheet({ onClose }: { onClose: () => void }) {
  const draft = nameDraftOf('new')
  const name = draft?.text ?? ''
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Text that was typed meanwhile belongs to the next category.
    if ((await addCategory(name)) && nameDraftOf('new') === draft) putName('new', null)
  }
  return (
    <Sheet title="Categories" isForm onClose={onClose}>
      <form class="fields inline" onSubmit={submit}>
        <label>
          New category
          <input
            dir="auto"
            required
            maxlength={nameLength}
            autofocus
            value={name}
            onInput={typed((text) => putName('new', text ? { text } : null))}
          />
        </label>
        <button type="submit" class="primary">
          Add
        </button>
        <Fault of="name new" field="name" />
      </form>
      <ul class="categories">
        {categories.value.map((each) => (
          <CategoryName key={each.categoryId} category={each} />
        ))}
      </ul>
      {categories.value.length > 0 && <p class="quiet">A category that has no animals can be removed.</p>}
    </Sheet>
  )
}

function CategoryName({ category }: { category: LabelledCategory }) {
  const { label, name = '', categoryId } = category
  const count = countOf(category)
  const of = String(categoryId)
  const draft = nameDraftOf(of)
  const { text = name, seen = name } = draft ?? {}
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (text !== name && !(await nameCategory(category, text, seen))) return
    // From then on, the field shows the name of the category.
    if (nameDraftOf(of) === draft) putName(of, null)
  }
  return (
    <li>
      <form onSubmit={submit}>
        <label>
          <span class="hidden">Name of {label}</span>
          <input
            name="name"
            dir="auto"
            required
            maxlength={nameLength}
            placeholder={label}
            value={text}
            onInput={typed((now) => putName(of, now === name ? null : { text: now, seen }))}
          />
        </label>
        <button type="submit">
          Rename<span class="hidden"> {label}</span>
        </button>
        <Fault of={`name ${categoryId}`} field="name" />
        <span class="quiet">{animals(count)}</span>
        {count === 0 && (
          <button type="button" class="plain" onClick={() => removeCategory(category)}>
            Remove<span class="hidden"> {label}</span>
          </button>
        )}
      </form>
    </li>
  )
}
