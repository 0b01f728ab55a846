/** The animals that an import adds in one transaction, as text, which takes less memory than arrays until there are enough. */
import type { PetStatus } from '../model/pet.ts'

/** An animal of a file; with an id if the import keeps ids. */
export type ImportedPet = readonly [name: string, categoryId: string, status: PetStatus, id?: number]

export class ImportBatch {
  /** How many animals, and the length of their text. */
  count = 0
  length = 0
  readonly #texts: string[] = []
  readonly #categories = new Map<string, Record<PetStatus, number>>()

  add(pets: readonly ImportedPet[]): this {
    if (pets.length === 0) return this
    const text = JSON.stringify(pets).slice(1, -1)
    this.#texts.push(text)
    this.count += pets.length
    this.length += text.length
    for (const pet of pets) {
      let counts = this.#categories.get(pet[1])
      if (!counts) this.#categories.set(pet[1], (counts = { available: 0, pending: 0, sold: 0 }))
      if (pet[2] === 'available') counts.available++
      else if (pet[2] === 'pending') counts.pending++
      else counts.sold++
    }
    return this
  }

  /** A JSON array of ImportedPet. */
  pets(): string {
    return `[${this.#texts.join()}]`
  }

  /** A JSON array of the categories: the id of each, as text, and an object that says how many animals it gets of each status. */
  categories(): string {
    return JSON.stringify([...this.#categories])
  }
}
