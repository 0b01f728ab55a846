/** An animal, its category, and the names of both, which are stored and returned exactly as sent. */
import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { accepts, Choice, expects, Ignored, Int64, PageOf } from '../schema/schema.ts'

const expectedName = `a string of ${limits.nameLength.text} characters, not only white space, without control characters`
const nameLength = { minLength: 1, maxLength: limits.nameLength.max }

/** A name that a client sends; `whose` begins its description, such as "The animal's name". */
const NewName = (whose: string) =>
  Type.String({
    description: `${whose}, stored and returned exactly as sent: ${expectedName} or unpaired surrogates.`,
    ...nameLength,
    // Means the same in ECMAScript with and without `u`, in Go and in PCRE, so it cannot express all of the rule below.
    pattern: '^[^\\x00-\\x1F\\x7F]*[^\\x00-\\x1F\\x7F\\s][^\\x00-\\x1F\\x7F]*$',
    [accepts]: /^(?!\s*$)[^\p{Cc}\p{Cs}]*$/u,
    [expects]: expectedName,
  })

/** A name that the service returns. */
export const Name = (whose: string) => Type.String({ description: `${whose}, exactly as sent.`, ...nameLength })

export const PetStatus = Choice(['available', 'pending', 'sold'], {
  $id: 'PetStatus',
  description: 'Availability of the animal.',
})
export type PetStatus = Static<typeof PetStatus>

export const NewPet = Type.Object(
  {
    id: Ignored('Ignored, so that a Pet can be sent back; the service assigns the id.'),
    name: NewName("The animal's name"),
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
    name: Name("The animal's name"),
  },
  { $id: 'Pet', description: 'An animal in the catalogue.' },
)
export type Pet = Static<typeof Pet>

export const Pets = PageOf(Pet, 'Pets', 'animals, in ascending order of `id`')

/** A name for a category; a category itself is any int64 that animals have as their `categoryId`. */
export const NewCategory = Type.Object(
  {
    id: Ignored('Ignored, so that a Category can be sent back; the path has the id.'),
    name: NewName("The category's name"),
  },
  { $id: 'NewCategory', additionalProperties: false, description: 'A name for a category.' },
)
export type NewCategory = Omit<Static<typeof NewCategory>, 'id'>

/** A category of a file, which has no path. */
export const CategoryRow = Type.Object({ id: Int64({ description: '' }), name: NewName('') })

export const Category = Type.Object(
  {
    id: Int64({ description: 'Identifier of the category, as in the `categoryId` of animals.' }),
    name: Name("The category's name"),
  },
  { $id: 'Category', description: 'A category that has a name.' },
)

export const Categories = PageOf(Category, 'Categories', 'categories that have a name, in ascending order of `id`')
