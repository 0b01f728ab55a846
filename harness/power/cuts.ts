/**
 * Cuts the power at many moments of a recording, opens the files that each cut has left, and reports what is missing
 * from them.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { CatalogueCopy } from '../catalogue-copy.ts'
import { faultsIn } from '../faults.ts'
import { Folder } from '../process.ts'
import { randomFrom } from '../random.ts'
import { integrityOf } from '../sqlite.ts'
import { type Cut, type Fate, filesAfter } from './disk.ts'
import type { Acknowledgement, Event } from './recording.ts'

export interface CutOptions {
  readonly states: number
  readonly seed: number
  readonly syncsAreLost?: boolean
  readonly progress?: (done: number) => void
}

export interface CutsSeen {
  /** The number of writes, over all states, that were acknowledged before the cut and so must be found. */
  acknowledged: number
  /** The states in which something was wrong, with the faults. */
  readonly faulty: string[][]
}

const fates: readonly Fate[] = ['kept', 'dropped', 'head', 'tail', 'blank']

/**
 * Returns the cut with a number. It is at any moment, and keeps nothing, everything, all but the last or any part of
 * the writes that were not synced.
 */
export function cutOf(events: readonly Event[], number: number, { seed, syncsAreLost = false }: CutOptions): Cut {
  const random = randomFrom(seed + number * 7919)
  const at = 1 + Math.floor(random() * events.length)
  const last = events.findLastIndex(({ kind }, i) => i < at && kind === 'write')
  const keptShare = random()
  const anyFate = (): Fate => (random() < keptShare ? 'kept' : (fates[Math.floor(random() * fates.length)] as Fate))
  const ways: readonly ((event: number) => Fate)[] = [
    () => 'dropped',
    () => 'kept',
    (event) => (event === last ? 'dropped' : 'kept'),
    anyFate,
    anyFate,
    anyFate,
  ]
  const way = ways[number % ways.length] as (event: number) => Fate
  return { at, syncsAreLost, fate: (event) => [way(event), random()] }
}

export async function cutPower(events: readonly Event[], options: CutOptions): Promise<CutsSeen> {
  const seen: CutsSeen = { acknowledged: 0, faulty: [] }
  using folder = new Folder()
  for (let number = 0; number < options.states; number++) {
    const cut = cutOf(events, number, options)
    const found = join(folder.path, String(number))
    mkdirSync(found)
    for (const [name, bytes] of filesAfter(events, cut)) writeFileSync(join(found, name), bytes)
    const expected = new Expected(events, cut.at)
    seen.acknowledged += expected.count
    const faults = await faultsAfter(join(found, 'test.db'), expected)
    if (faults.length > 0) seen.faulty.push([`state ${number}, cut after ${cut.at} events`, ...faults])
    rmSync(found, { recursive: true })
    options.progress?.(number + 1)
  }
  return seen
}

/** What must be found: each row as it was last acknowledged, or as a write in progress has left it. */
class Expected {
  readonly #versions = new Map<string, (string | null)[]>()
  readonly claimed: Required<Acknowledgement>[] = []
  /** The rows of which a version was acknowledged before the cut. */
  readonly #known = new Set<string>()
  count = 0

  constructor(events: readonly Event[], cut: number) {
    for (const [i, event] of events.entries()) {
      if (event.kind !== 'acknowledge') continue
      const { row, json, claim } = event.acknowledgement
      const version = withoutStatus(row, json)
      if (i >= cut) this.#versions.set(row, [...(this.#versions.get(row) ?? []), version])
      else {
        this.count++
        this.#versions.set(row, [version])
        this.#known.add(row)
        if (claim) this.claimed.push({ row, json, claim })
      }
    }
  }

  faults(found: ReadonlyMap<string, string>): string[] {
    const faults: string[] = []
    for (const [row, json] of found)
      if (!this.#versions.get(row)?.includes(withoutStatus(row, json))) faults.push(`${row} was never so: ${json}`)
    for (const row of this.#known)
      if (!found.has(row) && !this.#versions.get(row)?.includes(null)) faults.push(`${row} is lost`)
    return faults
  }
}

/** Removes the status of an animal, which changes with its orders. The check of the stored data compares both. */
function withoutStatus(row: string, json: string | null): string | null {
  return json !== null && row.startsWith('pets') ? json.replace(/,"status":"\w+"\}$/, '}') : json
}

async function faultsAfter(file: string, expected: Expected): Promise<string[]> {
  let store: Store
  try {
    store = await openStore({
      time: systemTime,
      url: `sqlite:${file}`,
      connections: 1,
      timeoutMilliseconds: 1,
      schema: 'migrate',
    })
  } catch (error) {
    return [`it cannot be opened: ${error instanceof Error ? error.message : error}`]
  }
  try {
    const integrity = integrityOf(file)
    if (integrity !== 'ok') return [`the file is damaged: ${integrity}`]
    const [pets, orders] = [await rowsOf(store, 'pets'), await rowsOf(store, 'orders')]
    const faults = [...expected.faults(new Map([...pets, ...orders])), ...(await faultsIn(store))]
    await new CatalogueCopy().check(store)
    return [...faults, ...(await writeAgain(store, expected))]
  } catch (error) {
    return [`it does not work: ${error}`]
  } finally {
    await store.close().catch(() => {})
  }
}

async function rowsOf(store: Store, table: 'pets' | 'orders'): Promise<Map<string, string>> {
  const { json } = await store[table].page({ after: 0, limit: 1_000_000 })
  const rows: { id: number }[] = JSON.parse(json)
  return new Map(rows.map((row) => [`${table} ${row.id}`, JSON.stringify(row)]))
}

/**
 * Checks that a client that repeats a request with its key gets the first answer again, and that a new animal is
 * accepted and found.
 */
async function writeAgain(store: Store, { claimed }: Expected): Promise<string[]> {
  const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const
  const repeated = await Promise.all(
    claimed.map(async ({ claim, json }) => {
      const outcome = await store.pets.insert(pet, claim)
      const isSame = typeof outcome === 'object' && outcome.replayed && outcome.json === json
      return isSame ? [] : [`the key "${claim.idempotencyKey}" is forgotten: ${JSON.stringify(outcome)}`]
    }),
  )
  const added = await store.pets.insert(pet, undefined)
  const isFound = typeof added === 'object' && (await store.pets.find(BigInt(added.id))) === added.json
  return [...repeated.flat(), ...(isFound ? [] : ['it takes no new animal'])]
}
