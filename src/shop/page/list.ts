/** The catalogue: the toolbar with the search, the animals that fit, and the next page when its end is reached. */
import { computed } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Address, address, go, searchLength } from './address.ts'
import { SelectionBar } from './bulk.ts'
import { categoryOptions } from './categories.ts'
import { Chunk } from './chunk.ts'
import { loadFirst, loadMore } from './load.ts'
import { animals, columnHeader, Freshness, html, number, typed } from './parts.ts'
import { Paper, Progress, printChosen, saveCsv } from './save.ts'
import { can, wordsOf } from './session.ts'
import {
  added,
  categories,
  chunks,
  failure,
  isLoading,
  newcomers,
  next,
  printed,
  removed,
  type ShownPet,
  searched,
  selected,
  sheet,
  task,
  total,
} from './state.ts'

type Lists = readonly (readonly ShownPet[])[]

export function Toolbar(): VNode {
  const { category, sort, view } = address.value
  const isListed = category === undefined || categories.value.some(({ categoryId }) => categoryId === category)
  const look = (name: 'table' | undefined, text: string) =>
    html`<button type="button" aria-pressed=${view === name} onClick=${() => go({ view: name })}>${text}</button>`
  const open = (name: typeof sheet.value) => () => {
    sheet.value = name
  }
  const search = (text: string) => {
    searched.value = text
  }
  const choose = (text: string) => go({ category: text ? BigInt(text) : undefined })
  return html`<div class="toolbar">
    <label class="search"><span class="hidden">Search all animals</span>
      <input
        id="search"
        type="search"
        placeholder="Name or number"
        maxlength=${searchLength}
        value=${searched.value}
        onInput=${typed(search)}
      />
    </label>
    <div class="filters">
    <label><span class="hidden">Category</span>
      <select value=${String(category ?? '')} onChange=${typed(choose)}>
        <option value="">All categories</option>
        ${!isListed && html`<option value=${String(category)}>Category ${category}</option>`}
        ${categoryOptions()}
      </select>
    </label>
    <label><span class="hidden">Order of the list</span>
      <select value=${sort ?? ''} onChange=${typed((text) => go({ sort: text === 'oldest' ? text : undefined }))}>
        <option value="">Newest first</option>
        <option value="oldest">Oldest first</option>
      </select>
    </label>
    <div class="views" role="group" aria-label="Show as">${look(undefined, 'Cards')}${look('table', 'Table')}</div>
    ${can('pets:write') && html`<button type="button" class="names" onClick=${open('categories')}>Categories</button>`}
    </div>
    ${
      can('pets:write') &&
      html`<button type="button" class="primary add" onClick=${open('add')}>
        <span aria-hidden="true">+</span> Add
      </button>`
    }
    <button type="button" class="plain help" onClick=${open('shortcuts')}>
      <span aria-hidden="true">?</span>
      <span class="hidden">Keyboard shortcuts</span>
    </button>
  </div>`
}

/** The animals that are loaded: those just added, then those of each page. */
const loadedLists = computed((): Lists => {
  const ids = new Set(added.value.map(({ id }) => id))
  const without = (isOut: (pet: ShownPet) => boolean) => (pets: readonly ShownPet[]) =>
    pets.some(isOut) ? pets.filter((pet) => !isOut(pet)) : pets
  const isRemoved = ({ id }: ShownPet) => removed.value.has(id)
  const isNew = ({ id }: ShownPet) => ids.has(id)
  return [added.value, ...chunks.value.map(({ pets }) => pets).map(without(isNew))].map(without(isRemoved))
})

const columns = ['Animal', 'Category', 'Status', 'Number']

function List({ lists }: { lists: Lists }): VNode {
  const isTable = address.value.view === 'table'
  const items = lists.map((pets, i) => pets.length > 0 && html`<${Chunk} key=${i} pets=${pets} isTable=${isTable} />`)
  return isTable
    ? html`<table role="table"><thead role="rowgroup"><tr role="row">
        ${selected.value && html`<td role="cell"></td>`}
        ${columns.map(columnHeader)}
        <td role="cell" class="do"></td>
      </tr></thead>${items}</table>`
    : html`<div role="list">${items}</div>`
}

