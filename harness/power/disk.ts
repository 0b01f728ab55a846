/** What a disk may contain after a power cut: everything that was synced, and any part of the rest. */
import { directory, type Event } from './recording.ts'

/** What became of a write that was not synced. Of a torn write, the sectors on one side of a boundary were written. */
export type Fate = 'kept' | 'dropped' | 'head' | 'tail' | 'blank'

export interface Cut {
  /** The number of events before the cut. */
  readonly at: number
  /** Returns the fate of a change that was not synced, and the point, from 0 to 1, at which a torn change is cut. */
  fate(event: number): readonly [Fate, number]
  /** Whether the disk reports a sync that it has not done. */
  readonly syncsAreLost?: boolean
}

const sectorBytes = 512

class Contents {
  #bytes = Buffer.alloc(64 * 1024)
  #size = 0

  write(offset: number, data: Buffer): void {
    this.truncate(Math.max(this.#size, offset + data.length))
    data.copy(this.#bytes, offset)
  }

  truncate(size: number): void {
    if (size > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], Math.max(size, 2 * this.#bytes.length))
    this.#bytes.fill(0, Math.min(size, this.#size), Math.max(size, this.#size))
    this.#size = size
  }

  /** Applies a write of which only a part reached the disk. */
  tear(offset: number, data: Buffer, side: 'head' | 'tail', place: number): void {
    const first = Math.floor(offset / sectorBytes) + 1
    const boundaries = Math.ceil((offset + data.length) / sectorBytes) - first
    if (boundaries <= 0) return
    const boundary = (first + Math.floor(place * boundaries)) * sectorBytes - offset
    if (side === 'head') this.write(offset, data.subarray(0, boundary))
    else this.write(offset + boundary, data.subarray(boundary))
  }

  /** Applies a write that made the file longer but whose bytes never arrived. */
  blank(offset: number, data: Buffer): void {
    this.truncate(Math.max(this.#size, offset + data.length))
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }
}

/** Returns the files that are found after the cut, by name. */
export function filesAfter(events: readonly Event[], cut: Cut): Map<string, Buffer> {
  const before = events.slice(0, cut.at)
  const syncedUpTo = new Map<number, number>()
  if (!cut.syncsAreLost)
    for (const [i, { kind, file }] of before.entries()) if (kind === 'sync') syncedUpTo.set(file, i)

  const contents = new Map<number, Contents>()
  const names = new Map<string, number>()
  for (const [i, event] of before.entries()) {
    if (event.kind === 'sync' || event.kind === 'acknowledge') continue
    if (event.kind === 'create') contents.set(event.created, new Contents())
    const isSynced = i < (syncedUpTo.get(event.file) ?? -1)
    const [fate, place]: readonly [Fate, number] = isSynced ? ['kept', 0] : cut.fate(i)
    if (event.file === directory || event.kind === 'truncate') {
      if (fate === 'dropped' || fate === 'blank') continue
    }
    if (event.kind === 'create') names.set(event.name, event.created)
    else if (event.kind === 'unlink') names.delete(event.name)
    else apply(contents.get(event.file) as Contents, event, fate, place)
  }
  return new Map([...names].map(([name, file]) => [name, (contents.get(file) as Contents).bytes]))
}

function apply(file: Contents, event: Event, fate: Fate, place: number): void {
  if (event.kind === 'truncate') file.truncate(event.size)
  if (event.kind !== 'write') return
  const { offset, data } = event
  if (fate === 'kept') file.write(offset, data)
  else if (fate === 'blank') file.blank(offset, data)
  else if (fate !== 'dropped') file.tear(offset, data, fate, place)
}
