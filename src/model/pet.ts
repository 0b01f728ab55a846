/** An animal. */
import { type Static, Type } from '@sinclair/typebox'
import { Choice, Ignored, Int64 } from '../schema/schema.ts'
import { Name, NewName } from './name.ts'
import { PageOf } from './page.ts'

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
