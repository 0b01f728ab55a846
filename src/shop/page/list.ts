/** The catalogue: the toolbar with the search, what is loaded or found, and the next page when its end is reached. */
import { computed } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { address, go, pageSize } from './address.ts'
import { categoryOptions } from './categories.ts'
import { Chunk } from './chunk.ts'
import { loadFirst, loadMore } from './load.ts'
import { animals, html, number, typed } from './parts.ts'
import { can, wordsOf } from './session.ts'
import {
  added,
  categories,
  categoryName,
  chunks,
  failure,
  isLoading,
  next,
  type ShownPet,
  searched,
  sheet,
} from './state.ts'

type Lists = readonly (readonly ShownPet[])[]

export function Toolbar(): VNode {
  const { category, view } = address.value
  const isListed = category === undefined || categories.value.some(({ categoryId }) => categoryId === category)
  const look = (name: 'table' | undefined, text: string) =>
    html`<button type="button" aria-pressed=${view === name} onClick=${() => go({ view: name })}>${text}</button>`
  const open = (name: typeof sheet.value) => () => {
    sheet.value = name
  }
  const search = (text: string) => {
    searched.value = text
  }
  return html`<div class="toolbar">
    <label class="search"><span class="hidden">Search the animals that are loaded</span>
      <input id="search" type="search" placeholder="Search" value=${searched.value} onInput=${typed(search)} />
    </label>
    <label><span class="hidden">Category</span>
      <select value=${String(category ?? '')} onChange=${typed((text) => go({ category: text ? BigInt(text) : undefined }))}>
        <option value="">All categories</option>
        ${!isListed && html`<option value=${String(category)}>Category ${category}</option>`}
        ${categoryOptions()}
      </select>
    </label>
    <div class="views" role="group" aria-label="Show as">${look(undefined, 'Cards')}${look('table', 'Table')}</div>
    ${
      can('pets:write') &&
      html`<button type="button" class="names" onClick=${open('categories')}>Categories</button>
      <button type="button" class="primary add" onClick=${open('add')}><span aria-hidden="true">+</span> Add</button>`
    }
    <button type="button" class="plain help" onClick=${open('shortcuts')}><span aria-hidden="true">?</span><span class="hidden">Keyboard shortcuts</span></button>
  </div>`
}

/** The animals that are loaded: those just added, then those of each page. */
const loadedLists = computed((): Lists => {
  const ids = new Set(added.value.map(({ id }) => id))
  const isNew = ({ id }: ShownPet) => ids.has(id)
  return [added.value, ...chunks.value.map(({ pets }) => (pets.some(isNew) ? pets.filter((pet) => !isNew(pet)) : pets))]
})

const words = computed(() => searched.value.toLowerCase().split(/\s+/).filter(Boolean))
const isFound = (pet: ShownPet): boolean => {
  const text = `${pet.name} ${categoryName(pet.categoryId)} ${pet.id}`.toLowerCase()
  return words.value.every((word) => text.includes(word))
}

/** What a search finds among them, as pages; null without a search. */
const foundLists = computed((): Lists | null => {
  if (words.value.length === 0) return null
  const pets = loadedLists.value.flat().filter(isFound)
  return Array.from({ length: Math.ceil(pets.length / pageSize) }, (_, i) =>
    pets.slice(i * pageSize, (i + 1) * pageSize),
  )
})

const countOf = (lists: Lists): number => lists.reduce((sum, { length }) => sum + length, 0)
const columns = ['Animal', 'Category', 'Status', 'Id']

function List({ lists }: { lists: Lists }): VNode {
  const isTable = address.value.view === 'table'
  const items = lists.map((pets, i) => pets.length > 0 && html`<${Chunk} key=${i} pets=${pets} isTable=${isTable} />`)
  return isTable
    ? html`<table role="table"><thead role="rowgroup"><tr role="row">
        ${columns.map((name) => html`<th role="columnheader" scope="col" class=${name === 'Id' && 'id'}>${name}</th>`)}<td role="cell" class="do"></td>
      </tr></thead>${items}</table>`
    : html`<div role="list">${items}</div>`
}

export function Catalogue(): VNode {
  const found = foundLists.value
  const loaded = countOf(loadedLists.value)
  return html`<section class="catalogue" aria-label="Animals" aria-busy=${isLoading.value}>
    <p class="found" role="status">${summary(loaded, found)}</p>
    ${loaded === 0 && !isLoading.value && !failure.value && html`<${Empty} />`}
    ${loaded === 0 && isLoading.value && html`<ul class="cards" aria-hidden="true">${Array.from({ length: 8 }, () => html`<li class="card blank" />`)}</ul>`}
    ${/* Hidden rather than removed during a search: to draw ten thousand again takes seconds. */ ''}
    ${loaded > 0 && html`<div hidden=${found !== null}><${List} lists=${loadedLists.value} /></div>`}
    ${found && html`<${Found} key=${searched.value} lists=${found} />`}
    ${failure.value && html`<${Failed} />`}
    ${!found && next.value && !failure.value && html`<${More} at=${chunks.value.length} onMore=${loadMore} isAutomatic />`}
  </section>`
}

/** Draws what was found two pages at a time; only a press of the button loads more to search in. */
function Found({ lists }: { lists: Lists }): VNode {
  const [count, setCount] = useState(2)
  const isCut = count < lists.length
  const showMore = () => setCount(count + 2)
  return html`${lists.length > 0 && html`<${List} lists=${lists.slice(0, count)} />`}
    ${(isCut || (next.value && !failure.value)) && html`<${More} at=${count} onMore=${isCut ? showMore : loadMore} isAutomatic=${isCut} />`}`
}

function summary(loaded: number, found: Lists | null): string {
  if (loaded === 0) return isLoading.value ? 'Loading…' : ''
  const all = `${animals(loaded)}${next.value ? ' loaded so far' : ''}`
  return found ? `${number(countOf(found))} found among ${all}` : all
}

function Empty(): VNode {
  const isFiltered = address.value.status !== undefined || address.value.category !== undefined
  return html`<div class="notice">
    <h2>${isFiltered ? 'No animal fits' : 'No animals yet'}</h2>
    ${
      isFiltered
        ? html`<p><button type="button" onClick=${() => go({ status: undefined, category: undefined })}>Show all animals</button></p>`
        : can('pets:write') &&
          html`<p>The first one is a name and a category away.</p><p><button type="button" class="primary" onClick=${() => (sheet.value = 'add')}>Add an animal</button></p>`
    }
  </div>`
}

const Failed = (): VNode => html`<div class="notice" role="alert">
  <h2>The animals could not be loaded</h2>
  <p>${wordsOf(failure.value)}</p>
  <p><button type="button" onClick=${() => (chunks.value.length > 0 ? loadMore() : loadFirst())}>Try again</button></p>
</div>`

interface MoreProps {
  readonly at: number
  readonly onMore: () => void
  readonly isAutomatic?: boolean
}

/** Goes on before the reader gets to the end, if it is automatic; `at` is how far the list goes. */
function More({ at, onMore, isAutomatic = false }: MoreProps): VNode {
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!isAutomatic || !end.current) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: '600px',
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [at, isAutomatic])
  return html`<p class="more" ref=${end}><button type="button" onClick=${onMore}>Show more</button></p>`
}
