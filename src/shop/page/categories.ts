/** Categories: the sheet that adds, renames and removes them, and the field that chooses one of them. */
import type { TargetedEvent, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { addCategory, countOf, nameCategory, removeCategory } from './category-changes.ts'
import { animals, Fault, html, nameLength, Sheet, typed } from './parts.ts'
import { categories, categoryName, type LabelledCategory } from './state.ts'

/** The categories that are known, to choose one of. */
export const categoryOptions = (): VNode[] =>
  categories.value.map(
    ({ categoryId, label }) => html`<option key=${categoryId} value=${String(categoryId)}>${label}</option>`,
  )

interface CategoryFieldProps {
  /** A number; empty for a new category. */
  readonly category: string
  readonly newCategory?: string | undefined
  readonly put: (part: { category?: string; newCategory?: string }) => void
}

/** Chooses a category, or takes the name of a new one. */
export function CategoryField({ category, newCategory = '', put }: CategoryFieldProps): VNode {
  const isKnown = categories.value.some(({ categoryId }) => String(categoryId) === category)
  return html`${
    (categories.value.length > 0 || category) &&
    html`<label>Category
        <select value=${category} onChange=${typed((text) => put({ category: text }))}>
          ${!isKnown && category && html`<option value=${category}>${categoryName(BigInt(category))}</option>`}
          ${categoryOptions()}
          <option value="">New category…</option>
        </select>
      </label>`
  }
    ${
      !category &&
      html`<label>
        New category
        <input
          dir="auto"
          required
          maxlength=${nameLength}
          value=${newCategory}
          onInput=${typed((text) => put({ newCategory: text }))}
        />
      </label>`
    }`
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
