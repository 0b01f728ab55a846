/** An exact JSON parser: integers keep every digit, and duplicate members are reported. */
const depthMax = 100
const digitsMax = 40

export type Json = null | boolean | string | bigint | number | Json[] | JsonObject
export type JsonObject = Map<string, Json>
export interface Parsed {
  readonly value: Json
  /** Names of members that occur more than once in one object. */
  readonly duplicates: readonly string[]
}

/** Returns integers as bigint (also `1.0` and `1e3`), other numbers as number. Throws SyntaxError. */
export function parseJson(text: string): Parsed {
  const duplicates: string[] = []
  let at = 0

  function fail(): never {
    throw new SyntaxError(at < text.length ? `unexpected character at position ${at}` : 'unexpected end')
  }
  function skipSpace(): void {
    for (;;) {
      const c = text.charCodeAt(at)
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return
      at++
    }
  }
  function take(token: string): void {
    if (!text.startsWith(token, at)) fail()
    at += token.length
  }
  function readString(): string {
    const start = at
    let plain = true
    for (at++; ; at++) {
      const c = text.charCodeAt(at)
      if (c === 0x22) break
      if (c === 0x5c) {
        plain = false
        at++
      } else if (c < 0x20 || Number.isNaN(c)) fail()
    }
    at++
    return plain ? text.slice(start + 1, at - 1) : JSON.parse(text.slice(start, at))
  }
  function readNumber(): bigint | number {
    numberPattern.lastIndex = at
    const match = numberPattern.exec(text)
    if (!match) fail()
    at = numberPattern.lastIndex
    return exactNumber(match)
  }
  function readArray(depth: number): Json[] {
    const items: Json[] = []
    at++
    skipSpace()
    if (text[at] !== ']')
      for (;;) {
        items.push(readValue(depth))
        if (text[at] === ']') break
        take(',')
      }
    at++
    return items
  }
  function readObject(depth: number): JsonObject {
    const members: JsonObject = new Map()
    at++
    skipSpace()
    if (text[at] !== '}')
      for (;;) {
        skipSpace()
        if (text[at] !== '"') fail()
        const name = readString()
        skipSpace()
        take(':')
        if (members.has(name)) duplicates.push(name)
        members.set(name, readValue(depth))
        if (text[at] === '}') break
        take(',')
      }
    at++
    return members
  }
  function readValue(depth: number): Json {
    if (depth > depthMax) throw new SyntaxError(`nested deeper than ${depthMax} levels`)
    skipSpace()
    let value: Json
    const c = text[at]
    if (c === '"') value = readString()
    else if (c === '{') value = readObject(depth + 1)
    else if (c === '[') value = readArray(depth + 1)
    else if (c === 't') {
      take('true')
      value = true
    } else if (c === 'f') {
      take('false')
      value = false
    } else if (c === 'n') {
      take('null')
      value = null
    } else value = readNumber()
    skipSpace()
    return value
  }

  const value = readValue(0)
  if (at < text.length) fail()
  return { value, duplicates }
}

const numberPattern = /(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?/y

function exactNumber([token, sign, whole = '', fraction = '', exponent = '0']: RegExpExecArray): bigint | number {
  const digits = whole + fraction
  // This is trimmed by hand, because a regular expression such as /0+$/ takes quadratic time on a hostile run of zeros.
  let start = 0
  let end = digits.length
  while (digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return 0n
  const zeros = Number(exponent) + whole.length - end
  // No field accepts more than forty digits. As a bigint, `1e999999999` would use up the memory.
  if (zeros < 0 || end - start + zeros > digitsMax) return Number(token)
  return BigInt(sign + digits.slice(start, end) + '0'.repeat(zeros))
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
const everyDigit = (integer: bigint): unknown => rawJSON(String(integer))

/** Writes what `parseJson` has read. `form` returns the value that is written for an integer. */
export const writeJson = (value: Json, form: (integer: bigint) => unknown = everyDigit): string =>
  JSON.stringify(value, (_, each) =>
    each instanceof Map ? Object.fromEntries(each) : typeof each === 'bigint' ? form(each) : each,
  )
