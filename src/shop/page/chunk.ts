// @ts-nocheck
/** One page of animals, as cards or as rows of the table: drawn once for as long as it is the same list. */
import { computed } from '@preact/signals'
import { go, hrefOf } from './address.ts'
import { can, categoryName } from './catalogue.ts'
import { placeOrder } from './changes.ts'
import { html, Initial, Status } from './parts.ts'

/** Without the animal that is open: opening one draws no list anew. */
const hrefOfPet = computed(() => {
  const list = hrefOf({ pet: undefined })
  return `${list}${list.includes('?') ? '&' : '?'}pet=`
})

const Name = ({ id, name }) => html`<a class="name" dir="auto" href=${hrefOfPet.value + id}>${name}</a>`

const Category = ({ categoryId }) => categoryName(categoryId)

const Order = ({ status, name }) =>
  status === 'available' &&
  can('orders:write') &&
  html`<button type="button" class="order" aria-label="Order ${name}">Order</button>`

/** Parts are called rather than mounted: a component for each of them would double the time of the first view. */
const Card = (pet) => html`<div class="card item" role="listitem" key=${pet.id} data-id=${pet.id}>
  ${Initial({ pet })}
  <div class="what">${Name(pet)}<span class="category" dir="auto">${Category(pet)}</span></div>
  ${Status(pet)}${Order(pet)}
</div>`

/** The roles are written out, since rows laid out as grids would lose them. */
const Row = (pet) => html`<tr class="row item" role="row" key=${pet.id} data-id=${pet.id}>
  <td role="cell">${Name(pet)}</td>
  <td role="cell" class="category" dir="auto">${Category(pet)}</td>
  <td role="cell">${Status(pet)}</td>
  <td role="cell" class="id">${pet.id}</td>
  <td role="cell" class="do">${Order(pet)}</td>
</tr>`

async function order(button, pet) {
  button.disabled = true
  await placeOrder(pet)
  button.disabled = false
}

export function Chunk({ pets, isTable }) {
  // One listener for all of them: two for each were a third of the time of a page.
  const onClick = (event) => {
    const { target } = event
    const pet = pets.find(({ id }) => id === target.closest('.item')?.dataset.id)
    if (target.matches('.order')) order(target, pet)
    if (!target.matches('.name') || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go({ pet: pet.id })
  }
  const size = { '--count': pets.length }
  return isTable
    ? html`<tbody class="chunk" role="rowgroup" style=${size} onClick=${onClick}>${pets.map(Row)}</tbody>`
    : html`<div class="cards chunk" style=${size} onClick=${onClick}>${pets.map(Card)}</div>`
}
