/** What an animal is. */
import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { Choice, Int64 } from '../schema/schema.ts'

export const PetStatus = Choice(['available', 'pending', 'sold'], {
  $id: 'PetStatus',
  description: 'Availability of the animal.',
})
export type PetStatus = Static<typeof PetStatus>

const Name = Type.String({
  description: "The animal's name, kept and returned as it was sent.",
  minLength: 1,
  maxLength: limits.nameLength.max,
  // Not white space alone; no control character, no unpaired surrogate.
  pattern: '^(?!\\s*$)[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$',
  'x-expects': `a string of ${limits.nameLength.text} characters, not only white space, without control characters`,
})

export const NewPet = Type.Object(
  {
    name: Name,
    categoryId: Int64({ description: 'Identifier of the category; any int64, nothing has to exist before.' }),
    status: Type.Optional(PetStatus),
  },
  { $id: 'NewPet', additionalProperties: false, description: 'An animal to add.' },
)
export type NewPet = Static<typeof NewPet>

/** What may change of an animal; a member that is left out stays as it is. */
export const PetPatch = Type.Object(Type.Partial(NewPet).properties, {
  $id: 'PetPatch',
  additionalProperties: false,
  description: 'Changes to an animal; a member that is left out stays as it is.',
})
export type PetPatch = Static<typeof PetPatch>

export const Pet = Type.Object(
  {
    id: Int64({ description: 'Unique identifier assigned by the service on creation.' }),
    ...NewPet.properties,
  },
  { $id: 'Pet', description: 'An animal of the catalogue.' },
)
export type Pet = Static<typeof Pet>

export const Pets = Type.Array(Pet, {
  $id: 'Pets',
  description: 'A page of animals, in ascending order of `id`.',
  maxItems: limits.pageSize.max,
})
