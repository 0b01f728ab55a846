/** The catalogue as cards or as a table: what is loaded and found, and the next page when its end is reached. */
import { useEffect, useRef } from 'preact/hooks'
import { address, go, hrefOf } from './address.js'
import {
  added,
  can,
  categoryName,
  chunks,
  failure,
  isLoading,
  loadFirst,
  loadMore,
  next,
  searched,
} from './catalogue.js'
import { busy, placeOrder } from './changes.js'
import { animals, html, Initial, number, Status, sheet } from './parts.js'

const open = (event, id) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  go({ pet: id })
}

const Name = (pet) =>
  html`<a class="name" dir="auto" href=${hrefOf({ pet: pet.id })} onClick=${(event) => open(event, pet.id)}>${pet.name}</a>`

const mayOrder = ({ status }) => status === 'available' && can('orders:write')

const OrderButton = ({ pet }) =>
  html`<button type="button" class="order" disabled=${busy.value.has(`order ${pet.id}`)} onClick=${() => placeOrder(pet)}>
    Order<span class="hidden"> ${pet.name}</span>
  </button>`

/** Parts are called rather than mounted: a component for each of them would double the time of the first view. */
const Card = ({ pet }) => html`<li class="card item">
  ${Initial({ pet })}
  <div class="what">${Name(pet)}<span class="category" dir="auto">${categoryName(pet.categoryId)}</span></div>
  ${Status(pet)}${mayOrder(pet) && html`<${OrderButton} pet=${pet} />`}
</li>`

/** The roles are written out, since rows laid out as grids would lose them. */
const Row = ({ pet }) => html`<tr class="row item" role="row">
  <td role="cell">${Name(pet)}</td>
  <td role="cell" class="category" dir="auto">${categoryName(pet.categoryId)}</td>
  <td role="cell">${Status(pet)}</td>
  <td role="cell" class="id">${pet.id}</td>
  <td role="cell" class="do">${mayOrder(pet) && html`<${OrderButton} pet=${pet} />`}</td>
</tr>`

const isFound = (pet, words) => {
  const text = `${pet.name} ${categoryName(pet.categoryId)} ${pet.id}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The animals to show: those just added, then those of each page, without the ones that the search leaves out. */
function shownPets() {
  const words = searched.value.toLowerCase().split(/\s+/).filter(Boolean)
  const isNew = new Set(added.value.map(({ id }) => id))
  const lists = [
    added.value,
    ...chunks.value.map(({ pets }) => (isNew.size ? pets.filter(({ id }) => !isNew.has(id)) : pets)),
  ]
  return words.length === 0 ? lists : lists.map((pets) => pets.filter((pet) => isFound(pet, words)))
}

/** Drawn once for as long as it is the same list: a hundredth page costs no more than the first. */
const drawn = new WeakMap()
function drawnOnce(pets, Item) {
  const known = drawn.get(pets)
  if (known?.Item === Item) return known.items
  const items = pets.map((pet) => html`<${Item} key=${pet.id} pet=${pet} />`)
  drawn.set(pets, { Item, items })
  return items
}

const columns = ['Animal', 'Category', 'Status', 'Id']

export function Catalogue() {
  const lists = shownPets()
  const shown = lists.reduce((sum, { length }) => sum + length, 0)
  const loaded = chunks.value.reduce((sum, { pets }) => sum + pets.length, added.value.length)
  const isTable = address.value.view === 'table'
  const items = lists.flatMap((pets) => drawnOnce(pets, isTable ? Row : Card))
  return html`<section class="catalogue" aria-label="Animals" aria-busy=${isLoading.value}>
    <p class="found" role="status">${found(shown, loaded)}</p>
    ${loaded === 0 && !isLoading.value && !failure.value && html`<${Empty} />`}
    ${loaded === 0 && isLoading.value && html`<ul class="cards" aria-hidden="true">${Array.from({ length: 8 }, () => html`<li class="card blank" />`)}</ul>`}
    ${
      shown > 0 &&
      (isTable
        ? html`<table role="table"><thead role="rowgroup"><tr role="row">
            ${columns.map((name) => html`<th role="columnheader" scope="col" class=${name === 'Id' && 'id'}>${name}</th>`)}<td role="cell" class="do"></td>
          </tr></thead><tbody role="rowgroup">${items}</tbody></table>`
        : html`<ul class="cards">${items}</ul>`)
    }
    ${failure.value && html`<${Failed} />`}
    ${next.value && !failure.value && html`<${More} />`}
  </section>`
}

function found(shown, loaded) {
  if (loaded === 0) return isLoading.value ? 'Loading…' : ''
  const all = `${animals(loaded)}${next.value ? ' loaded so far' : ''}`
  return searched.value.trim() === '' ? all : `${number(shown)} found among ${all}`
}

function Empty() {
  const { status, category } = address.value
  return html`<div class="notice">
    <h2>${status || category ? 'No animal fits' : 'No animals yet'}</h2>
    ${
      status || category
        ? html`<p><button type="button" onClick=${() => go({ status: undefined, category: undefined })}>Show all animals</button></p>`
        : can('pets:write') &&
          html`<p>The first one is a name and a category away.</p><p><button type="button" class="primary" onClick=${() => (sheet.value = 'add')}>Add an animal</button></p>`
    }
  </div>`
}

const Failed = () => html`<div class="notice" role="alert">
  <h2>The animals could not be loaded</h2>
  <p>${failure.value.message}</p>
  <p><button type="button" onClick=${() => (chunks.value.length > 0 ? loadMore() : loadFirst())}>Try again</button></p>
</div>`

/** Loads the next page before its reader gets to the end; a search looks through what is loaded, and loads nothing. */
function More() {
  const end = useRef()
  const { length } = chunks.value
  const isSearch = searched.value.trim() !== ''
  useEffect(() => {
    if (isSearch) return
    const seen = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && loadMore(), {
      rootMargin: '600px',
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [length, isSearch])
  return html`<p class="more" ref=${end}><button type="button" onClick=${loadMore}>Show more</button></p>`
}
