/** Describes schemas in words: types, limits, and members. */
import { type Book, type Marked, nameOf, type Parameter, resolve, type Schema } from './document.ts'
import { type Html, html, joined, type Part } from './html.ts'
import { inline, markdown } from './markdown.ts'

/** Writes a value in a sentence: texts as they are, and everything else as JSON. */
const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const listed = (values: readonly unknown[]): Part =>
  joined(
    values.map((value) => html`<code>${inWords(value)}</code>`),
    ', ',
  )

/** Describes a type in a few words, such as "array of Pet". */
export function typeOf(given: Schema, book: Book): Part {
  const href = given.$ref && book.hrefOf(nameOf(given))
  if (href) return html`<a href="${href}">${nameOf(given)}</a>`
  const { type = [], format, items, oneOf, anyOf = oneOf } = resolve(book, given)
  if (anyOf)
    return joined(
      anyOf.map((each) => typeOf(each, book)),
      ' or ',
    )
  if (items) return html`array of ${typeOf(items, book)}`
  return [type].flat().join(' or ') + (format ? ` (${format})` : '')
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const words = min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`
  return min === undefined && max === undefined ? '' : `${words} ${unit}`.trim()
}

/** Returns what a value, or the items of an array, must be beyond the type. */
function limitsOf(given: Schema, book: Book): Part[] {
  const schema = resolve(book, given)
  const { enum: values, 'x-extensible-enum': known, examples, pattern, items, discriminator } = schema
  const whole = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum
  const limits: Part[] = [
    range(schema.minimum, whole, ''),
    schema.maximum !== whole && 'below 2⁵³',
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    schema.default !== undefined && html`by default ${listed([schema.default])}`,
    values && html`${values.length > 1 && 'one of '}${listed(values)}`,
    known && html`one of ${listed(known)}, and others in the future`,
    pattern && html`pattern <code>${pattern}</code>`,
    examples && html`for example ${listed(examples)}`,
    discriminator && variants(discriminator, book),
  ]
  return [
    ...limits.filter(Boolean),
    ...(items?.$ref && book.hrefOf(nameOf(items)) ? [] : items ? limitsOf(items, book) : []),
  ]
}

function variants({ propertyName, mapping }: NonNullable<Schema['discriminator']>, book: Book): Part {
  const types = Object.entries(mapping).map(([value, $ref]) => html`<code>${value}</code> is ${typeOf({ $ref }, book)}`)
  return html`by its <code>${propertyName}</code>: ${joined(types, ', ')}`
}

export function limits(schema: Schema, book: Book): Part {
  const words = limitsOf(schema, book)
  return words.length > 0 && html`<p class="limits">${joined(words, ' · ')}</p>`
}

export function badges(node: Marked, all = false): Part {
  const { deprecated, 'x-deprecated-sunset': end, 'x-stability': stability } = node
  return [
    deprecated && html` <span class="badge warn">deprecated${end && `, ends ${end}`}</span>`,
    stability && html` <span class="badge ${stability}">${stability}</span>`,
    all && !stability && !deprecated && html` <span class="badge stable">stable</span>`,
  ]
}

interface Field {
  /** The id, if there are links to it. */
  readonly id?: string
  readonly name: string
  readonly schema: Schema
  /** The parameter, whose members take precedence over those of the schema. */
  readonly node?: Parameter
  readonly isRequired?: boolean | undefined
  readonly example?: unknown
}

/** Shows one member or parameter: its name, type, marks, description and limits, and its own members. */
export function field({ id, name, schema, node, isRequired, example }: Field, book: Book): Html {
  const { description = '' } = node ?? resolve(book, schema)
  const shown = example === undefined ? schema : { ...schema, examples: [example] }
  return html`<li class="field"${id && html` id="${id}"`}>
<p class="name"><code>${name}</code> <span class="quiet">${typeOf(schema, book)}</span>
${isRequired && html`<span class="required">required</span>`}${node && badges(node)}</p>
${markdown(description)}${limits(shown, book)}${schema.$ref === undefined && members(schema, book)}</li>`
}

/** Shows the members of an object. */
export function members(given: Schema, book: Book): Part {
  const schema = resolve(book, given)
  const { properties, required = [], additionalProperties } = schema
  if (!properties) return
  const fields = Object.entries(properties).map(([name, each]) =>
    field({ name, schema: each, isRequired: required.includes(name) }, book),
  )
  return html`<ul class="fields">${fields}</ul>${
    additionalProperties === false && html`<p class="limits">No other members are accepted.</p>`
  }`
}

/** Shows a body: its media types, what it is, and its members unless they are shown elsewhere. */
export function body(types: readonly string[], schema: Schema, book: Book): Html {
  const isElsewhere = schema.$ref !== undefined && book.hrefOf(nameOf(schema)) !== undefined
  const { anyOf = [schema] } = resolve(book, schema)
  const words = (each: Schema) => html`${inline(resolve(book, each).description ?? '')}${limits(each, book)}`
  return html`<p class="name"><span>${typeOf(schema, book)}</span> <span class="quiet">${types.join(' or ')}</span></p>
${!isElsewhere && html`${anyOf.map(words)}${members(schema, book)}`}`
}
