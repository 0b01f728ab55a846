/** JSON with exact int64: integers are parsed to bigint and written from bigint, never through a float. */
const int64Members: ReadonlySet<string> = new Set(['id', 'petId', 'categoryId'])

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown
/** Newer engines give the source text of a number to the reviver, and have `JSON.rawJSON`. */
interface ExactJson {
  parse(text: string, reviver: Reviver): unknown
  rawJSON?(text: string): unknown
}
const native = JSON as unknown as ExactJson

let hasSource = false
native.parse('1', (_name, _value, context) => {
  hasSource = context?.source === '1'
})

export const parseJson = hasSource ? parseBySource : parseByText
export const stringifyJson = native.rawJSON ? stringifyRaw : stringifyByText

function parseBySource(text: string): unknown {
  return native.parse(text, (name, value, context) =>
    typeof value === 'number' && isInt64(name, context?.source) ? BigInt(context.source) : value,
  )
}

/** Puts the int64 members in quotes before JSON.parse sees them; the pattern skips whole strings. */
export function parseByText(text: string): unknown {
  const quoted = text.replace(memberPattern, (token, name: string, colon: string | undefined, digits: string) =>
    colon !== undefined && int64Members.has(name) ? `"${name}"${colon}"${digits}"` : token,
  )
  return native.parse(quoted, (name, value) =>
    typeof value === 'string' && isInt64(name, value) ? BigInt(value) : value,
  )
}

const memberPattern = /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)(-?(?:0|[1-9][0-9]*))(?![0-9.eE]))?/g

const isInt64 = (name: string, text: string | undefined): text is string =>
  int64Members.has(name) && text !== undefined && /^-?[0-9]+$/.test(text)

function stringifyRaw(body: object): string {
  return JSON.stringify(body, (_name, value) => (isNumeric(value) ? native.rawJSON?.(int64Text(value)) : value))
}

/** Bodies are flat, so their members can be written one by one. */
export function stringifyByText(body: object): string {
  const members = Object.entries(body).filter(([, value]) => value !== undefined)
  const texts = members.map(([name, value]) => {
    return `${JSON.stringify(name)}:${isNumeric(value) ? int64Text(value) : JSON.stringify(value)}`
  })
  return `{${texts}}`
}

const isNumeric = (value: unknown): value is bigint | number => typeof value === 'bigint' || typeof value === 'number'

/** An id as decimal digits. The types require a bigint; untyped code may pass a safe integer. */
export function int64Text(value: bigint | number): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  throw new TypeError(`${value} is not an exact integer; write it as a bigint, such as 1n`)
}
