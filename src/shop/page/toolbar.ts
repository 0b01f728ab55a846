/** The tools over the list: the search, the filters with their counts, and a menu of what is needed less often. */
import type { VNode } from 'preact'
import { address, go, searchLength, statuses } from './address.ts'
import { canSelect } from './bulk.ts'
import { categoryChoices } from './categories.ts'
import { Combobox } from './combobox.ts'
import { view } from './look.ts'
import { Menu, MenuItem } from './menu.ts'
import { html, number, typed } from './parts.ts'
import { printChosen, saveCsv } from './save.ts'
import { can } from './session.ts'
import { categoryName, countOf, counts, inventory, searched, selected, sheet } from './state.ts'

const open = (name: typeof sheet.value) => () => {
  sheet.value = name
}

export function Toolbar(): VNode {
  const { category } = address.value
  const search = (text: string) => {
    searched.value = text
  }
  const every = {
    value: '',
    text: 'All categories',
    note: inventory.value ? number(countOf(inventory.value)) : undefined,
  }
  return html`<div class="toolbar">
    <label class="search"><span class="hidden">Search all animals</span>
      <input
        id="search"
        type="search"
        placeholder="Search by name, category or number"
        aria-keyshortcuts="/"
        maxlength=${searchLength}
        autocomplete="off"
        value=${searched.value}
        onInput=${typed(search)}
      />
    </label>
    <${StatusFilter} />
    <${Combobox}
      label="Category"
      text=${category === undefined ? every.text : categoryName(category)}
      choices=${[every, ...categoryChoices()]}
      onPick=${(value: string) => go({ category: value ? BigInt(value) : undefined })}
    />
    ${
      can('pets:write') &&
      html`<button type="button" class="primary add" onClick=${open('add')}>
        <span aria-hidden="true">+</span> Add
      </button>`
    }
    <${Tools} />
  </div>`
}

/** The statuses, each with how many there are of what else is chosen. */
function StatusFilter(): VNode {
  const { status } = address.value
  const part = (each: typeof status, text: string, count: number | undefined) =>
    html`<button type="button" aria-pressed=${status === each} onClick=${() => go({ status: each })}>
      ${text}${count !== undefined && html` <span class="count">${number(count)}</span>`}
    </button>`
  return html`<div class="statuses" role="group" aria-label="Status">
    ${part(undefined, 'All', counts.value && countOf(counts.value))}
    ${statuses.map((each) => part(each, each[0]?.toUpperCase() + each.slice(1), counts.value?.[each]))}
  </div>`
}

const toggleSelection = () => {
  selected.value = selected.value ? null : new Set()
}

function Tools(): VNode {
  const { sort } = address.value
  const order = (value: typeof sort, text: string) =>
    html`<${MenuItem} isOn=${sort === value} onPick=${() => go({ sort: value })}>${text}<//>`
  const look = (value: typeof view.value, text: string) =>
    html`<${MenuItem} isOn=${view.value === value} onPick=${() => (view.value = value)}>${text}<//>`
  return html`<${Menu} label="Menu">
    ${canSelect() && html`<${MenuItem} isOn=${selected.value !== null} onPick=${toggleSelection}>Select<//>`}
    <${MenuItem} onPick=${saveCsv}>Save as CSV<//>
    <${MenuItem} onPick=${printChosen}>Print<//>
    ${can('pets:write') && html`<${MenuItem} onPick=${open('categories')}>Categories<//>`}
    <hr />
    ${look('table', 'Table')}${look('cards', 'Cards')}
    <hr />
    ${order(undefined, 'Newest first')}${order('oldest', 'Oldest first')}${order('name', 'By name')}
    <hr />
    <${MenuItem} onPick=${open('shortcuts')}>Keyboard shortcuts<//>
  <//>`
}
