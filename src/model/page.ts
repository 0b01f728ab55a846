/** A page of a list. */
import { type TArray, type TSchema, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'

export const PageOf = <Item extends TSchema>(item: Item, $id: string, what: string): TArray<Item> =>
  Type.Array(item, { $id, description: `A page of ${what}.`, maxItems: limits.pageSize.max })
