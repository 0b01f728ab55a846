/** The orders of the store as a place to work: by their status or by a search, with what can be done about each. */
import type { TargetedMouseEvent, VNode } from 'preact'
import { address, go, hrefOf, orderTabs, searchLength } from './address.ts'
import { moveOrder, takeBack } from './changes.ts'
import { More } from './list.ts'
import { loadMoreOrders, loadOrders } from './load-orders.ts'
import { columnHeader, Freshness, html, number, Time, typed } from './parts.ts'
import { can, wordsOf } from './session.ts'
import { orderCounts, orders, type ShownOrder, sought } from './state.ts'

/** Goes there without loading the page, unless it is to be opened in another tab. */
const follow = (run: () => void) => (event: TargetedMouseEvent<HTMLAnchorElement>) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  run()
}

/** Animals, orders, or the report of a day. */
export function Tabs(): VNode {
  const tab = (show: typeof address.value.show, text: string) => {
    const to = { show, pet: undefined }
    return html`<a
      href=${hrefOf(to)}
      aria-current=${address.value.show === show ? 'page' : undefined}
      onClick=${follow(() => go(to))}
    >
      ${text}
    </a>`
  }
  return html`<nav class="tabs" aria-label="Show">
    ${tab(undefined, 'Animals')}${can('orders:read') && tab('orders', 'Orders')}
    ${can('orders:read') && can('events:read') && tab('report', 'Report')}
  </nav>`
}

const titles = {
  placed: 'Open',
  completed: 'Completed',
  returned: 'Returned',
  cancelled: 'Cancelled',
  expired: 'Expired',
}

function Toolbar(): VNode {
  const { tab = 'placed', find } = address.value
  const { items = [], next } = orders.value ?? {}
  const countOf = (each: typeof tab) => {
    // All that are open are read, where others are counted up to a page.
    const isWhole = each === 'placed' && tab === each && !find && orders.value && !next
    return isWhole ? number(items.filter(({ order }) => order.status === each).length) : orderCounts.value.get(each)
  }
  const part = (each: typeof tab) =>
    html`<button
      type="button"
      aria-pressed=${!find && tab === each}
      onClick=${() => go({ tab: each === 'placed' ? undefined : each, find: undefined })}
    >
      ${titles[each]} <span class="count">${countOf(each)}</span>
    </button>`
  const search = (text: string) => {
    sought.value = text
  }
  return html`<div class="toolbar">
    <label class="search"><span class="hidden">Search all orders</span>
      <input
        id="search"
        type="search"
        placeholder="Search by number, reference or animal"
        aria-keyshortcuts="/"
        maxlength=${searchLength}
        autocomplete="off"
        value=${sought.value}
        onInput=${typed(search)}
      />
    </label>
    <div class="statuses" role="group" aria-label="Status">${orderTabs.map(part)}</div>
  </div>`
}

const columns = ['Number', 'Animal', 'For', 'Status', 'Placed', 'Ends or ended']

export function OrderList(): VNode {
  const { items = [], next, failure } = orders.value ?? {}
  const { find } = address.value
  const more = find ? ' found' : next ? ' shown, more to come' : ''
  const found = `${number(items.length)} order${items.length === 1 ? '' : 's'}${more}`
  return html`<${Toolbar} /><section class="catalogue orders" aria-label="Orders" aria-busy=${!orders.value}>
    <div class="found">
      <p role="status">${orders.value ? items.length > 0 && found : 'Loading…'}</p><${Freshness} />
    </div>
    ${
      items.length > 0 &&
      html`<div><table role="table">
        <thead role="rowgroup"><tr role="row">
          ${columns.map(columnHeader)}
          <td role="cell"></td>
        </tr></thead>
        <tbody role="rowgroup">${items.map((each) => html`<${Row} key=${each.order.id} ...${each} />`)}</tbody>
      </table></div>`
    }
    ${
      failure
        ? html`<div class="notice" role="alert">
            <h2>The orders could not be loaded</h2>
            <p>${wordsOf(failure)}</p>
            <p>
              <button type="button" onClick=${items.length > 0 ? loadMoreOrders : loadOrders}>Try again</button>
            </p>
          </div>`
        : orders.value && items.length === 0 && html`<${Empty} />`
    }
    ${next && !failure && html`<${More} at=${items.length} onMore=${loadMoreOrders} />`}
  </section>`
}

function Empty(): VNode {
  const { find, tab = 'placed' } = address.value
  if (find)
    return html`<div class="notice">
      <h2>Nothing matches</h2>
      <p>A search finds the number of an order, a whole reference, any part of the reference of an open order, and
        animals by name or number.</p>
    </div>`
  return html`<div class="notice">
    <h2>No orders here</h2>
    <p>${
      tab === 'placed'
        ? 'No animal is reserved. An order is placed on an animal: press Order there.'
        : `No order is ${tab}.`
    }</p>
  </div>`
}

/** Then somebody should call. */
const soonMilliseconds = 4 * 3_600_000

const distances = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How far away a time is: "in 3 hours". */
function distanceOf(at: string): string {
  const left = Date.parse(at) - Date.now()
  const [unit, size] = units.find(([, size]) => Math.abs(left) >= size) ?? ['minute', 60_000]
  return distances.format(Math.trunc(left / size), unit)
}

function Ends({ order }: { order: ShownOrder['order'] }): VNode {
  const { status, heldUntil, completedAt, updatedAt } = order
  if (status !== 'placed')
    return html`<${Time} at=${status === 'completed' ? (completedAt ?? updatedAt) : updatedAt} />`
  if (!heldUntil) return html`<span class="quiet">Held for good</span>`
  const isSoon = Date.parse(heldUntil) - Date.now() < soonMilliseconds
  return html`<span class=${isSoon ? 'soon' : ''}>Ends ${distanceOf(heldUntil)}</span>`
}

function Row({ order, pet }: ShownOrder): VNode {
  const { id, status, createdAt, reference } = order
  const to = { pet: pet.id }
  const move = (run: () => unknown, text: string) =>
    html`<button type="button" class="deed" aria-label="${text} order ${id}, ${pet.name}" onClick=${run}>
      ${text}
    </button>`
  const canMove = can('orders:write')
  return html`<tr class="row item" role="row" data-id=${id}>
    <td role="cell" class="id">${id}</td>
    <td role="cell"><a class="name" href=${hrefOf(to)} onClick=${follow(() => go(to))}><bdi>${pet.name}</bdi></a></td>
    <td role="cell" class="for" dir="auto">${reference}</td>
    <td role="cell"><span class="status ${status}">${status}</span></td>
    <td role="cell" class="quiet"><span class="on">Placed </span><${Time} at=${createdAt} /></td>
    <td role="cell" class="ends"><${Ends} order=${order} /></td>
    <td role="cell" class="do">
      ${canMove && status === 'placed' && move(() => moveOrder(pet, order, 'complete'), 'Complete')}
      ${canMove && status === 'placed' && move(() => moveOrder(pet, order, 'cancel'), 'Cancel')}
      ${canMove && status === 'completed' && move(() => takeBack(pet, order), 'Take back')}
    </td>
  </tr>`
}
