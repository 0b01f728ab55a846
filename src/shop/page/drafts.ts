/** What is being typed about an animal, kept until it is saved or dropped. */
import { effect, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../client/src/json.ts'
import type { Pet, PetStatus } from '../../../client/src/types.ts'
import { keep, recall } from './session.ts'

/**
 * An animal being added, as it is typed: in the category of this number, if one was chosen, or if that is empty in one
 * of this new
 * name. `attempt` is the Idempotency-Key under which it was sent.
 */
export interface NewPetDraft {
  readonly name: string
  readonly category?: string | undefined
  readonly newCategory?: string | undefined
  readonly attempt?: string | undefined
}

/**
 * An animal being edited, as it is typed, with the version it was read in; `theirs` is what somebody else has made of
 * it meanwhile.
 */
export interface EditDraft {
  readonly before: Pet
  readonly etag: string
  readonly name: string
  readonly category: string
  readonly newCategory?: string | undefined
  readonly status: PetStatus
  readonly theirs?: Pet | undefined
}

/** A draft that outlives a lost connection, a refused key and a reload. */
function keptDraft<T>(name: string) {
  const draft = signal(parseJson(recall(name) ?? 'null') as T | null)
  effect(() => keep(name, draft.value && stringifyJson(draft.value)))
  return draft
}
export const newPet = keptDraft<NewPetDraft>('petstore.add')
export const edited = keptDraft<EditDraft>('petstore.edit')
