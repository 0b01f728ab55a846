/** The orders of the store, those that are open first, with what can be done about each. */
import type { TargetedMouseEvent, VNode } from 'preact'
import { address, go, hrefOf } from './address.ts'
import { Time } from './animal.ts'
import { moveOrder, takeBack } from './changes.ts'
import { More } from './list.ts'
import { loadMoreOrders, loadOrders } from './load-orders.ts'
import { columnHeader, html, number } from './parts.ts'
import { can, wordsOf } from './session.ts'
import { orders, type ShownOrder } from './state.ts'

/** Goes there without loading the page, unless it is to be opened in another tab. */
const follow = (run: () => void) => (event: TargetedMouseEvent<HTMLAnchorElement>) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  run()
}

/** Animals or orders. */
export function Tabs(): VNode {
  const tab = (show: 'orders' | undefined, text: string) => {
    const to = { show, pet: undefined }
    return html`<a
      href=${hrefOf(to)}
      aria-current=${address.value.show === show ? 'page' : undefined}
      onClick=${follow(() => go(to))}
    >
      ${text}
    </a>`
  }
  return html`<nav class="tabs" aria-label="Show">${tab(undefined, 'Animals')}${tab('orders', 'Orders')}</nav>`
}

const columns = ['Animal', 'Status', 'Placed', 'Done', 'Number']

export function OrderList(): VNode {
  const { items = [], next, failure } = orders.value ?? {}
  const found = `${number(items.length)} order${items.length === 1 ? '' : 's'}${next ? ' loaded so far' : ''}`
  return html`<section class="catalogue orders" aria-label="Orders" aria-busy=${!orders.value}>
    <div class="found"><p role="status">${orders.value ? items.length > 0 && found : 'Loading…'}</p></div>
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
        : orders.value &&
          items.length === 0 &&
          html`<div class="notice">
            <h2>No orders yet</h2>
            <p>An order is placed on an animal: press Order there.</p>
          </div>`
    }
    ${next && !failure && html`<${More} at=${items.length} onMore=${loadMoreOrders} />`}
  </section>`
}

function Row({ order, pet }: ShownOrder): VNode {
  const { id, status, createdAt, updatedAt } = order
  const to = { pet: pet.id }
  const move = (run: () => unknown, text: string) =>
    html`<button
      type="button"
      class="deed"
      aria-label="${text} order ${id}, ${pet.name}"
      onClick=${run}
    >
      ${text}
    </button>`
  return html`<tr class="row item" role="row" data-id=${id}>
    <td role="cell"><a class="name" href=${hrefOf(to)} onClick=${follow(() => go(to))}><bdi>${pet.name}</bdi></a></td>
    <td role="cell"><span class="status ${status}">${status}</span></td>
    <td role="cell"><span class="on">Placed </span><${Time} at=${createdAt} /></td>
    <td role="cell">${status !== 'placed' && html`<span class="on">Done </span><${Time} at=${updatedAt} />`}</td>
    <td role="cell" class="id">${id}</td>
    <td role="cell" class="do">
      ${can('orders:write') && status === 'placed' && move(() => moveOrder(pet, order, 'complete'), 'Complete')}
      ${can('orders:write') && status === 'placed' && move(() => moveOrder(pet, order, 'cancel'), 'Cancel')}
      ${can('orders:write') && status === 'completed' && move(() => takeBack(pet, order), 'Take back')}
    </td>
  </tr>`
}
