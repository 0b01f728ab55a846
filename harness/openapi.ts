/** Reads an OpenAPI document, and compares answers with it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Answer } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is a tree of nodes of every shape.
export type Node = any

export interface DocumentedOperation {
  readonly id: string
  /** The method is in upper case. */
  readonly method: string
  readonly path: string
  readonly node: Node
}

export function operationsOf(document: Node): DocumentedOperation[] {
  return Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(([method, node]) => ({
      id: node.operationId,
      method: method.toUpperCase(),
      path,
      node,
    })),
  )
}

/** Follows a reference into the document. */
export function resolve(document: Node, node: Node): Node {
  if (typeof node?.$ref !== 'string') return node
  const parts: string[] = node.$ref.slice(2).split('/')
  return resolve(
    document,
    parts.reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], document),
  )
}

/** Headers of the connection, the body, proxies or browsers, which do not belong to an operation. */
const transport =
  /^(?:content-(?:type|length)|date|connection|keep-alive|vary|transfer-encoding|x-accel-buffering|allow|access-.*)$/

/**
 * Returns everything that is wrong with the answer to an operation. The list is empty if the document describes the
 * answer.
 */
export type Check = (operation: DocumentedOperation, answer: Answer, method?: string) => string[]

export function createChecker(document: Node): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(closed(document), 'document')
  const validators = new Map<string, ValidateFunction>()

  function validatorOf({ method, path, node }: DocumentedOperation, status: number): ValidateFunction {
    // JSON pointers do not follow references in the middle.
    const shared: string[] | undefined = node.responses[status].$ref?.slice(2).split('/')
    const own = shared ?? ['paths', path, method.toLowerCase(), 'responses', String(status)]
    const parts = [...own, 'content', 'application/json', 'schema']
    const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    let validator = validators.get(pointer)
    if (!validator) validators.set(pointer, (validator = ajv.compile({ $ref: `document#/${pointer}` })))
    return validator
  }

  return (operation, answer, method = operation.method) => {
    const { status, text, json } = answer
    const faults: string[] = []
    if (status >= 500) faults.push(`${status}: the service failed`)
    const documented = resolve(document, operation.node.responses[status])
    if (!documented) return [...faults, `${status} is not documented`]
    const declared = Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase())
    for (const [name, header] of Object.entries<Node>(documented.headers ?? {}))
      if (resolve(document, header).required && !answer.headers.has(name)) faults.push(`no header ${name}`)
    for (const name of answer.headers.keys())
      if (!transport.test(name) && !declared.includes(name)) faults.push(`the header ${name} is not documented`)
    if (!documented.content || method === 'HEAD')
      return text === '' ? faults : [...faults, `a body where none may be: ${text}`]
    const type = answer.headers.get('content-type')
    if (documented.content['text/event-stream'] && type === 'text/event-stream') return faults
    if (type !== 'application/json; charset=utf-8') return [...faults, `a body of type ${type}`]
    const validate = validatorOf(operation, status)
    if (!validate(json)) faults.push(`a body unlike its schema: ${ajv.errorsText(validate.errors)}: ${text}`)
    const { example, examples = {} } = documented.content['application/json'] ?? {}
    const codes = [example, ...Object.values<Node>(examples).map(({ value }) => value)].map((error) => error?.code)
    if (status >= 400 && !codes.includes(json?.code)) faults.push(`the code ${json?.code} is not documented`)
    if (status >= 400 && json?.status !== status)
      faults.push(`an error that says ${json?.status} under status ${status}`)
    return faults
  }
}

/**
 * Returns the document with every object and list of values closed. Clients must accept new members, but the service
 * must not send undocumented ones.
 */
export function closed(node: Node): Node {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]))
  if (node['x-extensible-enum']) return { ...copy, enum: node['x-extensible-enum'] }
  return node.type === 'object' && node.properties ? { additionalProperties: false, ...copy } : copy
}
