/** One page of animals, as cards or as rows of the table: drawn once for as long as it is the same list. */
import { computed } from '@preact/signals'
import type { TargetedMouseEvent, VNode } from 'preact'
import { go, hrefOf } from './address.ts'
import { placeOrder } from './changes.ts'
import { html, Initial, Status } from './parts.ts'
import { can } from './session.ts'
import { categoryName, type ShownPet } from './state.ts'

/** Without the animal that is open: opening one draws no list anew. */
const hrefOfPet = computed(() => {
  const list = hrefOf({ pet: undefined })
  return `${list}${list.includes('?') ? '&' : '?'}pet=`
})

const Name = ({ id, name }: ShownPet): VNode =>
  html`<a class="name" dir="auto" href=${hrefOfPet.value + id}>${name}</a>`

const Order = ({ status, name }: ShownPet): VNode | false =>
  status === 'available' &&
  can('orders:write') &&
  html`<button type="button" class="order" aria-label="Order ${name}">Order</button>`

/** Parts are called rather than mounted: a component for each of them would double the time of the first view. */
const Card = (pet: ShownPet): VNode => html`<div class="card item" role="listitem" key=${pet.id} data-id=${pet.id}>
  ${Initial({ pet })}
  <div class="what">${Name(pet)}<span class="category" dir="auto">${categoryName(pet.categoryId)}</span></div>
  ${Status(pet)}${Order(pet)}
</div>`

/** The roles are written out, since rows laid out as grids would lose them. */
const Row = (pet: ShownPet): VNode => html`<tr class="row item" role="row" key=${pet.id} data-id=${pet.id}>
  <td role="cell">${Name(pet)}</td>
  <td role="cell" class="category" dir="auto">${categoryName(pet.categoryId)}</td>
  <td role="cell">${Status(pet)}</td>
  <td role="cell" class="id">${pet.id}</td>
  <td role="cell" class="do">${Order(pet)}</td>
</tr>`

async function order(button: HTMLButtonElement, pet: ShownPet): Promise<void> {
  button.disabled = true
  await placeOrder(pet)
  button.disabled = false
}

export function Chunk({ pets, isTable }: { pets: readonly ShownPet[]; isTable: boolean }): VNode {
  // One listener for all of them: two for each were a third of the time of a page.
  const onClick = (event: TargetedMouseEvent<HTMLElement>) => {
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const id = target.closest<HTMLElement>('.item')?.dataset.id
    const pet = pets.find((each) => String(each.id) === id)
    if (!pet) return
    if (target instanceof HTMLButtonElement) order(target, pet)
    if (!target.matches('.name') || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go({ pet: pet.id })
  }
  const size = { '--count': pets.length }
  return isTable
    ? html`<tbody class="chunk" role="rowgroup" style=${size} onClick=${onClick}>${pets.map(Row)}</tbody>`
    : html`<div class="cards chunk" style=${size} onClick=${onClick}>${pets.map(Card)}</div>`
}
