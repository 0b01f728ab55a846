/** Whether an answer is what a step of a rule expects. */
import { type Json, parseJson } from '../schema/json.ts'

export interface Received {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** What was expected; its message is what came instead. */
export class Mismatch extends Error {
  readonly expected: string
  constructor(expected: string, actual: string) {
    super(actual)
    this.expected = expected
  }
}

export const describe = ({ status, text }: Received): string => `${status} ${text}`.trim()

/** Throws at the first expectation that does not hold; keeps in `variables` what they say. */
export function compare(
  received: Received,
  [first = '', ...rest]: readonly string[],
  { fill, variables, base }: { fill(text: string): string; variables: Map<string, string>; base: string },
): void {
  const [statuses = '', word = ''] = first.split(' ')
  const body = word || rest.some((text) => text.startsWith('.')) ? bodyOf(received, first) : undefined
  const isError = /^[a-z]/.test(word)
  const isRight =
    statuses.split('/').includes(String(received.status)) &&
    (!word || isShaped(body, isError ? 'Error' : word)) &&
    (!isError || (member(body, '.code') === word && member(body, '.status') === BigInt(received.status)))
  if (!isRight) throw new Mismatch(first, describe(received))
  for (const text of rest) {
    const [, subject = '', relation = '', given = ''] = /^(\S+) (\S+)(?: (.*))?$/s.exec(text) ?? []
    const value = subject.startsWith('.') ? member(body, subject) : subjectOf(received, fill(subject), base)
    // What an answer brought is text in a pattern, never a pattern itself.
    const plain = (variable: string) => fill(variable).replace(/\W/g, '\\$&')
    const wanted = /^!?~$/.test(relation) ? given.replace(/\$\w+(?:\([^)]*\))?/g, plain) : fill(given)
    if (relation === 'as' && value !== undefined) variables.set(given, plainOf(value))
    else if (!relations[relation]?.(value, wanted, subject.startsWith('.')))
      throw new Mismatch(
        `${subject} ${relation} ${wanted}`.trim(),
        `${subject} is ${value === undefined ? 'not there' : plainOf(value)}`,
      )
  }
}

function bodyOf(received: Received, expected: string): Json {
  try {
    return parseJson(received.text).value
  } catch {
    throw new Mismatch(`${expected}, as JSON`, describe(received))
  }
}

type Relation = (value: Json | undefined, wanted: string, isJson: boolean) => boolean
const itemsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(textOf) : [])
const isEqual: Relation = (value, wanted, isJson) =>
  value !== undefined && (isJson ? textOf(value) === textOf(parseJson(wanted).value) : value === wanted)
const isLike: Relation = (value, wanted) => value !== undefined && new RegExp(wanted).test(plainOf(value))
const isOrdered = (value: Json | undefined, sign: bigint) =>
  itemsOf(value).every((item, i, all) => i === 0 || (BigInt(item) - BigInt(all[i - 1] ?? 0)) * sign > 0n)

const relations: Record<string, Relation> = {
  '=': isEqual,
  '!=': (...given) => !isEqual(...given),
  '~': isLike,
  '!~': (...given) => !isLike(...given),
  '>=': (value, wanted) => Number(value) >= Number(wanted),
  '<=': (value, wanted) => Number(value) <= Number(wanted),
  all: (value, wanted) => itemsOf(value).every((item) => item === wanted),
  has: (value, wanted) => itemsOf(value).includes(wanted),
  distinct: (value) => new Set(itemsOf(value)).size === itemsOf(value).length,
  rising: (value) => isOrdered(value, 1n),
  absent: (value) => value === undefined,
}

function subjectOf({ headers, text }: Received, subject: string, base: string): string | undefined {
  if (subject === 'body') return text
  if (/^[A-Z][\w-]*$/.test(subject)) return headers.get(subject.toLowerCase())
  if (subject !== 'next' && subject !== 'cursor') return subject
  const [, target] = /<([^>]*)>; *rel="?next"?/.exec(headers.get('link') ?? '') ?? []
  if (target === undefined || !URL.canParse(target, base)) return undefined
  // Only what follows the version counts, so that no answer leads to another host.
  const { pathname, search, searchParams } = new URL(target, base)
  const version = new URL(base).pathname
  if (subject === 'cursor') return searchParams.get('cursor') ?? undefined
  return pathname.slice(pathname.lastIndexOf(version) + version.length) + search
}

/** A member by its path; `*` collects one of each item, `length` counts, `keys` names. */
function member(value: Json | undefined, path: string): Json | undefined {
  const [name, ...rest] = path.split('.').filter((part) => part !== '')
  if (name === undefined) return value
  const further = `.${rest.join('.')}`
  if (name === 'keys' && value instanceof Map) return [...value.keys()].sort()
  if (value instanceof Map) return member(value.get(name), further)
  if (!Array.isArray(value)) return undefined
  if (name === 'length') return BigInt(value.length)
  return name === '*' ? value.map((item) => member(item, further) ?? null) : member(value.at(Number(name)), further)
}

/** As JSON, members in order of their names, every digit kept. */
function textOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(textOf)}]`
  if (value instanceof Map)
    return `{${[...value].sort().map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`)}}`
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}
const plainOf = (value: Json): string => (typeof value === 'string' ? value : textOf(value))

const integer = (value: Json | undefined) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value
const text = (value: Json | undefined) => typeof value === 'string'
const time = (value: Json | undefined) =>
  text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value as string)
const oneOf = (values: string) => (value: Json | undefined) => values.split(' ').includes(value as string)

/** What each shape must have; more is allowed, unless a rule says otherwise. */
const shapes: Record<string, Record<string, (value: Json | undefined) => boolean>> = {
  Error: { code: text, message: text, status: integer },
  Pet: {
    id: integer,
    name: text,
    categoryId: integer,
    status: (value) => value === undefined || oneOf('available pending sold')(value),
  },
  Order: {
    id: integer,
    petId: integer,
    status: oneOf('placed completed cancelled returned'),
    createdAt: time,
    updatedAt: time,
  },
  Category: { id: integer, name: text },
  Event: { id: integer, type: text, at: time, data: (value) => value instanceof Map },
  Webhook: {
    id: integer,
    url: text,
    types: Array.isArray,
    enabled: (value) => typeof value === 'boolean',
    createdAt: time,
  },
  Day: { day: text, added: integer, sold: integer, returned: integer },
}

/** `Pets` is an array of `Pet`. */
function isShaped(value: Json | undefined, shape: string): boolean {
  const members = shapes[shape]
  if (members) return value instanceof Map && Object.entries(members).every(([name, is]) => is(value.get(name)))
  return Array.isArray(value) && value.every((item) => isShaped(item, shape.replace(/ies$/, 'y').replace(/s$/, '')))
}
