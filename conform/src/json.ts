/** JSON whose integers keep every digit. */
export type Json = null | boolean | string | number | bigint | Json[] | { [member: string]: Json }

/** What the TypeScript library lacks of JSON. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Integers become bigint, `1.0` too. Throws SyntaxError. */
export const parseJson = (text: string): Json =>
  JSON.parse(text, (_name: string, value: unknown, context?: { readonly source: string }) => {
    if (typeof value !== 'number') return value
    const { source = '' } = context ?? {}
    return Number.isSafeInteger(value) ? BigInt(value) : /^-?\d+$/.test(source) ? BigInt(source) : value
  })

export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? rawJSON(String(each)) : each))
