/** Schemas in words: types, limits, and members to any depth. */
import type { ComponentChildren } from 'preact'
import { Anchor, Fold, html, Marks } from './base.ts'
import { inWords, isObject, resolve, schemaId, schemaName } from './contract.ts'
import { inline, Markdown } from './markdown.ts'
import type { AnySchema, Header, Parameter, Schema } from './openapi.ts'

const joined = (schemas: readonly AnySchema[], word: string) =>
  schemas.map((schema, i) => html`${i > 0 && ` ${word} `}<${Type} schema=${schema} />`)

const typesOf = ({ type, enum: values, properties, items, prefixItems }: Schema): string[] =>
  [
    type ?? values?.map((value) => typeof value) ?? (properties ? 'object' : (items ?? prefixItems) ? 'array' : []),
  ].flat()

/** A type in a few words, such as "array of Pet". */
export function Type({ schema: given, isPlain }: { schema: AnySchema; isPlain?: boolean }): ComponentChildren {
  const name = schemaName(given)
  if (name) return isPlain ? name : html`<a href="#${schemaId(name) ?? ''}">${name}</a>`
  if (given === false) return 'nothing'
  const schema = resolve(given)
  const { format, items, prefixItems, allOf, not, oneOf, anyOf = oneOf } = schema
  if (schema.const !== undefined) return html`always <code>${inWords(schema.const)}</code>`
  if (anyOf) return joined(anyOf, 'or')
  if (allOf) return joined(allOf, 'and')
  const types = [...new Set(typesOf(schema))]
  if (types.length === 0) return not ? html`anything but <${Type} schema=${not} />` : 'any value'
  const word = (type: string) => {
    if (type !== 'array' || (!items && !prefixItems)) return type
    return html`array of ${joined(prefixItems ?? [items ?? {}], 'then')}`
  }
  return html`${types.map((type, i) => html`${i > 0 && ' or '}${word(type)}`)}${format && ` (${format})`}`
}

const range = (min: unknown, max: unknown, unit: string): string => {
  const words =
    min === max
      ? `exactly ${min}`
      : min === undefined
        ? `at most ${max}`
        : max === undefined
          ? `at least ${min}`
          : `${min} to ${max}`
  return `${words} ${(max ?? min) === 1 ? unit.slice(0, -1) : unit}`.trim()
}
const ranges = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', 'characters'],
  ['minItems', 'maxItems', 'items'],
  ['minProperties', 'maxProperties', 'members'],
] as const

const listed = (values: readonly unknown[]) =>
  values.map((value, i) => html`${i > 0 && ', '}<code>${inWords(value)}</code>`)

const listOf = (values: unknown): readonly unknown[] => (isObject(values) ? Object.values(values) : [])

/** Keywords in words, in this order; those that are in neither list are shown as they are. */
const worded: Readonly<Record<string, (value: unknown) => ComponentChildren>> = {
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  uniqueItems: (value) => value === true && 'no item twice',
  additionalProperties: (value) => value === false && 'no other members',
  readOnly: (value) => value === true && 'only in responses',
  writeOnly: (value) => value === true && 'only in requests',
  enum: (values) => html`one of ${listed(listOf(values))}`,
  'x-extensible-enum': (values) => html`one of ${listed(listOf(values))}, and others in the future`,
  example: (value) => html`for example ${listed([value])}`,
  examples: (values) => html`for example ${listed(listOf(values))}`,
}
/** Said by the type, in the marks, or shown as members. */
const shownElsewhere = new Set(
  [
    '$ref $id $schema $defs type format title description properties required items prefixItems patternProperties',
    'oneOf anyOf allOf const not deprecated x-stability x-deprecated-sunset',
    ...ranges.map(([min, max]) => `${min} ${max}`),
  ].flatMap((names) => names.split(' ')),
)

/** What a value must be beyond its type; also the items of an array, and the variants of a choice, without members. */
export function Limits({ schema: given, depth = 0 }: { schema: AnySchema; depth?: number }) {
  const schema = resolve(given)
  const others = Object.keys(schema).filter((keyword) => !shownElsewhere.has(keyword))
  const words = [
    ...ranges
      .filter(([min, max]) => schema[min] !== undefined || schema[max] !== undefined)
      .map(([min, max, unit]) => range(schema[min], schema[max], unit)),
    ...others.map((keyword) =>
      (worded[keyword] ?? ((value: unknown) => html`${keyword} ${listed([value])}`))(schema[keyword]),
    ),
  ].filter(Boolean)
  const inner = [schema.items, ...partsOf(schema)].filter((each) => isObject(each) && depth < 3 && !hasMembers(each))
  const separated = words.map((each, i) => html`${i > 0 && ' · '}${each}`)
  return html`${words.length > 0 && html`<p class="limits quiet">${separated}</p>`}
    ${inner.map((each) => html`<${Limits} schema=${each} depth=${depth + 1} />`)}`
}

