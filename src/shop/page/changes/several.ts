/** Actions on all selected animals, with their Undo, and saving all matching animals as a spreadsheet. */
import { randomKey } from '../../../../client/src/transport.ts'
import type { Pet } from '../../../../client/src/types.ts'
import { isLikeNumber, withoutFormulas } from '../../../model/text.ts'
import { changedMeanwhile, codeOf, isFinal, isOffline, wordsOf } from '../refusals.ts'
import { filter, pageMax } from '../state/address.ts'
import { isSame, petShown, readPage, total } from '../state/animals.ts'
import { categories, categoryName } from '../state/catalogue.ts'
import { orderDraftOf, putOrderDraft } from '../state/drafts.ts'
import { dismissOf, showMessage, showProblem, tell } from '../state/messages.ts'
import {
  noteMove,
  type Refused,
  select,
  selected,
  setRefused,
  setTask,
  task,
  unansweredMove,
} from '../state/selection.ts'
import { isEnded, petstore } from '../state/session.ts'
import { announceSheet } from '../state/sheets.ts'
import { markStale } from '../state/stale.ts'
import { timeText } from '../times.ts'
import { heldUntilOf, localTime, type Until } from '../until.ts'
import { animals, number } from '../words.ts'
import { showPet } from './animal.ts'
import { numberOf } from './category.ts'
import { endAsLeft, place } from './order.ts'

/** A person cannot oversee more animals. */
export const selectedMax = 1_000
/** A spreadsheet is not meant for more rows. `petstore export` writes a whole store. */
export const rowsMax = 10_000
/** The number of concurrent requests. A browser has six connections, and some must stay free. */
const atOnce = 3

type Undo = () => Promise<unknown>

/** Something to do with each animal. It resolves with its Undo. */
interface Deed {
  readonly title: string
  /** The text before the number of animals. */
  readonly done: string
  /** The animals as they were seen. The default is the current state of the selected animals. */
  readonly pets?: readonly Pet[]
  readonly run: (pet: Pet) => Promise<Undo>
  /** What the message says stays after an Undo. */
  readonly left?: string
}

/**
 * Runs something that takes many requests, unless another such task is running. `step` receives how many further
 * animals are done. Resolves with undefined if it did not run, was stopped or failed.
 */
