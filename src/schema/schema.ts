/** The building blocks of schemas. A schema is a TypeScript type, a body check and an OpenAPI component at once. */
import { Type } from '@sinclair/typebox'

/** A stricter regular expression than `pattern` can state in every dialect. Symbols are not written to the document. */
export const accepts = Symbol('accepts')
/** What a text must be, in words. */
export const expects = Symbol('expects')
/** A member that is accepted and ignored. */
export const ignored = Symbol('ignored')
export interface Marks {
  readonly [accepts]?: RegExp
  readonly [expects]?: string
  readonly [ignored]?: true
}

/** An int64: a bigint in the code, a JSON number on the wire. */
export const Int64 = (options: { description: string; examples?: bigint[]; readOnly?: boolean }) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int64', ...options })

/** One of a fixed set of strings. */
export const Choice = <const T extends string>(
  values: readonly T[],
  options: { $id: string; description: string },
) => ({ ...Type.Unsafe<T>({ type: 'string', ...options }), enum: values })

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 24, description, examples: ['2026-11-15T09:30:00.000Z'] })

/** A member that a client may send with any value, and that has no effect. */
export const Ignored = (description: string) =>
  Type.Optional(Type.Unsafe<never>({ type: 'integer', format: 'int64', description, [ignored]: true }))