const partsOf = ({ oneOf = [], anyOf = [], allOf = [], prefixItems = [] }: Schema): AnySchema[] => [
  ...oneOf,
  ...anyOf,
  ...allOf,
  ...prefixItems,
]

function hasMembers(given: AnySchema | undefined, seen: readonly AnySchema[] = []): boolean {
  if (typeof given !== 'object' || seen.includes(given)) return false
  const schema = resolve(given)
  if (schema.properties || schema.patternProperties || isObject(schema.additionalProperties)) return true
  return [schema.items, ...partsOf(schema)].some((each) => hasMembers(each, [...seen, given]))
}

interface FieldProps {
  /** If it can be linked to. */
  id?: string
  name: string
  /** Has precedence over the schema. */
  node?: Parameter
  schema: AnySchema
  isRequired?: boolean
  within?: readonly string[]
}

/** One member or parameter: its name, type, marks, words and limits, and its own members folded. */
export function Field({ id, name, node, schema, isRequired, within }: FieldProps) {
  const marked = { ...resolve(schema), ...node }
  return html`<li class="field" id=${id}>
    <p class="name"><code>${name}</code> <span class="quiet"><${Type} schema=${schema} /></span>
      ${isRequired && html`<span class="required">required</span>`}
      <${Marks} of=${marked} />
      ${id && html`<${Anchor} id=${id} title=${name} />`}
    </p>
    <${Markdown} text=${marked.description} />
    <${Limits} schema=${schema} />
    ${
      hasMembers(schema) &&
      html`<${Fold} title=${html`Members of <code>${name}</code>`}>
        <${Members} schema=${schema} within=${within} />
      <//>`
    }
  </li>`
}

/**
 * `within`: the schemas that it is shown in. The members of an object, of the items of an array, and of the variants of
 * a choice.
 */
export function Members({ schema: given, within = [] }: { schema: AnySchema; within?: readonly string[] }) {
  const name = schemaName(given)
  if (name && within.includes(name)) return html`<p class="limits quiet">As above: <${Type} schema=${given} />.</p>`
  const inside = name ? [...within, name] : within
  const schema = resolve(given)
  const { properties = {}, patternProperties = {}, required = [], items, additionalProperties } = schema
  const members: [name: string, node: AnySchema][] = [
    ...Object.entries(properties),
    ...Object.entries(patternProperties).map(([pattern, node]): [string, AnySchema] => [`/${pattern}/`, node]),
    ...(isObject(additionalProperties) ? [['any other name', additionalProperties] satisfies [string, AnySchema]] : []),
  ]
  const variants = partsOf(schema).filter((each) => hasMembers(each))
  const field = ([name, node]: (typeof members)[number]) => html`<${Field}
    key=${name}
    name=${name}
    schema=${node}
    isRequired=${required.includes(name)}
    within=${inside}
  />`
  const variant = (each: AnySchema) => {
    const { title = html`<${Type} schema=${each} isPlain />`, description } = resolve(each)
    return html`<${Fold} title=${html`Members of ${title}`} isOpen=${Boolean(schema.allOf)}>
      <${Markdown} text=${description} />
      <${Members} schema=${each} within=${inside} />
    <//>`
  }
  return html`
    ${members.length > 0 && html`<ul class="fields">${members.map(field)}</ul>`}
    ${hasMembers(items) && html`<${Members} schema=${items} within=${inside} />`}
    ${variants.map(variant)}`
}

interface BodyProps {
  type: string
  schema: AnySchema
  isBrief?: boolean
}

/** A body: its type, what it is, and its members; briefly, a link is enough for one that has a name. */
export const Body = ({ type, schema, isBrief = false }: BodyProps) => html`<div class="body">
  <p class="name">${type && html`<span class="quiet">${type}</span>`}<${Type} schema=${schema} /></p>
  ${!schemaName(schema) && html`<${Markdown} text=${resolve(schema).description} />`}
  ${!(isBrief && schemaName(schema)) && html`<${Limits} schema=${schema} /><${Members} schema=${schema} />`}
</div>`

export const HeaderList = ({ headers }: { headers: readonly (readonly [name: string, node: Header])[] }) =>
  html`<ul class="headers quiet">${headers.map(([name, given]) => {
    const { description = '', schema } = resolve(given)
    return html`<li>
      <code>${name}</code> ${schema && html`<span class="quiet"><${Type} schema=${schema} /></span>`}${' '}
      ${inline(description)}
      ${schema && html`<${Limits} schema=${schema} />`}
    </li>`
  })}</ul>`
