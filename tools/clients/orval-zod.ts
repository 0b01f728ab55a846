/** The zod schemas of orval. They accept every request that the service accepts, and every response. */
import * as api from './api.ts'
import type { Connect } from './operations.ts'
import { plain } from './plain.ts'

const schemas = api as unknown as Record<string, { parse(value: unknown): unknown } | undefined>

export const connect: Connect = (url, key) =>
  plain(url, key, (operation, { path, query, body }, { status, data }) => {
    if (status >= 400) return
    const name = operation.charAt(0).toUpperCase() + operation.slice(1)
    schemas[`${name}Response`]?.parse(data)
    schemas[`${name}Params`]?.parse(path)
    schemas[`${name}QueryParams`]?.parse(query)
    schemas[`${name}Body`]?.parse(body)
  })
