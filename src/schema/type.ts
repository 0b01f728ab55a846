/** JSON schemas that carry the TypeScript type of what they describe. */

/** Marks a member that may be absent. A symbol, so that JSON leaves it out. */
const optional = Symbol('optional')
/** This carries the type. There is no value. */
declare const described: unique symbol

export interface Schema<T = unknown> {
  readonly [described]?: T
  // biome-ignore lint/suspicious/noExplicitAny: each keyword of JSON Schema has values of its own kind.
  readonly [keyword: string]: any
}
export type Static<S extends Schema> = S extends Schema<infer T> ? T : never

type Optional<S> = S & { readonly [optional]: true }
type Members = Readonly<Record<string, Schema>>
type OptionalName<M> = { [N in keyof M]: M[N] extends Optional<unknown> ? N : never }[keyof M]
type Flat<T> = { [N in keyof T]: T[N] }
type Whole<M extends Members> = Flat<
  { [N in Exclude<keyof M, OptionalName<M>>]: Static<M[N]> } & { [N in OptionalName<M>]?: Static<M[N]> }
>
export interface ObjectSchema<M extends Members = Members> extends Schema<Whole<M>> {
  readonly properties: M
  readonly required?: readonly string[]
}

interface Keywords {
  readonly $id?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly readOnly?: boolean
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly enum?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: object
  readonly additionalProperties?: false
  readonly 'x-extensible-enum'?: readonly string[]
  readonly [mark: symbol]: unknown
}

export const Type = {
  /** A schema whose type does not follow from its keywords. */
  Unsafe: <T>(keywords: Keywords): Schema<T> => ({ ...keywords }),
  Boolean: (keywords?: Keywords): Schema<boolean> => ({ ...keywords, type: 'boolean' }),
  Integer: (keywords?: Keywords): Schema<number> => ({ ...keywords, type: 'integer' }),
  String: (keywords?: Keywords): Schema<string> => ({ ...keywords, type: 'string' }),
  Array: <S extends Schema>(items: S, keywords?: Keywords): Schema<Static<S>[]> => ({
    ...keywords,
    type: 'array',
    items,
  }),
  Union: <S extends readonly Schema[]>(anyOf: S): Schema<Static<S[number]>> => ({ anyOf }),
  Optional: <S extends Schema>(member: S): Optional<S> => ({ ...member, [optional]: true }),
  Object<const M extends Members>(properties: M, keywords?: Keywords): ObjectSchema<M> {
    const required = Object.keys(properties).filter((name) => !(optional in (properties[name] as Schema)))
    return { ...keywords, type: 'object', ...(required.length > 0 && { required }), properties }
  },
  Partial<const M extends Members>(members: M, keywords?: Keywords): ObjectSchema<{ [N in keyof M]: Optional<M[N]> }> {
    const properties = Object.entries(members).map(([name, member]) => [name, Type.Optional(member)])
    return Type.Object(Object.fromEntries(properties), keywords)
  },
}
