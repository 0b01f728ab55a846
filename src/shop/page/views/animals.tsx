/** The animals: the search and the filters, the list below them, and its next page when the end is reached. */
import { useEffect, useRef } from 'preact/hooks'
import { saveCsv } from '../changes/several.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Freshness } from '../parts/freshness.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { typed } from '../parts/parts.tsx'
import { wordsOf } from '../refusals.ts'
import { type Address, address, go, searchLength, statuses } from '../state/address.ts'
import {
  chunks,
  counts,
  failure,
  hasGap,
  hasMore,
  isLoading,
  lists,
  loadAgain,
  loadMore,
  newcomers,
  showNewcomers,
  total,
} from '../state/animals.ts'
import { categoryName, countOf, inventory } from '../state/catalogue.ts'
import { searched, typeSearch } from '../state/search.ts'
import { select, selected } from '../state/selection.ts'
import { can, isOnline } from '../state/session.ts'
import { openSheet } from '../state/sheets.ts'
import { markStale } from '../state/stale.ts'
import { animals, capital, number, petWords } from '../words.ts'
import { categoryChoices } from './categories.tsx'
import { Rows } from './rows.tsx'
import { canSelect, SelectionBar } from './selection.tsx'
import { PrintedTitle } from './title.tsx'

export const Animals = () => (
  <>
    <Toolbar />
    <Catalogue />
  </>
)

function Toolbar() {
  const { category } = address.value
  const every = {
    value: '',
    text: 'All categories',
    note: inventory.value ? number(countOf(inventory.value)) : undefined,
  }
  return (
    <div class="toolbar">
      <label class="search">
        <span class="hidden">Search all animals</span>
        <input
          id="search"
          type="search"
          placeholder="Name or number"
          aria-keyshortcuts="/"
          maxlength={searchLength}
          autocomplete="off"
          value={searched.value}
          onInput={typed((text) => typeSearch('search', text))}
        />
      </label>
      <StatusFilter />
      <Combobox
        label="Category"
        text={category === undefined ? every.text : categoryName(category)}
        choices={[every, ...categoryChoices()]}
        onPick={(value) => go({ category: value ? BigInt(value) : undefined })}
        onOpen={() => markStale({ categories: true })}
      />
      {can('pets:write') && (
        <button type="button" class="primary add" onClick={() => openSheet('add')}>
          <span aria-hidden="true">+</span> Add
        </button>
      )}
      <Tools />
    </div>
  )
}

/** The statuses, each with the number of animals that match the other filters. */
function StatusFilter() {
  const { status } = address.value
  const part = (each: typeof status, text: string, count: number | undefined) => (
    <button key={text} type="button" aria-pressed={status === each} onClick={() => go({ status: each })}>
      {text} {count !== undefined && <span class="count">{number(count)}</span>}
    </button>
  )
  return (
    <div class="statuses" role="group" aria-label="Status">
      {part(undefined, 'All', counts.value && countOf(counts.value))}
      {statuses.map((each) => part(each, capital(petWords[each]), counts.value?.[each]))}
    </div>
  )
}

function Tools() {
  const { sort } = address.value
  return (
    <Menu label="Menu">
      {canSelect() && (
        <MenuItem isOn={selected.value !== null} onPick={() => select(selected.value ? null : [])}>
          Select
        </MenuItem>
      )}
      <MenuItem onPick={saveCsv}>Save as CSV</MenuItem>
      {can('pets:write') && <MenuItem onPick={() => openSheet('categories')}>Categories</MenuItem>}
      <hr />
      <MenuItem isOn={sort === undefined} onPick={() => go({ sort: undefined })}>
        Newest first
      </MenuItem>
      <MenuItem isOn={sort === 'oldest'} onPick={() => go({ sort: 'oldest' })}>
        Oldest first
      </MenuItem>
      <hr />
      <MenuItem onPick={() => openSheet('shortcuts')}>Keyboard shortcuts</MenuItem>
    </Menu>
  )
}

const everything: Address = { status: undefined, category: undefined, search: undefined }
const clear = () => {
  typeSearch('search', '')
  go(everything)
}
const isNarrowed = (): boolean =>
  Object.keys(everything).some((each) => address.value[each as keyof Address] !== undefined)

