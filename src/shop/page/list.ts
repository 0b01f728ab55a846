// @ts-nocheck
/** The catalogue: what is loaded or found, and the next page when its end is reached. */
import { computed } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { address, go, pageSize } from './address.ts'
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
} from './catalogue.ts'
import { Chunk } from './chunk.ts'
import { animals, html, number, sheet } from './parts.ts'

/** The animals that are loaded: those just added, then those of each page. */
const loadedLists = computed(() => {
  const ids = new Set(added.value.map(({ id }) => id))
  const isNew = ({ id }) => ids.has(id)
  return [added.value, ...chunks.value.map(({ pets }) => (pets.some(isNew) ? pets.filter((pet) => !isNew(pet)) : pets))]
})

const words = computed(() => searched.value.toLowerCase().split(/\s+/).filter(Boolean))
const isFound = (pet) => {
  const text = `${pet.name} ${categoryName(pet.categoryId)} ${pet.id}`.toLowerCase()
  return words.value.every((word) => text.includes(word))
}

/** What a search finds among them, as pages; null without a search. */
const foundLists = computed(() => {
  if (words.value.length === 0) return null
  const pets = loadedLists.value.flat().filter(isFound)
  return Array.from({ length: Math.ceil(pets.length / pageSize) }, (_, i) =>
    pets.slice(i * pageSize, (i + 1) * pageSize),
  )
})

const countOf = (lists) => lists.reduce((sum, { length }) => sum + length, 0)
const columns = ['Animal', 'Category', 'Status', 'Id']

function List({ lists }) {
  const isTable = address.value.view === 'table'
  const items = lists.map((pets, i) => pets.length > 0 && html`<${Chunk} key=${i} pets=${pets} isTable=${isTable} />`)
  return isTable
    ? html`<table role="table"><thead role="rowgroup"><tr role="row">
        ${columns.map((name) => html`<th role="columnheader" scope="col" class=${name === 'Id' && 'id'}>${name}</th>`)}<td role="cell" class="do"></td>
      </tr></thead>${items}</table>`
    : html`<div role="list">${items}</div>`
}

export function Catalogue() {
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
function Found({ lists }) {
  const [count, setCount] = useState(2)
  const isCut = count < lists.length
  const showMore = () => setCount(count + 2)
  return html`${lists.length > 0 && html`<${List} lists=${lists.slice(0, count)} />`}
    ${(isCut || (next.value && !failure.value)) && html`<${More} at=${count} onMore=${isCut ? showMore : loadMore} isAutomatic=${isCut} />`}`
}

function summary(loaded, found) {
  if (loaded === 0) return isLoading.value ? 'Loading…' : ''
  const all = `${animals(loaded)}${next.value ? ' loaded so far' : ''}`
  return found ? `${number(countOf(found))} found among ${all}` : all
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

/** Goes on before the reader gets to the end, if it is automatic; `at` is how far the list goes. */
function More({ at, onMore, isAutomatic }) {
  const end = useRef()
  useEffect(() => {
    if (!isAutomatic) return
    const seen = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && onMore(), {
      rootMargin: '600px',
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [at, isAutomatic])
  return html`<p class="more" ref=${end}><button type="button" onClick=${onMore}>Show more</button></p>`
}
