/** Links of the OpenAPI document: from a response with an `id` to what can be done with it. */
import type { Operation } from '../http/operation.ts'
import type { Node } from './openapi-operation.ts'

const id = '$response.body#/id'

/**
 * The links by the operation that each leads to: operations at `/pets/{petId}` and below, the filter `id` of the list,
 * and operations that take a `petId` elsewhere. Undefined unless the operation returns a resource that a POST to the
 * list creates.
 */
export function linksOf(operation: Operation, all: readonly Operation[]): Node | undefined {
  const creates = ({ method, answer }: Operation) => method === 'POST' && (answer.status === 201 || answer.created)
  const { path: list } = all.find((each) => creates(each) && each.answer.schema === operation.answer.schema) ?? {}
  const name = all.map(({ path }) => path.startsWith(`${list}/{`) && /\{(\w+)\}/.exec(path)?.[1]).find(Boolean)
  if (operation.method !== 'POST' || !name) return undefined
  const linkTo = ({ path, params = {}, query = {}, body }: Operation): Node | undefined => {
    if (params[name]) return Object.keys(params).length === 1 ? { parameters: { [name]: id } } : undefined
    if (path === list && query.id) return { parameters: { id } }
    if (query[name]) return { parameters: { [name]: id } }
    return body?.schema.properties[name] ? { requestBody: { [name]: id } } : undefined
  }
  const links = all
    .filter((target) => target !== operation && !target.deprecated && !target.answer.type)
    .map((target): [string, Node | undefined] => [target.id, linkTo(target)])
  return Object.fromEntries(links.flatMap(([to, link]) => (link ? [[to, { operationId: to, ...link }]] : [])))
}
