/** JSON whose integers keep every digit. */
import { randomUUID } from 'node:crypto'

export type Json = null | boolean | string | number | bigint | Json[] | { [member: string]: Json }

/** A text whole, also one that does not end, or a number. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

/** Integers become bigint, `1.0` too. Throws SyntaxError. */
export function parseJson(text: string): Json {
  // A number cannot hold integers of 16 digits and more: they pass JSON.parse as texts, with a mark no service knows.
  const mark = randomUUID()
  const marked = text.replace(tokens, (token) => (/^-?[1-9]\d{15,}$/.test(token) ? `"${mark}${token}"` : token))
  return JSON.parse(marked, (_, value) => {
    if (typeof value === 'string' && value.startsWith(mark)) return BigInt(value.slice(mark.length))
    return Number.isSafeInteger(value) ? BigInt(value) : value
  })
}

export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(writeJson)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`)}}`
}
