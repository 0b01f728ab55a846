/** One page of animals, as cards or as rows of the table: drawn once for as long as it is the same list. */
import { computed, useComputed } from '@preact/signals'
import type { TargetedEvent, TargetedMouseEvent, VNode } from 'preact'
import { go, hrefOf } from './address.ts'
import { placeOrder } from './changes.ts'
import { html, Initial, Status } from './parts.ts'
import { can } from './session.ts'
import { categoryName, type ShownPet, selected } from './state.ts'

/** Without the animal that is open: opening one draws no list anew. */
const hrefOfPet = computed(() => {
  const list = hrefOf({ pet: undefined })
  return `${list}${list.includes('?') ? '&' : '?'}pet=`
})

/** Where the end of a long name begins, which tells it from others and is never cut off; 0 if it has none. */
function tailOf(name: string): number {
  const at = name.length > 24 ? name.indexOf(' ', name.length - 12) : -1
  return Math.max(0, at)
}

function Name({ id, name }: ShownPet): VNode {
  const at = tailOf(name)
  return html`<a class="name" dir="auto" href=${hrefOfPet.value + id}>${
    at ? html`<span>${name.slice(0, at)}</span><span class="tail">${name.slice(at)}</span>` : html`<span>${name}</span>`
  }</a>`
}

const Order = ({ status, name }: ShownPet): VNode | false =>
  status === 'available' &&
  can('orders:write') &&
  html`<button type="button" class="order deed">Order<span class="hidden"> <bdi>${name}</bdi></span></button>`

const Pick = ({ name }: ShownPet, isPicked: boolean): VNode =>
  html`<label class="pick">
    <input type="checkbox" checked=${isPicked} />
    <span class="hidden">Select <bdi>${name}</bdi></span>
  </label>`

/** Which of its animals are selected; undefined unless animals are being selected. */
type Picked = ReadonlySet<string> | undefined

/** Parts are called rather than mounted: a component for each of them would double the time of the first view. */
const Card = (
  pet: ShownPet,
  picked: Picked,
): VNode => html`<div class="card item" role="listitem" key=${pet.id} data-id=${pet.id}>
  ${picked && Pick(pet, picked.has(String(pet.id)))}${Initial({ pet })}
  <div class="what">${Name(pet)}
    <span class="category" dir="auto">${categoryName(pet.categoryId)}</span></div>
  ${Status(pet)}<span class="id">${pet.id}</span>${Order(pet)}
</div>`

/** The roles are written out, since rows laid out as grids would lose them. */
const Row = (
  pet: ShownPet,
  picked: Picked,
): VNode => html`<tr class="row item" role="row" key=${pet.id} data-id=${pet.id}>
  ${picked && html`<td role="cell">${Pick(pet, picked.has(String(pet.id)))}</td>`}
  <td role="cell" class="id">${pet.id}</td>
  <td role="cell">${Name(pet)}</td>
  <td role="cell" class="category" dir="auto">${categoryName(pet.categoryId)}</td>
  <td role="cell">${Status(pet)}</td>
  <td role="cell" class="do">${Order(pet)}</td>
</tr>`

export function Chunk({ pets, isTable }: { pets: readonly ShownPet[]; isTable: boolean }): VNode {
  // As text, which stays the same while animals of other pages are selected: then this page is not drawn anew.
  const ids = useComputed(() =>
    selected.value === null ? undefined : pets.flatMap(({ id }) => (selected.value?.has(id) ? id : [])).join(),
  ).value
  const picked = ids === undefined ? undefined : new Set(ids.split(','))
  const petAt = (target: EventTarget | null) => {
    const id = target instanceof Element && target.closest<HTMLElement>('.item')?.dataset.id
    return pets.find((pet) => String(pet.id) === id)
  }
  const onPick = ({ target }: TargetedEvent<HTMLElement>) => {
    const id = petAt(target)?.id
    if (id === undefined || !selected.value || !(target instanceof HTMLInputElement)) return
    const others = [...selected.value].filter((each) => each !== id)
    selected.value = new Set(target.checked ? [...others, id] : others)
  }
  // One listener for all of them: two for each were a third of the time of a page.
  const onClick = (event: TargetedMouseEvent<HTMLElement>) => {
    const { target } = event
    const pet = petAt(target)
    if (!pet || !(target instanceof HTMLElement)) return
    if (target.closest('.order')) placeOrder(pet)
    if (!target.closest('.name') || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go({ pet: pet.id })
  }
  const size = { '--count': pets.length }
  return isTable
    ? html`<tbody class="chunk" role="rowgroup" style=${size} onClick=${onClick} onChange=${onPick}>
        ${pets.map((pet) => Row(pet, picked))}
      </tbody>`
    : html`<div class="cards chunk" style=${size} onClick=${onClick} onChange=${onPick}>
        ${pets.map((pet) => Card(pet, picked))}
      </div>`
}