export function Catalogue(): VNode {
  const lists = loadedLists.value
  const shown = lists.flat().map(({ id }) => id)
  const isSelecting = selected.value !== null
  return html`<section
    class="catalogue ${isSelecting ? 'selecting' : ''}"
    aria-label="Animals"
    aria-busy=${isLoading.value}
  >
    <div class="found"><p role="status">${summary(shown.length)}</p><${Freshness} /><${Newcomers} /><${Tools} /></div>
    ${task.value && html`<${Progress} />`}
    ${shown.length === 0 && !isLoading.value && !failure.value && !next.value && html`<${Empty} />`}
    ${
      shown.length === 0 &&
      isLoading.value &&
      html`<ul class="cards" aria-hidden="true">
        ${Array.from({ length: 8 }, () => html`<li class="card blank" />`)}
      </ul>`
    }
    ${isSelecting && html`<${SelectionBar} shown=${shown} />`}
    ${shown.length > 0 && html`<${List} lists=${lists} />`}
    ${failure.value && html`<${Failed} />`}
    ${next.value && !failure.value && html`<${More} at=${chunks.value.length} />`}
    ${printed.value && html`<${Paper} pets=${printed.value} />`}
  </section>`
}

function summary(shown: number): string {
  const count = total.value
  if (isLoading.value && shown === 0) return 'Loading…'
  if (!next.value)
    return shown === 0 && !address.value.search ? '' : `${animals(shown)}${address.value.search ? ' found' : ''}`
  return count === undefined ? `${animals(shown)} shown, more to come` : `${number(shown)} of ${animals(count)}`
}

/** What others have added, at a press: by itself it would move what somebody is about to press. */
function Newcomers(): VNode | false {
  const fresh = newcomers.value.filter(({ id }) => added.value.every((pet) => pet.id !== id))
  const show = () => {
    added.value = [...fresh, ...added.value]
    newcomers.value = []
  }
  return fresh.length > 0 && html`<button type="button" onClick=${show}>Show ${number(fresh.length)} new</button>`
}

const toggleSelection = () => {
  selected.value = selected.value ? null : new Set()
}

const Tools = (): VNode => html`<div class="tools">
  <button type="button" aria-pressed=${selected.value !== null} onClick=${toggleSelection}>Select</button>
  <button type="button" onClick=${saveCsv}><span class="wide">Save as </span>CSV</button>
  <button type="button" onClick=${printChosen}>Print</button>
</div>`

function Empty(): VNode {
  const { status, category, search } = address.value
  const isNarrow = status !== undefined || category !== undefined
  const widen = (parts: Address) => () => go(parts)
  const all = { status: undefined, category: undefined }
  if (!isNarrow && !search)
    return html`<div class="notice">
      <h2>No animals yet</h2>
      ${
        can('pets:write') &&
        html`<p>The first one is a name and a category away.</p>
          <p>
            <button type="button" class="primary" onClick=${() => (sheet.value = 'add')}>Add an animal</button>
          </p>`
      }
    </div>`
  return html`<div class="notice">
    <h2>No animal fits</h2>
    ${search && html`<p>A search finds how the words of a name begin, or a number.</p>`}
    <p>
      ${search && isNarrow && html`<button type="button" onClick=${widen(all)}>Search all animals</button>`}
      <button type="button" onClick=${widen({ ...all, search: undefined })}>Show all animals</button>
    </p>
  </div>`
}

const Failed = (): VNode => html`<div class="notice" role="alert">
  <h2>The animals could not be loaded</h2>
  <p>${wordsOf(failure.value)}</p>
  <p><button type="button" onClick=${() => (chunks.value.length > 0 ? loadMore() : loadFirst())}>Try again</button></p>
</div>`

/** Goes on before the reader gets to the end; `at` is how far the list goes. */
export function More({ at, onMore = loadMore }: { at: number; onMore?: () => unknown }): VNode {
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!end.current) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '600px' })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [at])
  return html`<p class="more" ref=${end}><button type="button" onClick=${onMore}>Show more</button></p>`
}
