/** Checks a JSON body against its schema: reports every fault, and never coerces a value. */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { isInt64 } from './int64.ts'
import type { Json, Parsed } from './json.ts'
import { accepts, expects, ignored, type Marks } from './schema.ts'

/** In order of precedence: if a body has several faults, the first gives the error code. */
const faultCodes = ['duplicate_field', 'missing_field', 'invalid_field', 'unknown_field'] as const
export type FaultCode = (typeof faultCodes)[number]

export interface Fault {
  readonly code: FaultCode
  readonly text: string
}

/** The typed body, or its faults in order of precedence. */
export type Checked<T> =
  | { readonly value: T; readonly faults?: undefined }
  | { readonly faults: readonly [Fault, ...Fault[]] }
export type Check<T> = (parsed: Parsed) => Checked<T>

/** How one member is checked. */
interface Rule {
  readonly expected: string
  accepts(value: Json): boolean
}

/** Compiles the check of an object. Throws if it does not support the schema. */
export function createCheck<S extends TObject>(schema: S): Check<Static<S>> {
  const rules = new Map<string, Rule | typeof ignored>()
  for (const [name, member] of Object.entries(schema.properties))
    rules.set(name, (member as Marks)[ignored] ? ignored : ruleOf(name, member))
  const required = schema.required ?? []

  return ({ value, duplicates }) => {
    if (!(value instanceof Map)) return { faults: [{ code: 'invalid_field', text: 'The body must be a JSON object.' }] }
    const body: Record<string, Json> = {}
    const faults: Fault[] = []
    for (const name of duplicates) faults.push({ code: 'duplicate_field', text: `${name}: given more than once` })
    for (const name of required)
      if (!value.has(name)) faults.push({ code: 'missing_field', text: `${name}: is required` })
    for (const [name, member] of value) {
      const rule = rules.get(name)
      if (rule === undefined) faults.push({ code: 'unknown_field', text: `${name}: is not a known field` })
      else if (rule === ignored) continue
      else if (rule.accepts(member)) body[name] = member
      else faults.push({ code: 'invalid_field', text: `${name}: must be ${rule.expected}` })
    }
    if (faults.length === 0) return { value: body as Static<S> }
    const [first, ...others] = faults.sort((a, b) => faultCodes.indexOf(a.code) - faultCodes.indexOf(b.code))
    return { faults: [first as Fault, ...others] }
  }
}

/** Keywords that describe a value without restricting it. */
const annotations = ['$id', 'description', 'examples', 'readOnly']

function ruleOf(name: string, schema: TSchema): Rule {
  const says = (...keywords: readonly string[]) =>
    Object.keys(schema).every((keyword) => keywords.includes(keyword) || annotations.includes(keyword))

  if (schema.enum && says('type', 'enum'))
    return { expected: `one of ${schema.enum.join(', ')}`, accepts: (value) => schema.enum.includes(value) }
  if (schema.type === 'boolean' && says('type'))
    return { expected: 'true or false', accepts: (value) => typeof value === 'boolean' }
  if (schema.type === 'array' && schema.maxItems && says('type', 'items', 'maxItems')) {
    const item = ruleOf(name, schema.items)
    return {
      expected: `a list of at most ${schema.maxItems}, each ${item.expected}`,
      accepts: (value) => Array.isArray(value) && value.length <= schema.maxItems && value.every(item.accepts),
    }
  }
  if (schema.type === 'integer' && schema.format === 'int64' && says('type', 'format'))
    return { expected: 'an int64 integer', accepts: isInt64 }
  // A format is checked by an expression of its own.
  const format = accepts in schema ? 'format' : 'pattern'
  const expected = (schema as Marks)[expects]
  if (schema.type === 'string' && expected && says('type', 'minLength', 'maxLength', 'pattern', format))
    return { expected, accepts: textCheck(schema) }
  // A rule that ignored a keyword would accept values that the document forbids.
  throw new TypeError(`${name}: no check is known for the schema ${JSON.stringify(schema)}`)
}

function textCheck(schema: TSchema & Marks) {
  const {
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
    pattern = '',
    [accepts]: compiled = new RegExp(pattern, 'u'),
  } = schema
  return (value: Json): boolean => {
    // There are never more code points than code units, so most texts need no counting.
    if (typeof value !== 'string' || value.length > 2 * maxLength) return false
    const length = value.length <= maxLength ? value.length : [...value].length
    return length >= minLength && length <= maxLength && compiled.test(value)
  }
}
