/** Schemas in words: types, limits, and members to any depth. */
import { Fold, html, Marks } from './base.js'
import { inWords, resolve, schemaId, schemaName } from './contract.js'
import { inline, Markdown } from './markdown.js'

const joined = (schemas, word) => schemas.map((schema, i) => html`${i > 0 && ` ${word} `}<${Type} schema=${schema} />`)

const isSchema = (value) => typeof value === 'object' && value !== null

/** A type in a few words, such as "array of Pet". */
export function Type({ schema: given }) {
  const name = schemaName(given)
  if (name) return html`<a href="#${schemaId(name) ?? ''}">${name}</a>`
  const schema = given === true ? {} : resolve(given)
  const { format, items, prefixItems, allOf, not, additionalProperties } = schema
  const variants = schema.oneOf ?? schema.anyOf
  if (given === false) return 'nothing'
  if (schema.const !== undefined) return html`always <code>${inWords(schema.const)}</code>`
  if (variants) return joined(variants, 'or')
  if (allOf) return joined(allOf, 'and')
  const types = [
    schema.type ??
      (schema.enum
        ? [...new Set(schema.enum.map((value) => typeof value))]
        : schema.properties
          ? 'object'
          : (items ?? prefixItems)
            ? 'array'
            : []),
  ].flat()
  const word = (type) => {
    if (type === 'array' && prefixItems) return html`array of ${joined(prefixItems, 'then')}`
    if (type === 'array' && items) return html`array of <${Type} schema=${items} />`
    if (type === 'object' && !schema.properties && isSchema(additionalProperties))
      return html`object whose members are <${Type} schema=${additionalProperties} />`
    return type
  }
  if (types.length === 0) return not ? html`anything but <${Type} schema=${not} />` : 'any value'
  return html`${types.map((type, i) => html`${i > 0 && ' or '}${word(type)}`)}${format && ` (${format})`}`
}

