/** The catalogue: the animals that fit, and the next page when its end is reached. */
import { computed } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Address, address, go } from './address.ts'
import { SelectionBar } from './bulk.ts'
import { Chart, FiguresToggle } from './chart.ts'
import { Chunk } from './chunk.ts'
import { loadFirst, loadMore } from './load.ts'
import { figures, view } from './look.ts'
import { byName } from './pages.ts'
import { animals, columnHeader, Freshness, html, number } from './parts.ts'
import { Paper, Progress } from './save.ts'
import { can, isOnline, wordsOf } from './session.ts'
import {
  added,
  chunks,
  failure,
  isLoading,
  newcomers,
  next,
  printed,
  removed,
  type ShownPet,
  selected,
  sheet,
  task,
  total,
} from './state.ts'

type Lists = readonly (readonly ShownPet[])[]

/** The animals that are loaded: those just added, then those of each page. */
const loadedLists = computed((): Lists => {
  const ids = new Set(added.value.map(({ id }) => id))
  const without = (isOut: (pet: ShownPet) => boolean) => (pets: readonly ShownPet[]) =>
    pets.some(isOut) ? pets.filter((pet) => !isOut(pet)) : pets
  const isRemoved = ({ id }: ShownPet) => removed.value.has(id)
  const isNew = ({ id }: ShownPet) => ids.has(id)
  const lists = [added.value, ...chunks.value.map(({ pets }) => pets).map(without(isNew))].map(without(isRemoved))
  if (address.value.sort !== 'name') return lists
  return [lists.flat().sort((one, other) => byName.compare(one.name, other.name))]
})

type Sort = Address['sort']

/** The header of a column by which the list is ordered, in one way or, pressed again, in the other. */
function sortable(text: string, sorts: readonly Sort[], mark: string): VNode {
  const { sort } = address.value
  const isSorted = sorts.includes(sort)
  const next = sorts[(sorts.indexOf(sort) + 1) % sorts.length]
  const way = sort === undefined ? 'descending' : 'ascending'
  return html`<th role="columnheader" scope="col" aria-sort=${isSorted ? way : undefined}>
    <button type="button" class="sort" onClick=${() => go({ sort: next })}>
      ${text}<span aria-hidden="true">${isSorted && mark}</span>
    </button>
  </th>`
}

function List({ lists }: { lists: Lists }): VNode {
  const isTable = view.value === 'table'
  const items = lists.map((pets, i) => pets.length > 0 && html`<${Chunk} key=${i} pets=${pets} isTable=${isTable} />`)
  const arrow = address.value.sort === undefined ? ' ↓' : ' ↑'
  return isTable
    ? html`<table role="table"><thead role="rowgroup"><tr role="row">
        ${selected.value && html`<td role="cell"></td>`}
        ${sortable('Number', [undefined, 'oldest'], arrow)}${sortable('Animal', ['name'], arrow)}
        ${['Category', 'Status'].map(columnHeader)}
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
    <div class="found">
      <p role="status">${summary(shown.length)}</p>
      ${isNarrowed() && html`<button type="button" class="plain" onClick=${clear}>Clear</button>`}
      <${Newcomers} /><${Freshness} /><${FiguresToggle} />
    </div>
    ${figures.value === 'open' && html`<${Chart} />`}
    ${task.value && html`<${Progress} />`}
    ${shown.length === 0 && !isLoading.value && !failure.value && !next.value && html`<${Empty} />`}
    ${
      shown.length === 0 &&
      isLoading.value &&
      html`<ul class=${view.value} aria-hidden="true">
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
  const { search, sort } = address.value
  const count = total.value
  // Nobody knows how many there are.
  if (failure.value && shown === 0) return isOnline.value ? '' : 'Offline'
  if (isLoading.value && shown === 0) return 'Loading…'
  if (!next.value) return shown === 0 && !search ? '' : `${animals(shown)}${search ? ' found' : ''}`
  const some = count === undefined ? `${animals(shown)} shown, more to come` : `${number(shown)} of ${animals(count)}`
  return sort === 'name' ? `${some}, by name among those` : some
}

const all: Address = { status: undefined, category: undefined, search: undefined }
const clear = () => go(all)
const isNarrowed = (): boolean => Object.keys(all).some((each) => address.value[each as keyof Address] !== undefined)

/** What others have added, at a press: by itself it would move what somebody is about to press. */
function Newcomers(): VNode | false {
  const fresh = newcomers.value.filter(({ id }) => added.value.every((pet) => pet.id !== id))
  const show = () => {
    added.value = [...fresh, ...added.value]
    newcomers.value = []
  }
  return fresh.length > 0 && html`<button type="button" onClick=${show}>Show ${number(fresh.length)} new</button>`
}

function Empty(): VNode {
  const { status, category, search } = address.value
  const isNarrow = status !== undefined || category !== undefined
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
    <h2>Nothing matches</h2>
    ${search && html`<p>A search finds how words begin, in names of animals and of categories, or a number.</p>`}
    <p class="actions">
      ${
        search &&
        isNarrow &&
        html`<button type="button" onClick=${() => go({ ...all, search })}>Search all animals</button>`
      }
      <button type="button" onClick=${clear}>Show all animals</button>
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
