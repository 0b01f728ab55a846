/** A category: whatever int64 animals name as theirs, and the name that it may have. */
import { type Static, Type } from '@sinclair/typebox'
import { Ignored, Int64 } from '../schema/schema.ts'
import { Name, NewName } from './name.ts'
import { PageOf } from './page.ts'

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
