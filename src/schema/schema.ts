/** The building blocks of every schema: they validate what comes in, and are the OpenAPI components as they stand. */
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type ErrorCode, refuse } from '../errors.ts'
import type { Json, Parsed } from './json.ts'

export const int64Min = -(2n ** 63n)
export const int64Max = 2n ** 63n - 1n

/** An int64, a bigint in the code and a JSON number on the wire. */
export const Int64 = (options: { description: string; examples?: bigint[]; readOnly?: boolean }) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int64', ...options })

/** One of a fixed set of strings. */
export const Choice = <const T extends string>(
  values: readonly T[],
  options: { $id: string; description: string },
) => ({ ...Type.Unsafe<T>({ type: 'string', ...options }), enum: values })

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 24, description, examples: ['2026-11-15T09:30:00.000Z'] })

interface Fault {
  readonly code: ErrorCode
  readonly text: string
}

/** The body as its schema describes it; refuses with every fault named. Members in `ignored` are passed over. */
export function readBody<S extends TObject>(
  schema: S,
  { value, duplicates }: Parsed,
  ignored: readonly string[],
): Static<S> {
  if (!(value instanceof Map)) refuse('invalid_field', 'The body must be a JSON object.')
  const faults: Fault[] = duplicates.map((name) => ({ code: 'duplicate_field', text: `${name}: given more than once` }))
  const body: Record<string, Json> = {}
  for (const name of schema.required ?? [])
    if (!value.has(name)) faults.push({ code: 'missing_field', text: `${name}: is required` })
  for (const [name, member] of value) {
    const expected = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (expected === undefined) {
      if (!ignored.includes(name)) faults.push({ code: 'unknown_field', text: `${name}: is not a known field` })
    } else if (matches(expected, member)) body[name] = member
    else faults.push({ code: 'invalid_field', text: `${name}: must be ${expectation(expected)}` })
  }
  const [first] = faults.sort((a, b) => faultOrder.indexOf(a.code) - faultOrder.indexOf(b.code))
  if (first) refuse(first.code, summary(faults))
  return body as Static<S>
}

/** Which code speaks for a body with several faults. */
const faultOrder: readonly ErrorCode[] = ['duplicate_field', 'missing_field', 'invalid_field', 'unknown_field']
const messageLengthMax = 2000

function summary(faults: readonly Fault[]): string {
  const text = faults.map((fault) => fault.text).join('; ')
  return (text.length <= messageLengthMax ? text : `${text.slice(0, messageLengthMax)}…`).toWellFormed()
}

function matches(schema: TSchema, value: Json): boolean {
  if (schema.enum) return schema.enum.includes(value)
  if (schema.type === 'integer') return typeof value === 'bigint' && value >= int64Min && value <= int64Max
  return typeof value === 'string' && matchesText(schema, value)
}

function matchesText(schema: TSchema, value: string): boolean {
  // Code points never outnumber code units, so most names are decided without counting them.
  if (value.length > 2 * schema.maxLength) return false
  const length = value.length <= schema.maxLength ? value.length : [...value].length
  return length >= schema.minLength && length <= schema.maxLength && patternOf(schema).test(value)
}

const patterns = new Map<string, RegExp>()

function patternOf({ pattern }: TSchema): RegExp {
  let compiled = patterns.get(pattern)
  if (!compiled) patterns.set(pattern, (compiled = new RegExp(pattern, 'u')))
  return compiled
}

function expectation(schema: TSchema): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  return schema.type === 'integer' ? 'an int64 integer' : schema['x-expects']
}
