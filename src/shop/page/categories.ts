/** Categories: the sheet that names them, and the field that chooses one of them. */
import type { TargetedEvent, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { nameCategory } from './changes.ts'
import { animals, Fault, html, nameLength, Sheet, typed } from './parts.ts'
import { busy, categories, type LabelledCategory } from './state.ts'

/** The categories that are known, to choose one of. */
export const categoryOptions = (): VNode[] =>
  categories.value.map(
    ({ categoryId, label }) => html`<option key=${categoryId} value=${String(categoryId)}>${label}</option>`,
  )

/** Chooses a category, or takes any number; the value is its number as text, since it may be half typed. */
export function CategoryField({ value, onInput }: { value: string; onInput: (value: string) => void }): VNode {
  const [isAsked, ask] = useState(false)
  const isOther = isAsked || (value !== '' && !categories.value.some(({ categoryId }) => String(categoryId) === value))
  const choose = (text: string) => {
    ask(text === 'other')
    onInput(text === 'other' ? '' : text)
  }
  return html`<label>Category
      <select value=${isOther ? 'other' : value} onChange=${typed(choose)}>
        ${categoryOptions()}
        <option value="other">Another number…</option>
      </select>
    </label>
    ${
      isOther &&
      html`<label>Number of the category
        <input inputmode="numeric" required pattern="-?[0-9]+" maxlength="20" value=${value} onInput=${typed(onInput)} />
      </label>`
    }`
}

export const Categories = ({
  onClose,
}: {
  onClose: () => void
}): VNode => html`<${Sheet} title="Categories" onClose=${onClose}>
  ${categories.value.length === 0 && html`<p class="quiet">A category appears here with its first animal.</p>`}
  <ul class="categories">${categories.value.map((each) => html`<${CategoryName} key=${each.categoryId} category=${each} />`)}</ul>
<//>`

function CategoryName({ category }: { category: LabelledCategory }): VNode {
  const { categoryId, available, pending, sold } = category
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name'))
    // From then on it shows the name that the category has.
    if (name === (category.name ?? '') || (await nameCategory(category, name))) form.reset()
  }
  return html`<li><form onSubmit=${submit}>
    <label><span class="hidden">Name of the category </span><span class="digits">${categoryId}</span>
      <input name="name" dir="auto" maxlength=${nameLength} placeholder="No name" defaultValue=${category.name ?? ''} />
    </label>
    <${Fault} of="name ${categoryId}" field="name" />
    <span class="quiet">${animals(available + pending + sold)}</span>
    <button disabled=${busy.value.has(`name ${categoryId}`)}>Save<span class="hidden"> the name of ${categoryId}</span></button>
  </form></li>`
}
