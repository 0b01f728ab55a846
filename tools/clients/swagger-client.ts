/** swagger-client, which Swagger UI uses. It reads the document at run time, and has no types. */
import { createRequire } from 'node:module'
import { byName, type Connect } from './operations.ts'

const SwaggerClient = createRequire(import.meta.url)('swagger-client')

export const connect: Connect = async (url, key) => {
  const { apis, errors } = await SwaggerClient(new URL('/openapi.json', url).href)
  if (errors.length > 0) throw new Error(`swagger-client: ${errors.join()}`)
  const operations: Record<string, Function> = Object.assign({}, ...Object.values<object>(apis))
  const securities = { authorized: { apiKey: { value: key } } }
  return byName(async (operation, { path, query, body: requestBody }) => {
    const answer = await operations[operation]?.({ ...path, ...query }, { requestBody, securities }).catch(
      (error: { response: unknown }) => error.response,
    )
    const { status, ok, body, headers } = answer
    return { status, ...(ok ? { data: body } : { error: body }), link: headers.link }
  })
}
