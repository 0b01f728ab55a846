/** One animal: what it is, what can be done with it, and its orders as a timeline. */
import type { VNode } from 'preact'
import type { Order } from '../../../client/src/types.ts'
import { address, close } from './address.ts'
import { moveOrder, placeOrder, removePet, startEdit, takeBack } from './changes.ts'
import { edited } from './drafts.ts'
import { Edit } from './edit.ts'
import { History } from './history.ts'
import { openPet } from './load.ts'
import { OrderFields } from './order-fields.ts'
import { html, Initial, Sheet, Status, Time } from './parts.ts'
import { can, codeOf, wordsOf } from './session.ts'
import { busy, categoryName, isHeld, opened, type ShownPet } from './state.ts'

export function Animal(): VNode {
  const { pet, orders = [], events = [], failure } = opened.value ?? {}
  const { pet: id } = address.value
  const again = () => id !== undefined && openPet(id)
  if (!pet) {
    const isGone = codeOf(failure) === 'pet_not_found'
    const title = isGone ? 'No such animal' : failure ? 'Not loaded' : 'Loading…'
    return html`<${Sheet} key="animal" title=${title} onClose=${close}>
      ${failure && html`<p>${wordsOf(failure)}</p>`}
      ${failure && !isGone && html`<p><button type="button" onClick=${again}>Try again</button></p>`}
    <//>`
  }
  const draft = edited.value?.before.id === pet.id && can('pets:write') ? edited.value : undefined
  return html`<${Sheet} key="animal" title=${draft ? draft.before.name : pet.name} onClose=${close}>
    ${draft ? html`<${Edit} draft=${draft} isHeld=${isHeld.value} />` : html`<${Facts} pet=${pet} orders=${orders} />`}
    ${can('orders:read') && html`<${Timeline} pet=${pet} orders=${orders} />`}
    <${History} events=${events} />
  <//>`
}

const isOpen = ({ status }: Order): boolean => status === 'placed'

function Facts({ pet, orders }: { pet: ShownPet; orders: readonly Order[] }): VNode {
  const order = orders.find(isOpen)
  const sale = orders.find(({ status }) => status === 'completed')
  const isBusy = busy.value.size > 0
  const canOrder = can('orders:write')
  // Not disabled, since that would take the focus away.
  const action = (text: string, run: () => unknown, kind = '') =>
    html`<button type="button" class=${kind} aria-disabled=${isBusy} onClick=${() => isBusy || run()}>${text}</button>`
  return html`<div class="facts">
      <${Initial} pet=${pet} />
      <dl>
        <div><dt>Status</dt><dd><${Status} status=${pet.status} /></dd></div>
        <div><dt>Category</dt><dd dir="auto">${categoryName(pet.categoryId)}</dd></div>
        <div><dt>Number</dt><dd class="digits">${pet.id}</dd></div>
        <div><dt>Category number</dt><dd class="digits">${pet.categoryId}</dd></div>
      </dl>
    </div>
    <div class="actions">
      ${canOrder && pet.status === 'available' && action('Order', () => placeOrder(pet), 'primary deed order')}
      ${canOrder && order && action('Complete the order', () => moveOrder(pet, order, 'complete'), 'primary deed')}
      ${canOrder && order && action('Cancel the order', () => moveOrder(pet, order, 'cancel'), 'deed')}
      ${canOrder && sale && action('Take back', () => takeBack(pet, sale), 'deed')}
      ${can('pets:write') && action('Edit', () => startEdit(pet))}
      ${can('pets:write') && orders.length === 0 && action('Remove', () => removePet(pet))}
    </div>
    ${
      can('pets:write') &&
      orders.length > 0 &&
      html`<p class="quiet">It stays in the books with its orders, and cannot be removed.</p>`
    }
    ${canOrder && order && html`<p class="quiet">Completing the order sells the animal.</p>`}`
}

const changed = { cancelled: 'Cancelled', returned: 'Taken back', expired: 'Ended' }

const Timeline = ({
  pet,
  orders,
}: {
  pet: ShownPet
  orders: readonly Order[]
}): VNode => html`<section class="timeline" aria-labelledby="orders-title">
  <h3 id="orders-title">Orders</h3>
  ${orders.length === 0 && html`<p class="quiet">Nobody has ordered it yet.</p>`}
  <ol>
    ${[...orders].reverse().map(
      (order) => html`<li key=${order.id} class=${order.status}>
        <strong>Order ${order.id}, ${order.status}</strong>
        <${OrderFields} pet=${pet} order=${order} />
        <span>Placed <${Time} at=${order.createdAt} /></span>
        ${order.completedAt && html`<span>Completed <${Time} at=${order.completedAt} /></span>`}
        ${
          order.status in changed &&
          html`<span>${changed[order.status as keyof typeof changed]} <${Time} at=${order.updatedAt} /></span>`
        }
      </li>`,
    )}
  </ol>
</section>`
