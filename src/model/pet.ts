/** An animal and its category, and how many animals there are. */
import { limits } from '../limits.ts'
import { accepts, Choice, expects, Ignored, Int64, PageOf } from '../schema/schema.ts'
import { type Static, Type } from '../schema/type.ts'

interface NameLength {
  readonly max: number
  readonly text: string
}

/** A name that a client sends; `whose` begins its description, such as "The animal's name". */
export function NewName(whose: string, { max: maxLength, text }: NameLength = limits.nameLength) {
  const expected = `a string of ${text} characters, not only white space, without control characters`
  return Type.String({
    description: `${whose}, stored and returned exactly as sent: ${expected} or unpaired surrogates.`,
    minLength: 1,
    maxLength,
    // The pattern means the same in ECMAScript with and without `u`, in Go and in PCRE. So it cannot express all of the
    // rule below.
    pattern: '^[^\\x00-\\x1F\\x7F]*[^\\x00-\\x1F\\x7F\\s][^\\x00-\\x1F\\x7F]*$',
    [accepts]: /^(?!\s*$)[^\p{Cc}\p{Cs}]*$/u,
    [expects]: expected,
  })
}

export const Name = (whose: string, { max: maxLength }: NameLength = limits.nameLength) =>
  Type.String({ description: `${whose}, exactly as sent.`, minLength: 1, maxLength })

export const PetStatus = Choice(['available', 'pending', 'sold'], {
  $id: 'PetStatus',
  description: 'Availability of the animal.',
})
export type PetStatus = Static<typeof PetStatus>

export const NewPet = Type.Object(
  {
    id: Ignored('Ignored, so that a Pet can be sent back. The service assigns the `id`.'),
    name: NewName("The animal's name"),
    categoryId: Int64({
      description: 'Identifier of the category. Any int64 is allowed: a category need not be created first.',
    }),
    status: Type.Optional(PetStatus),
  },
  { $id: 'NewPet', additionalProperties: false, description: 'An animal to add.' },
)
export type NewPet = Omit<Static<typeof NewPet>, 'id'>

export const PetPatch = Type.Partial(NewPet.properties, {
  $id: 'PetPatch',
  additionalProperties: false,
  description: 'The members of an animal to change. Omitted members stay unchanged.',
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

/** A name for a category. A category itself is any int64 that animals use as their `categoryId`. */
export const NewCategory = Type.Object(
  {
    id: Ignored('Ignored, so that a Category can be sent back.'),
    name: NewName("The category's name"),
  },
  { $id: 'NewCategory', additionalProperties: false, description: 'A name for a category.' },
)
export type NewCategory = Omit<Static<typeof NewCategory>, 'id'>

/** A category in an imported file. */
export const CategoryRow = Type.Object({ id: Int64({ description: '' }), name: NewName('') })

export const Category = Type.Object(
  {
    id: Int64({ description: 'Identifier of the category, as in the `categoryId` of animals.' }),
    name: Name("The category's name"),
  },
  { $id: 'Category', description: 'A category that has a name.' },
)

export const Categories = PageOf(Category, 'Categories', 'categories that have a name, in ascending order of `id`')

/** Without a format, clients in Java, C# and Rust would use an int32. */
export const Count = (description: string) =>
  Type.Integer({ format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

const counts = {
  available: Count('Animals that are `available`.'),
  pending: Count('Animals that are `pending`.'),
  sold: Count('Animals that are `sold`.'),
}

export const Inventory = Type.Object(counts, {
  $id: 'Inventory',
  description: 'The number of animals in each status.',
})
export type Inventory = Static<typeof Inventory>

export const CategoryInventory = Type.Object(
  {
    categoryId: Int64({ description: 'Identifier of the category.' }),
    name: Type.Optional(Name("The category's name, if it has one")),
    ...counts,
  },
  { $id: 'CategoryInventory', description: 'The number of animals of a category in each status.' },
)

export const CategoryInventories = PageOf(
  CategoryInventory,
  'CategoryInventories',
  'categories that have animals or a name, in ascending order of `categoryId`',
)

export const DaySales = Type.Object(
  {
    day: Type.String({ format: 'date', maxLength: 10, description: 'The day, in UTC.' }),
    added: Count('Animals that were added.'),
    sold: Count('Changes of a status to `sold`. An animal that is added as `sold` is not counted.'),
    returned: Count('Changes of a status from `sold` to another status. The removal of an animal is not counted.'),
  },
  { $id: 'DaySales', description: 'What happened on one day.' },
)
export type DaySales = Static<typeof DaySales>

export const Sales = Type.Array(DaySales, {
  $id: 'Sales',
  description: 'One entry per day. The oldest day is first and today is last.',
  maxItems: limits.salesDays.max,
})