async function runTask<T>(
  title: string,
  count: number | undefined,
  run: (step: (more: number) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  if (task.value) return undefined
  const stopper = new AbortController()
  let done = 0
  const step = (more: number) => {
    done += more
    setTask({ title, done, total: count, stop: () => stopper.abort() })
  }
  showMessage(null)
  dismissOf(title)
  step(0)
  try {
    return await run(step, stopper.signal)
  } catch (error) {
    if (!stopper.signal.aborted) tell(error, title)
    return undefined
  } finally {
    setTask(null)
  }
}

/** Yields the matching animals page by page, up to a number of them. */
async function* fittingPages(signal: AbortSignal, max: number): AsyncGenerator<readonly Pet[], void> {
  const seen = new Set<bigint>()
  let cursor: string | undefined
  let count = 0
  do {
    const page = await readPage(cursor, seen, { signal })
    yield page.pets.slice(0, max - count)
    count += page.pets.length
    cursor = page.next
  } while (cursor && count < max)
}

/** Yields the selected animals in their current state. */
async function* selectedPages(signal: AbortSignal): AsyncGenerator<readonly Pet[], void> {
  const ids = [...(selected.value ?? [])]
  const { order } = filter.value
  for (let at = 0; at < ids.length; at += pageMax) {
    const id = ids.slice(at, at + pageMax)
    yield (await petstore().pets.list({ limit: pageMax, order, id }, { signal }).page()).items
  }
}

/** Selects all matching animals, on all pages. */
export const selectAll = (): Promise<void> =>
  runTask('Selecting', total.value && Math.min(total.value, selectedMax), async (step, signal) => {
    for await (const pets of fittingPages(signal, selectedMax)) {
      select([...(selected.value ?? []), ...pets.map(({ id }) => id)])
      step(pets.length)
    }
  })

async function readSelected(signal: AbortSignal, step?: (more: number) => void): Promise<Pet[]> {
  const all: Pet[] = []
  for await (const pets of selectedPages(signal)) {
    all.push(...pets)
    step?.(pets.length)
  }
  return all
}

/**
 * Does something with each animal, some of them concurrently, until the signal is aborted or the service has not
 * decided.
 */
async function doToEach<T>(
  pets: Iterable<Pet>,
  run: (pet: Pet) => Promise<T>,
  step: (more: number) => void,
  signal: AbortSignal,
) {
  const results = new Map<Pet, T>()
  const refused: Refused[] = []
  const done = new Set<bigint>()
  let failure: unknown
  const tryOne = async (pet: Pet) => {
    try {
      results.set(pet, await run(pet))
    } catch (error) {
      if (isEnded(error)) throw error
      if (!isFinal(error)) return void (failure = error)
      refused.push({ pet, why: wordsOf(error) })
    }
    done.add(pet.id)
    step(1)
  }
  const rest = [...pets].values()
  const work = async () => {
    for (const pet of rest) {
      if (signal.aborted || failure) return
      await tryOne(pet)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { results, refused, done, failure }
}

function showRefused(refused: readonly Refused[]): void {
  if (refused.length === 0) return
  setRefused(refused)
  announceSheet('refused')
}

/** Says why not everything was done. The page never repeats an action on several animals by itself. */
const whyNot = (failure: unknown): string =>
  isOffline(failure) ? 'The service cannot be reached. Try again when the connection is back.' : wordsOf(failure, true)

const leftText = (refused: readonly Refused[]): string =>
  refused.length > 0 ? ` Left as they are: ${number(refused.length)}.` : ''

/**
 * Does something with all animals. Animals that are refused stay selected, and so do those that are left when it is
 * stopped or not decided. Resolves with whether none is left.
 */
const doToAll = ({ title, done, pets: given, run, left = '' }: Deed): Promise<boolean | undefined> =>
  runTask(title, given?.length ?? selected.value?.size, async (step, signal) => {
    const wanted = given?.map(({ id }) => id) ?? [...(selected.value ?? [])]
    let pets = given ?? []
    let failure: unknown
    try {
      if (!given) pets = await readSelected(signal)
    } catch (error) {
      // Stopping is not a failure.
      if (!signal.aborted) failure = error
    }
    const result = await doToEach(failure ? [] : pets, run, step, signal)
    failure ??= result.failure
    const isThere = new Set(pets.map(({ id }) => id))
    // Somebody else may have removed one of them.
    const all = failure || signal.aborted ? wanted : wanted.filter((id) => isThere.has(id))
    const rest = all.filter((id) => !result.done.has(id))
    select([...result.refused.map(({ pet }) => pet.id), ...rest])
    const { results: undos } = result
    const text = `${done}: ${animals(undos.size)}.`
    const others = (rest.length > 0 ? ` Not yet: ${number(rest.length)}.` : '') + leftText(result.refused)
    if (failure) showProblem({ text: [`${text}${others} ${whyNot(failure)}`], of: title })
    if (undos.size > 0) showMessage({ text: [failure ? text : text + others], undo: () => undoAll(undos, left) })
    else if (!failure) showMessage({ text: [text + others] })
    showRefused(result.refused)
    markStale({ everything: true })
    return rest.length === 0
  })

const undoAll = (undos: ReadonlyMap<Pet, Undo>, left: string): Promise<void> =>
  runTask('Undo', undos.size, async (step, signal) => {
    const undo = async (pet: Pet) => undos.get(pet)?.()
    const { results, refused, done, failure } = await doToEach(undos.keys(), undo, step, signal)
    const rest = new Map([...undos].filter(([{ id }]) => !done.has(id)))
    const again = rest.size > 0 ? () => undoAll(rest, left) : undefined
    const texts = [`Undone: ${animals(results.size)}.${left}`]
    if (rest.size > 0) texts.push(`Not yet: ${number(rest.size)}.`)
    if (refused.length > 0) texts.push(leftText(refused).trim())
    if (failure) showProblem({ text: [[...texts, whyNot(failure)].join(' ')], undo: again, of: 'Undo' })
    else showMessage({ text: [texts.join(' ')], undo: again })
    showRefused(refused)
    markStale({ everything: true })
  })

/** Returns the selected animals as they are shown. Those that are not shown are read from the service. */
async function seenSelected(step: (more: number) => void, signal: AbortSignal): Promise<Pet[]> {
  const pets = await readSelected(signal, step)
  return pets.map((pet) => (petShown(pet.id) as Pet | undefined) ?? pet)
}

/** Returns the names of the categories of these animals, for a question. */
function namesOfCategories(pets: readonly Pet[]): string {
  const names = [...new Set(pets.map(({ categoryId }) => categoryName(categoryId)))]
  return names.length > 3 ? `${names.length} categories` : names.join(' and ')
}

/** Runs a change of an animal. If somebody else was faster, it shows the animal as they have left it. */
async function showing(id: bigint, run: () => Promise<Pet>): Promise<Pet> {
  try {
    const pet = await run()
    showPet(pet)
    return pet
  } catch (error) {
    if (codeOf(error) === 'precondition_failed') showPet(await petstore().pets.get(id))
    throw error
  }
}

/** Moves an animal if it is still as it was seen. A list has no versions of its animals, so each is read once more. */
async function move(given: Pet, categoryId: bigint): Promise<Undo> {
  const { id } = given
  const before = unansweredMove(id)
  // An earlier attempt may have done it, and its answer was lost.
  const isDone = (pet: Pet) => before !== undefined && isSame(pet, { ...before, categoryId })
  const seen = before && isDone(given) ? before : given
  const moved = await showing(id, async () => {
    const now = await petstore().pets.get(id)
    if (isDone(now)) return now
    if (!isSame(now, seen)) throw changedMeanwhile()
    noteMove(id, seen)
    return petstore().pets.update(id, { categoryId }, { ifMatch: now })
  }).catch((error) => {
    if (isFinal(error)) noteMove(id, null)
    throw error
  })
  noteMove(id, null)
  return () =>
    showing(id, async () => {
      const now = await petstore().pets.get(id)
      // An earlier attempt may have done it, and its answer was lost.
      if (isSame(now, seen)) return now
      return petstore().pets.update(id, { categoryId: seen.categoryId }, { ifMatch: moved })
    })
}

/**
 * Moves the selected animals to the category with a number, or to a new category with a name, after a question that
 * says how many, from where and to where.
 */
export async function moveSelected(category: string, name: string): Promise<void> {
  const pets = await runTask('Reading', selected.value?.size, seenSelected)
  if (!pets) return
  try {
    const to = category ? categoryName(BigInt(category)) : name.trim()
    const kind = category ? '' : 'the new category '
    if (!confirm(`Move ${animals(pets.length)} from ${namesOfCategories(pets)} to ${kind}${to}?`)) return
    const categoryId = category ? BigInt(category) : await numberOf(name)
    const left = category ? '' : ` The category ${to} stays.`
    await doToAll({ title: 'Moving', done: `Moved to ${to}`, pets, run: (pet) => move(pet, categoryId), left })
  } catch (error) {
    tell(error, 'Moving')
  }
}

/** A draft for several animals is stored under a number that no animal has. */
export const several = 0n

/** Reserves the selected animals for one customer. The text stays until all of it is carried out. */
export async function reserveSelected(reference: string, until: Until): Promise<void> {
  const heldUntil = heldUntilOf(until, new Date())
  const whose = reference.trim()
  const draft = orderDraftOf(several)
  // Each animal has its own Idempotency-Key, which stays the same until all of it is carried out. So another try finds
  // the orders whose answers were lost.
  const attempt = draft?.attempt ?? randomKey()
  putOrderDraft(several, { kind: 'reserve', isOpen: false, reference, until, ...draft, attempt })
  const terms = { reference: whose || undefined, heldUntil: heldUntil ?? undefined, isEndless: heldUntil === null }
  const end = heldUntil ? ` until ${timeText(heldUntil)}` : ''
  const isDone = await doToAll({
    title: 'Reserving',
    done: `Reserved${whose && ` for ${whose}`}${end}`,
    run: async ({ id }) => {
      const order = await place({ id }, terms, `${attempt}.${id}`, draft?.attempt !== undefined)
      return endAsLeft(order, () => petstore().orders.cancel(order.id))
    },
  })
  if (isDone) putOrderDraft(several, null)
}

const cell = (text: string): string => `"${withoutFormulas(text).replaceAll('"', '""')}"`

/**
 * Writes the category in the form that `petstore import` accepts: its name, or its number if several categories have
 * the name, or if the name would be read as another number.
 */
function categoryCell(id: bigint): string {
  const { name = '', label = '' } = categories.value.find(({ categoryId }) => categoryId === id) ?? {}
  return name !== '' && name === label && !isLikeNumber(name) ? name : String(id)
}

const rowOf = ({ id, name, categoryId, status }: Pet): string[] => [String(id), name, categoryCell(categoryId), status]

/** Passes a table to the browser as a spreadsheet. */
export function saveFile(download: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((cells) => `${cells.map(cell).join()}\r\n`).join('')
  // The byte order mark tells spreadsheets that the text is UTF-8.
  const href = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href, download }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** Saves the selected animals, or all matching animals if none is selected, up to a number of rows. */
export const saveCsv = (): Promise<void> => {
  const isSelection = (selected.value?.size ?? 0) > 0
  const count = isSelection ? selected.value?.size : total.value
  return runTask('Saving', count && Math.min(count, rowsMax), async (step, signal) => {
    const all: Pet[] = []
    for await (const pets of isSelection ? selectedPages(signal) : fittingPages(signal, rowsMax)) {
      all.push(...pets)
      step(pets.length)
    }
    const day = localTime(new Date().toISOString()).slice(0, 10)
    saveFile(`animals-${day}.csv`, [['number', 'name', 'category', 'status'], ...all.map(rowOf)])
    const what = isSelection ? ' what is selected, shown here or not' : ''
    const isCut = !isSelection && all.length === rowsMax && all.length !== count
    const rest = isCut
      ? ` A spreadsheet has no more than that: narrow the list, or ask whoever runs the store for petstore export.`
      : ''
    showMessage({ text: [`Saved${what}: ${animals(all.length)}.${rest}`] })
  })
}
