/** An animal. */
import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { accepts, Choice, Ignored, Int64 } from '../schema/schema.ts'

export const PetStatus = Choice(['available', 'pending', 'sold'], {
  $id: 'PetStatus',
  description: 'Availability of the animal.',
})
export type PetStatus = Static<typeof PetStatus>

const expectedName = `a string of ${limits.nameLength.text} characters, not only white space, without control characters`
const nameLength = { minLength: 1, maxLength: limits.nameLength.max }

const NewName = Type.String({
  description: `The animal's name, stored and returned exactly as sent: ${expectedName} or unpaired surrogates.`,
  ...nameLength,
  // Means the same in ECMAScript with and without `u`, in Go and in PCRE, so it cannot express all of the rule below.
  pattern: '^[^\\x00-\\x1F\\x7F]*[^\\x00-\\x1F\\x7F\\s][^\\x00-\\x1F\\x7F]*$',
  [accepts]: /^(?!\s*$)[^\p{Cc}\p{Cs}]*$/u,
  'x-expects': expectedName,
})

export const NewPet = Type.Object(
  {
    id: Ignored('Ignored, so that a Pet can be sent back; the service assigns the id.'),
    name: NewName,
    categoryId: Int64({ description: 'Identifier of the category: any int64; categories need not be created first.' }),
    status: Type.Optional(PetStatus),
  },
  { $id: 'NewPet', additionalProperties: false, description: 'An animal to add.' },
)
export type NewPet = Omit<Static<typeof NewPet>, 'id'>

/** Changes to an animal; members left out stay unchanged. */
export const PetPatch = Type.Object(Type.Partial(NewPet).properties, {
  $id: 'PetPatch',
  additionalProperties: false,
  description: 'Changes to an animal; members left out stay unchanged.',
})
export type PetPatch = Omit<Static<typeof PetPatch>, 'id'>

export const Pet = Type.Object(
  {
    ...NewPet.properties,
    id: Int64({ description: 'Unique identifier assigned by the service on creation.' }),
    name: Type.String({ description: "The animal's name, exactly as sent.", ...nameLength }),
  },
  { $id: 'Pet', description: 'An animal in the catalogue.' },
)
export type Pet = Static<typeof Pet>

export const Pets = Type.Array(Pet, {
  $id: 'Pets',
  description: 'A page of animals, in ascending order of `id`.',
  maxItems: limits.pageSize.max,
})
