/** Categories: the sheet that adds, renames and removes them, and the field that chooses one of them. */
import type { TargetedEvent, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { foldedName } from '../../model/text.ts'
import { addCategory, nameCategory, removeCategory } from './category-changes.ts'
import { type Choice, Combobox } from './combobox.ts'
import { animals, Fault, html, nameLength, number, Sheet, typed } from './parts.ts'
import { categories, categoryName, countOf, type LabelledCategory } from './state.ts'

/** The categories that are known, by their names, to choose one of. */
export const categoryChoices = (): Choice[] =>
  categories.value.map((each) => ({
    value: String(each.categoryId),
    text: each.label,
    note: number(countOf(each)),
  }))

interface CategoryFieldProps {
  /** A number; empty if none or a new one was typed. */
  readonly category?: string | undefined
  readonly newCategory?: string | undefined
  readonly put: (part: { category: string; newCategory: string }) => void
}

/** Chooses a category, or takes the name of a new one. */
export function CategoryField({ category, newCategory = '', put }: CategoryFieldProps): VNode {
  const type = (text: string) => {
    const known = categories.value.find(({ label }) => foldedName(label) === foldedName(text))
    put({ category: known ? String(known.categoryId) : '', newCategory: known ? '' : text })
  }
  return html`<div class="field">
    <span aria-hidden="true">Category</span>
    <${Combobox}
      label="Category"
      placeholder="Choose one, or type a new one"
      required
      text=${category ? categoryName(BigInt(category)) : newCategory}
      choices=${categoryChoices()}
      onPick=${(value: string) => put({ category: value, newCategory: '' })}
      onType=${type}
    />
    <p class="quiet" role="status">${!category && newCategory.trim() && 'A new category.'}</p>
  </div>`
}

export function Categories({ onClose }: { onClose: () => void }): VNode {
  const [name, setName] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await addCategory(name)) setName('')
  }
  return html`<${Sheet} title="Categories" isForm onClose=${onClose}>
    <form class="fields inline" onSubmit=${submit}>
      <label>
        New category
        <input dir="auto" required maxlength=${nameLength} autofocus value=${name} onInput=${typed(setName)} />
      </label>
      <button class="primary">Add</button>
      <${Fault} of="name new" field="name" />
    </form>
    <ul class="categories">
      ${categories.value.map((each) => html`<${CategoryName} key=${each.categoryId} category=${each} />`)}
    </ul>
    ${categories.value.length > 0 && html`<p class="quiet">A category that has no animals can be removed.</p>`}
  <//>`
}

function CategoryName({ category }: { category: LabelledCategory }): VNode {
  const count = countOf(category)
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name'))
    // From then on it shows the name that the category has.
    if (name === (category.name ?? '') || (await nameCategory(category, name))) form.reset()
  }
  return html`<li><form onSubmit=${submit}>
    <label><span class="hidden">Name of ${category.label}</span>
      <input
        name="name"
        dir="auto"
        required
        maxlength=${nameLength}
        placeholder=${category.label}
        defaultValue=${category.name ?? ''}
      />
    </label>
    <button>Rename<span class="hidden"> ${category.label}</span></button>
    <${Fault} of="name ${category.categoryId}" field="name" />
    <span class="quiet">${animals(count)}</span>
    ${
      count === 0 &&
      html`<button type="button" class="plain" onClick=${() => removeCategory(category)}>
        Remove<span class="hidden"> ${category.label}</span>
      </button>`
    }
  </form></li>`
}
