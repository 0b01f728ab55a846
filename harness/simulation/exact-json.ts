/** Reads and writes JSON with integers beyond 2^53 as bigint, because JavaScript's own functions round them. */

const long = /\d{16}/

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const exact: Reviver = (_, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source ? BigInt(source) : value

// biome-ignore lint/suspicious/noExplicitAny: as JSON.parse.
export const parse = (text: string): any =>
  long.test(text) ? JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]) : JSON.parse(text)

/** TypeScript's library does not contain `JSON.rawJSON` yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

export const stringify = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? rawJSON(String(each)) : each))
