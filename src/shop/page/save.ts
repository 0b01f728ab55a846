/**
 * What is chosen, as a spreadsheet or on paper: the animals that are selected, or else all that fit, on however many
 * pages.
 */
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Pet } from '../../../client/src/types.ts'
import { withoutFormulas } from '../../model/text.ts'
import { address, filter, pageMax } from './address.ts'
import { byName, readPage } from './pages.ts'
import { animals, html, number } from './parts.ts'
import { petstore } from './session.ts'
import { categories, categoryName, type Place, printed, selected, showMessage, task, tell, total } from './state.ts'

/**
 * Runs what takes many requests, unless another such thing is under way; `step` says how many animals more are done.
 */
export async function runTask(
  title: string,
  count: number | undefined,
  run: (step: (more: number) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (task.value) return
  const stopper = new AbortController()
  const stop = () => stopper.abort()
  let done = 0
  const step = (more: number) => {
    done += more
    task.value = { title, done, total: count, stop }
  }
  showMessage(null)
  step(0)
  try {
    await run(step, stopper.signal)
  } catch (error) {
    if (!stopper.signal.aborted) tell(error)
  }
  task.value = null
}

/** How many animals are chosen, where that is known. */
const chosenCount = (): number | undefined => selected.value?.size || total.value

/** Those that are selected, or else all that fit, as they are now, page by page. */
async function* chosenPages(signal: AbortSignal): AsyncGenerator<readonly Pet[], void> {
  const ids = [...(selected.value ?? [])]
  if (ids.length === 0) return yield* fittingPages(signal)
  const { order } = filter.value
  for (let at = 0; at < ids.length; at += pageMax) {
    const id = ids.slice(at, at + pageMax)
    yield (await petstore().pets.list({ limit: pageMax, order, id }, { signal }).page()).items
  }
}

async function* fittingPages(signal: AbortSignal): AsyncGenerator<readonly Pet[], void> {
  const seen = new Set<bigint>()
  let next: Place | undefined
  do {
    const page = await readPage(next, seen, { signal }, pageMax)
    yield page.pets
    next = page.next
  } while (next)
}

/** Selects all that fit, on however many pages. */
export const selectAll = (): Promise<void> =>
  runTask('Selecting', total.value, async (step, signal) => {
    for await (const pets of fittingPages(signal)) {
      selected.value = new Set([...(selected.value ?? []), ...pets.map(({ id }) => id)])
      step(pets.length)
    }
  })

export async function collect(signal: AbortSignal, step?: (more: number) => void): Promise<Pet[]> {
  const all: Pet[] = []
  for await (const pets of chosenPages(signal)) {
    all.push(...pets)
    step?.(pets.length)
  }
  return address.value.sort === 'name' ? all.sort((one, other) => byName.compare(one.name, other.name)) : all
}

const cell = (text: string): string => `"${withoutFormulas(text).replaceAll('"', '""')}"`

/** As `petstore import` takes it: by its name where only one category has it, else by its number. */
function categoryCell(id: bigint): string {
  const category = categories.value.find(({ categoryId }) => categoryId === id)
  return category?.name === category?.label ? (category?.name ?? String(id)) : String(id)
}

const rowOf = ({ id, name, categoryId, status }: Pet): string[] => [String(id), name, categoryCell(categoryId), status]

/** Hands a table to the browser as a spreadsheet. */
export function saveFile(download: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((cells) => `${cells.map(cell).join()}\r\n`).join('')
  // With the mark by which spreadsheets know UTF-8.
  const href = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href, download }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

export const saveCsv = (): Promise<void> =>
  runTask('Saving', chosenCount(), async (step, signal) => {
    const pets = await collect(signal, step)
    const day = new Date().toISOString().slice(0, 10)
    saveFile(`animals-${day}.csv`, [['number', 'name', 'category', 'status'], ...pets.map(rowOf)])
    const what = selected.value?.size ? ' what is selected, shown here or not' : ''
    showMessage({ text: `Saved${what}: ${animals(pets.length)}.` })
  })

export const printChosen = (): Promise<void> =>
  runTask('Getting ready to print', chosenCount(), async (step, signal) => {
    printed.value = await collect(signal, step)
  })

/** Every animal that is chosen in a row, on paper alone. */
export function Paper({ pets }: { pets: readonly Pet[] }): VNode {
  useEffect(() => {
    print()
    printed.value = null
  }, [])
  return html`<table class="printed">
    <caption>${document.title}: ${animals(pets.length)}</caption>
    <thead>
      <tr>${['Number', 'Animal', 'Category', 'Status'].map((name) => html`<th scope="col">${name}</th>`)}</tr>
    </thead>
    <tbody>
      ${pets.map(
        ({ id, name, categoryId, status }) => html`<tr key=${id}>
          <td>${id}</td>
          <td dir="auto">${name}</td>
          <td dir="auto">${categoryName(categoryId)}</td>
          <td>${status}</td>
        </tr>`,
      )}
    </tbody>
  </table>`
}

/** How far a task is, and the button that stops it. */
export function Progress(): VNode {
  const stop = useRef<HTMLButtonElement>(null)
  // The button that was pressed cannot be pressed meanwhile; it gets the focus back.
  useLayoutEffect(() => {
    const before = document.activeElement
    stop.current?.focus()
    return () => before instanceof HTMLElement && before.focus()
  }, [])
  const { title, done, total, stop: onStop } = task.value ?? {}
  const count = `${number(done ?? 0)}${total === undefined ? '' : ` of ${number(total)}`}`
  return html`<div class="progress"><label>${title}: ${count}<progress value=${total && done} max=${total} /></label>
    <button type="button" ref=${stop} onClick=${onStop}>Stop</button></div>`
}
