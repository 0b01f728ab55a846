/** Reads and writes JSON so that integers keep every digit. */
export type Json = null | boolean | string | number | bigint | Json[] | { [member: string]: Json }

/** TypeScript does not know these functions of JSON yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Reads integers as bigint, even if they are written as `1.0`. Throws a SyntaxError if the text is not JSON. */
export const parseJson = (text: string): Json =>
  JSON.parse(text, (_name: string, value: unknown, context?: { readonly source: string }) => {
    if (typeof value !== 'number') return value
    const { source = '' } = context ?? {}
    return Number.isSafeInteger(value) ? BigInt(value) : /^-?\d+$/.test(source) ? BigInt(source) : value
  })

export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? rawJSON(String(each)) : each))
