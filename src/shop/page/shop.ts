// @ts-nocheck
/** Starts the page: its header and toolbar, the sheet that is open, and the keyboard. */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { useRef } from 'preact/hooks'
import { address, go } from './address.ts'
import { Animal } from './animal.ts'
import { key } from './api.ts'
import { can, categories, categoryName, follow, me, refusal, searched, signIn } from './catalogue.ts'
import { signOut } from './changes.ts'
import { followEvents } from './events.ts'
import { Add, Categories, Shortcuts, SignIn } from './forms.ts'
import { Catalogue } from './list.ts'
import { categoryOptions, html, Messages, ReferenceLink, sheet } from './parts.ts'
import { Summary } from './summary.ts'

const openSheet = (name) => () => {
  sheet.value = name
}
const sheets = { add: Add, categories: Categories, shortcuts: Shortcuts }

function Shop() {
  if (!me.value) return key.value === null ? html`<${SignIn} />` : html`<${Waiting} />`
  const Open = (sheet.value === 'shortcuts' || can('pets:write')) && sheets[sheet.value]
  const isOpen = Open || address.value.pet
  return html`<header class="masthead">
      <h1 class="brand"><img src="shop/favicon.svg" alt="" width="32" height="32" />Pet Store</h1>
      <p class="who"><${ReferenceLink} /><span dir="auto">${me.value.name}</span><button type="button" class="plain" onClick=${signOut}>Sign out</button></p>
    </header>
    <main>
      ${can('pets:read') ? html`<${Summary} /><${Toolbar} /><${Catalogue} />` : html`<div class="notice"><h2>This key may not see the animals</h2><p>It needs the scope <code>pets:read</code>. Ask for another key, and sign in with it.</p></div>`}
    </main>
    ${Open ? html`<${Open} onClose=${openSheet(null)} />` : address.value.pet && can('pets:read') && html`<${Animal} />`}
    ${!isOpen && html`<${Messages} />`}`
}

/** The key is known, and the service has not said yet whose it is. */
const Waiting = () => html`<main class="signin">
  <div class="notice" role="status"><p>${refusal.value || 'Signing in…'}</p>${
    refusal.value &&
    html`<p class="actions">
      <button type="button" class="primary" onClick=${() => signIn(key.value)}>Try again</button>
      <button type="button" onClick=${signOut}>Use another key</button>
    </p>`
  }</div>
  <${Messages} />
</main>`

function Toolbar() {
  const search = useRef()
  const { category = '', view } = address.value
  const isListed = category === '' || categories.value.some(({ categoryId }) => categoryId === category)
  const look = (name, text) =>
    html`<button type="button" aria-pressed=${view === name} onClick=${() => go({ view: name })}>${text}</button>`
  return html`<div class="toolbar">
    <label class="search"><span class="hidden">Search the animals that are loaded</span>
      <input id="search" ref=${search} type="search" placeholder="Search" value=${searched.value} onInput=${({ target }) => (searched.value = target.value)} />
    </label>
    <label><span class="hidden">Category</span>
      <select value=${category} onChange=${({ target }) => go({ category: target.value || undefined })}>
        <option value="">All categories</option>
        ${!isListed && html`<option value=${category}>Category ${category}</option>`}
        ${categoryOptions()}
      </select>
    </label>
    <div class="views" role="group" aria-label="Show as">${look(undefined, 'Cards')}${look('table', 'Table')}</div>
    ${
      can('pets:write') &&
      html`<button type="button" class="names" onClick=${openSheet('categories')}>Categories</button>
      <button type="button" class="primary add" onClick=${openSheet('add')}><span aria-hidden="true">+</span> Add</button>`
    }
    <button type="button" class="plain help" onClick=${openSheet('shortcuts')}><span aria-hidden="true">?</span><span class="hidden">Keyboard shortcuts</span></button>
  </div>`
}

/** The place of the item in the next or former row that is below or above the given one. */
function acrossRows(items, from, step) {
  const place = (at) => items[at]?.closest('.item').getBoundingClientRect()
  const { top, left } = place(from)
  let at = from + step
  while (place(at)?.top === top) at += step
  const row = place(at)?.top
  while (items[at + step] && place(at + step).top === row && step * (left - place(at).left) > 0) at += step
  return at
}

const sideways = { ArrowLeft: -1, ArrowRight: 1 }

function moveFocus(arrow) {
  const items = [...document.querySelectorAll('.catalogue > :not([hidden]) .name')]
  const at = items.indexOf(document.activeElement.closest('.item')?.querySelector('.name'))
  const to = at < 0 ? 0 : sideways[arrow] ? at + sideways[arrow] : acrossRows(items, at, arrow === 'ArrowDown' ? 1 : -1)
  items[to]?.focus()
}

addEventListener('keydown', (event) => {
  const { target, key: pressed } = event
  if (!me.value || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
  if (pressed === 'Escape' && target.id === 'search') {
    searched.value = ''
    target.blur()
  }
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return
  if (pressed === '/') document.getElementById('search')?.focus()
  else if (pressed === 'n' && can('pets:write')) sheet.value = 'add'
  else if (pressed === '?') sheet.value = 'shortcuts'
  else if (pressed.startsWith('Arrow')) moveFocus(pressed)
  else return
  event.preventDefault()
})

/** The second click of a double click is none: what was under the first may have become something else, such as "Complete the order". */
addEventListener(
  'click',
  (event) => {
    if (event.detail < 2 || !event.target.closest('a, button')) return
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)

effect(() => {
  const { status, category } = address.value
  document.title = [category && categoryName(category), status, 'Pet Store'].filter(Boolean).join(' · ')
})

follow()
followEvents()
render(html`<${Shop} />`, document.getElementById('shop'))
