/** Starts the page: its header, what it shows, and the sheet that is open. */
import { effect } from '@preact/signals'
import { render, type VNode } from 'preact'
import { address, close } from './address.ts'
import { Animal } from './animal.ts'
import { RefusedSheet } from './bulk.ts'
import { Categories } from './categories.ts'
import { Add } from './edit.ts'
import { follow, signOut } from './follow.ts'
import { listen, Shortcuts } from './keyboard.ts'
import { Catalogue } from './list.ts'
import { followEvents } from './live.ts'
import { areOrdersShown } from './load-orders.ts'
import { isReportShown } from './load-report.ts'
import { OrderList, Tabs } from './orders.ts'
import { html, Messages, ReferenceLink } from './parts.ts'
import { Report } from './report.ts'
import { can, me } from './session.ts'
import { SignIn } from './sign-in.ts'
import { categoryName, opened, sheet } from './state.ts'
import { Toolbar } from './toolbar.ts'

const sheets = { add: Add, categories: Categories, shortcuts: Shortcuts, refused: RefusedSheet }

/** A sheet is opened by its name, and closed by going back. */
function followHistory(): void {
  effect(() => {
    const state = sheet.value && { sheet: sheet.value }
    if (state?.sheet === history.state?.sheet) return
    if (state) history.pushState(state, '')
    else history.replaceState(null, '')
  })
  addEventListener('popstate', () => {
    sheet.value = history.state?.sheet ?? null
  })
}

/** The orders, the animals, or why there are none to see. */
function view(): VNode {
  if (areOrdersShown()) return html`<${OrderList} />`
  if (isReportShown()) return html`<${Report} />`
  if (can('pets:read')) return html`<${Toolbar} /><${Catalogue} />`
  return html`<div class="notice">
    <h2>This key may not see the animals</h2>
    <p>It needs the scope <code>pets:read</code>. Ask for another key, and sign in with it.</p>
  </div>`
}

function Shop(): VNode {
  if (!me.value) return html`<${SignIn} />`
  const Open =
    sheet.value &&
    (sheet.value === 'shortcuts' || sheet.value === 'refused' || can('pets:write')) &&
    sheets[sheet.value]
  const isOpen = Open || address.value.pet !== undefined
  return html`<header class="masthead">
      <h1 class="brand"><img src="shop/favicon.svg" alt="" width="32" height="32" />Pet Store</h1>
      ${can('pets:read') && can('orders:read') && html`<${Tabs} />`}
      <p class="who">
        <${ReferenceLink} />
        <span dir="auto">${me.value.name}</span>
        <button type="button" class="plain" onClick=${signOut}>Sign out</button>
      </p>
    </header>
    <main tabindex="-1">${view()}</main>
    ${Open ? html`<${Open} onClose=${close} />` : isOpen && can('pets:read') && html`<${Animal} />`}
    ${!isOpen && html`<${Messages} />`}`
}

effect(() => {
  const { status, category, show } = address.value
  const name = category !== undefined && categoryName(category)
  const shown = show ? [show === 'orders' ? 'Orders' : 'Report'] : [name, status]
  document.title = [opened.value?.pet?.name, ...shown, 'Pet Store'].filter(Boolean).join(' · ')
})

listen()
followHistory()
follow()
followEvents()
render(html`<${Shop} />`, document.getElementById('shop') as HTMLElement)
