/** Exact JSON: ids are parsed to bigint and written from bigint, never through a floating-point number. */
const int64Members: ReadonlySet<string> = new Set(['id', 'petId', 'categoryId'])

/** The members of JSON that the types of TypeScript do not include yet. */
export const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** How a number was written, as a reviver gets it. */
interface Source {
  readonly source: string
}

/** The integer that a reviver gets, with every digit, whether it is in quotes or not. Undefined if it is not one. */
export function integerIn(value: unknown, context: unknown): bigint | undefined {
  const text = typeof value === 'number' ? (context as Source).source : value
  return typeof text === 'string' && /^-?(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined
}

/** `JSON.parse` with each `id`, `petId` and `categoryId` as a bigint, even if the integer is in quotes. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, function (this: object, name: string, value: unknown, context?: unknown) {
    const id = int64Members.has(name) ? integerIn(value, context) : undefined
    if (id === undefined) return value
    Object.defineProperty(this, 'toJSON', { value: toJSON, configurable: true, writable: true })
    return id
  })
}

/** Lets `JSON.stringify` write an object with bigints. */
function toJSON(this: object): object {
  const raw = (value: unknown) => (typeof value === 'bigint' ? rawJSON(String(value)) : value)
  return Object.fromEntries(Object.entries(this).map(([name, value]) => [name, raw(value)]))
}

/** `JSON.stringify` with bigints as integers, wherever they are. */
export const stringifyJson = (value: unknown): string =>
  JSON.stringify(value, (name, each) => {
    const isInteger = typeof each === 'bigint' || (typeof each === 'number' && int64Members.has(name))
    return isInteger ? rawJSON(int64Text(each)) : each
  })

/** An id in decimal digits. The types require a bigint, but untyped code may pass a safe integer. */
export function int64Text(value: bigint | number): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  throw new TypeError(`${value} is not an exact integer; write it as a bigint, such as 1n`)
}