function Catalogue() {
  const shown = lists.value.flat().length
  const isSelecting = selected.value !== null
  const isEmpty = shown === 0
  return (
    <section class={`catalogue ${isSelecting ? 'selecting' : ''}`} aria-label="Animals" aria-busy={isLoading.value}>
      <div class="found">
        <PrintedTitle />
        <p role="status">{summary(shown)}</p>
        {isNarrowed() && (
          <button type="button" class="plain" onClick={clear}>
            Clear
          </button>
        )}
        {newcomers.value.length > 0 && (
          <button type="button" onClick={showNewcomers}>
            Show {hasGap.value ? `more than ${number(newcomers.value.length)}` : number(newcomers.value.length)} new
          </button>
        )}
        <Freshness />
      </div>
      {isEmpty && !isLoading.value && !failure.value && !hasMore.value && <Empty />}
      {isEmpty && isLoading.value && <Blank />}
      {isSelecting && <SelectionBar />}
      {!isEmpty && <Table />}
      {Boolean(failure.value) && <Failed />}
      {hasMore.value && !failure.value && <More at={chunks.value.length} onMore={loadMore} />}
    </section>
  )
}

/** The roles are written explicitly, because rows that are laid out as grids would lose them. */
function Table() {
  const isOldestFirst = address.value.sort === 'oldest'
  return (
    <table role="table" class="animals">
      <thead role="rowgroup">
        <tr role="row">
          {selected.value && <td role="cell" />}
          <th role="columnheader" scope="col" aria-sort={isOldestFirst ? 'ascending' : 'descending'}>
            <button type="button" class="sort" onClick={() => go({ sort: isOldestFirst ? undefined : 'oldest' })}>
              Number<span aria-hidden="true">{isOldestFirst ? ' ↑' : ' ↓'}</span>
            </button>
          </th>
          {['Animal', 'Category', 'Status'].map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
          <td role="cell" class="do" />
        </tr>
      </thead>
      {lists.value.map((pets, i) => pets.length > 0 && <Rows key={i} pets={pets} />)}
    </table>
  )
}

const Blank = () => (
  <ul class="blanks" aria-hidden="true">
    {Array.from({ length: 8 }, (_, i) => (
      <li key={i} class="blank" />
    ))}
  </ul>
)

function summary(shown: number): string {
  const { search } = address.value
  const count = total.value
  // Nobody knows how many animals there are.
  if (failure.value && shown === 0) return isOnline.value ? '' : 'Offline'
  if (isLoading.value && shown === 0) return 'Loading…'
  if (!hasMore.value) return shown === 0 && !search ? '' : `${animals(shown)}${search ? ' found' : ''}`
  if (count === undefined) return `${animals(shown)}, more to come`
  // The list also shows animals that do not match any more, such as those that were just moved.
  return shown < count ? `${number(shown)} of ${animals(count)}` : animals(shown)
}

function Empty() {
  const { status, category, search } = address.value
  const isNarrow = status !== undefined || category !== undefined
  if (!isNarrow && !search)
    return (
      <div class="notice">
        <h2>No animals yet</h2>
        {can('pets:write') && (
          <>
            <p>It takes only a name and a category.</p>
            <p>
              <button type="button" class="primary" onClick={() => openSheet('add')}>
                Add an animal
              </button>
            </p>
          </>
        )}
      </div>
    )
  return (
    <div class="notice">
      <h2>Nothing matches</h2>
      {search && <p>A search finds how words of a name begin, or the number of an animal.</p>}
      <p class="actions">
        {search && isNarrow && (
          <button type="button" onClick={() => go({ ...everything, search })}>
            Search all animals
          </button>
        )}
        <button type="button" onClick={clear}>
          Show all animals
        </button>
      </p>
    </div>
  )
}

const Failed = () => (
  <div class="notice" role="alert">
    <h2>The animals could not be loaded</h2>
    <p>{wordsOf(failure.value)}</p>
    <p>
      <button type="button" onClick={loadAgain}>
        Try again
      </button>
    </p>
  </div>
)

/** Loads more before the reader reaches the end. `at` is the present length of the list. */
export function More({ at, onMore }: { at: number; onMore: () => unknown }) {
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!end.current) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '600px' })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [at])
  return (
    <p class="more" ref={end}>
      <button type="button" onClick={onMore}>
        Show more
      </button>
    </p>
  )
}