const range = (min, max, unit, one = unit) => {
  if (min === undefined && max === undefined) return undefined
  if (min === max) return `exactly ${min} ${min === 1 ? one : unit}`
  const words = min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`
  return `${words} ${(max ?? min) === 1 ? one : unit}`.trim()
}

const code = (word, value) => html`${word} <code>${inWords(value)}</code>`

/** Said by the type, in the marks, or shown as members. */
const shownElsewhere = new Set([
  ...[
    '$ref',
    '$id',
    '$schema',
    '$defs',
    'type',
    'format',
    'title',
    'description',
    'properties',
    'required',
    'items',
    'prefixItems',
  ],
  ...[
    'patternProperties',
    'oneOf',
    'anyOf',
    'allOf',
    'const',
    'not',
    'deprecated',
    'x-stability',
    'x-deprecated-sunset',
  ],
])

/** Each says something of some keywords, or nothing; a keyword that none knows is shown as it is. */
const limits = {
  minimum: ({ minimum, maximum }) => range(minimum, maximum, ''),
  maximum: ({ minimum, maximum }) => minimum === undefined && range(undefined, maximum, ''),
  exclusiveMinimum: ({ exclusiveMinimum }) => `more than ${exclusiveMinimum}`,
  exclusiveMaximum: ({ exclusiveMaximum }) => `less than ${exclusiveMaximum}`,
  multipleOf: ({ multipleOf }) => `a multiple of ${multipleOf}`,
  minLength: ({ minLength, maxLength }) => range(minLength, maxLength, 'characters', 'character'),
  maxLength: ({ minLength, maxLength }) =>
    minLength === undefined && range(undefined, maxLength, 'characters', 'character'),
  minItems: ({ minItems, maxItems }) => range(minItems, maxItems, 'items', 'item'),
  maxItems: ({ minItems, maxItems }) => minItems === undefined && range(undefined, maxItems, 'items', 'item'),
  minProperties: ({ minProperties, maxProperties }) => range(minProperties, maxProperties, 'members', 'member'),
  maxProperties: ({ minProperties, maxProperties }) =>
    minProperties === undefined && range(undefined, maxProperties, 'members', 'member'),
  uniqueItems: ({ uniqueItems }) => uniqueItems && 'no item twice',
  additionalProperties: ({ additionalProperties }) => additionalProperties === false && 'no other members',
  readOnly: ({ readOnly }) => readOnly && 'only in responses',
  writeOnly: ({ writeOnly }) => writeOnly && 'only in requests',
  default: ({ default: value }) => code('default', value),
  pattern: ({ pattern }) => code('pattern', pattern),
  enum: (schema) => html`one of ${listed(schema.enum)}`,
  'x-extensible-enum': (schema) => html`one of ${listed(schema['x-extensible-enum'])}, and more in the future`,
  example: ({ example }) => code('for example', example),
  examples: ({ examples }) =>
    Object.values(examples).length > 0 &&
    html`for example ${listed(Object.values(examples).map((each) => each?.value ?? each))}`,
}
const listed = (values) => values.map((value, i) => html`${i > 0 && ', '}<code>${inWords(value)}</code>`)

/** What a value must be beyond its type. */
export function Limits({ schema: given }) {
  const schema = resolve(given)
  const words = Object.keys(schema)
    .filter((keyword) => !shownElsewhere.has(keyword))
    .map((keyword) => (limits[keyword] ? limits[keyword](schema) : code(keyword, schema[keyword])))
    .filter(Boolean)
  const own = words.length > 0 && html`<p class="limits">${words.map((each, i) => html`${i > 0 && ' · '}${each}`)}</p>`
  // The limits of named items are shown with them.
  return html`${own}${isSchema(schema.items) && !hasMembers(schema.items) && html`<${Limits} schema=${schema.items} />`}`
}

const partsOf = ({ oneOf, anyOf, allOf, prefixItems }) =>
  [oneOf, anyOf, allOf, prefixItems].flatMap((list) => list ?? [])

export function hasMembers(given, seen = []) {
  if (!isSchema(given) || seen.includes(given)) return false
  const schema = resolve(given)
  if (schema.properties || schema.patternProperties) return true
  return [schema.items, schema.additionalProperties, ...partsOf(schema)].some((each) =>
    hasMembers(each, [...seen, given]),
  )
}

/** One member or parameter: its name, type, marks, words and limits, and its own members folded. */
export function Field({ name, node, schema, isRequired, note, within }) {
  const { description } = { ...resolve(schema), ...node }
  return html`<li class="field">
    <p class="name"><code>${name}</code> <span class="type"><${Type} schema=${schema} /></span>
      ${isRequired && html`<span class="required">required</span>`} ${note && html`<span class="type">${note}</span>`}<${Marks} of=${{ ...resolve(schema), ...node }} /></p>
    <${Markdown} text=${description} />
    <${Limits} schema=${schema} />
    ${hasMembers(schema) && html`<${Fold} title=${html`Members of <code>${name}</code>`}><${Members} schema=${schema} within=${within} /><//>`}
  </li>`
}

/** The members of an object, of the items of an array, and of the variants of a choice. */
export function Members({ schema: given, within = [] }) {
  const name = schemaName(given)
  if (name && within.includes(name)) return html`<p class="limits">As above: <${Type} schema=${given} />.</p>`
  const inside = name ? [...within, name] : within
  const schema = resolve(given)
  const { properties = {}, patternProperties = {}, required = [], items, additionalProperties } = schema
  const members = [
    ...Object.entries(properties).map(([each, node]) => [each, node]),
    ...Object.entries(patternProperties).map(([pattern, node]) => [`/${pattern}/`, node]),
  ]
  return html`
    ${members.length > 0 && html`<ul class="fields">${members.map(([each, node]) => html`<${Field} key=${each} name=${each} schema=${node} isRequired=${required.includes(each)} within=${inside} />`)}</ul>`}
    ${[items, additionalProperties].filter((each) => hasMembers(each)).map((each) => html`<${Members} schema=${each} within=${inside} />`)}
    ${partsOf(schema)
      .filter((each) => hasMembers(each))
      .map(
        (each) => html`<${Fold} title=${html`<${Type} schema=${each} />`} isOpen=${Boolean(schema.allOf)}>
      <${Markdown} text=${resolve(each).description} /><${Members} schema=${each} within=${inside} /><//>`,
      )}`
}

/** A body: its type, what it is, and its members. */
export const Body = ({ type, schema }) => html`<div class="body">
  <p class="name"><span class="type">${type}</span> <${Type} schema=${schema} /></p>
  ${!schemaName(schema) && html`<${Markdown} text=${resolve(schema).description} />`}<${Limits} schema=${schema} />
  <${Members} schema=${schema} />
</div>`

export const HeaderList = ({ headers }) =>
  html`<ul class="headers">${headers.map(([name, given]) => {
    const { description = '', schema } = resolve(given)
    return html`<li><code>${name}</code> ${schema && html`<span class="type"><${Type} schema=${schema} /></span>`} ${inline(description)}</li>`
  })}</ul>`
