/** JSON with exact int64: the ids are parsed to bigint and written from bigint, never through a float. */
const int64Members: ReadonlySet<string> = new Set(['id', 'petId', 'categoryId'])

/** Finds the ids; takes other strings whole, also one that does not end, so that digits in them are left alone. */
const idPattern = /("(?:id|petId|categoryId)"\s*:\s*)(-?(?:0|[1-9][0-9]*))(?![0-9.eE])|"(?:[^"\\]|\\.)*"?/g

/** `JSON.parse` with each `id`, `petId` and `categoryId` as a bigint, also where the integer is in quotes. */
export function parseJson(text: string): unknown {
  const quoted = text.replace(idPattern, (token, name?: string, digits?: string) =>
    name === undefined ? token : `${name}"${digits}"`,
  )
  return JSON.parse(quoted, function (this: object, name, value) {
    if (typeof value !== 'string' || !int64Members.has(name) || !/^-?(?:0|[1-9][0-9]*)$/.test(value)) return value
    Object.defineProperty(this, 'toJSON', { value: toJSON, configurable: true, writable: true })
    return BigInt(value)
  })
}

/** Lets `JSON.stringify` write an object with bigints. */
function toJSON(this: object): object {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  // Node 20 has no way to write a larger integer than a number can hold but as a string.
  const raw = (id: bigint) => rawJSON?.(String(id)) ?? (Number.isSafeInteger(Number(id)) ? Number(id) : String(id))
  const members = Object.entries(this).map(([name, value]) => [name, typeof value === 'bigint' ? raw(value) : value])
  return Object.fromEntries(members)
}

/** `JSON.stringify` with bigints as integers, on every engine and wherever they are. */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => stringifyJson(item) ?? 'null')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function' && value.toJSON !== toJSON)
    return stringifyJson(value.toJSON())
  const members = Object.entries(value).map(([name, member]) => {
    const text = typeof member === 'number' && int64Members.has(name) ? int64Text(member) : stringifyJson(member)
    return text && `${JSON.stringify(name)}:${text}`
  })
  return `{${members.filter(Boolean)}}`
}

/** An id as decimal digits. The types require a bigint; untyped code may pass a safe integer. */
export function int64Text(value: bigint | number): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  throw new TypeError(`${value} is not an exact integer; write it as a bigint, such as 1n`)
}
