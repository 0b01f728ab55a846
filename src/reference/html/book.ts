/**
 * Divides a document into pages: the operations of each page, the schemas that it shows, and the address of everything.
 */
import type { Operation as Declared } from '../../http/operation.ts'
import { sampleRequest } from '../samples.ts'
import { type Book, type Described, nameOf, type OpenApi, type Response, resolve, type Schema } from './document.ts'

/** Operations that share a page. */
export interface Group {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The beginnings of the paths of its operations. */
  readonly paths: readonly string[]
  /** The ids of the guides that explain it. */
  readonly guides?: readonly string[]
}

/** A group, with the contents of its page. */
export interface Chapter {
  readonly group: Group
  readonly href: string
  readonly operations: readonly Described[]
  /** The names of the schemas. */
  readonly objects: readonly string[]
}

/** Yields the names of all schemas that a node refers to, directly or indirectly, in order. */
function* schemasIn(node: unknown, book: Pick<Book, 'document'>, seen = new Set<string>()): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const { $ref = '' } = node as Schema
  const name = $ref.startsWith('#/components/schemas/') ? nameOf({ $ref }) : ''
  if (name && !seen.has(name)) {
    seen.add(name)
    yield name
    yield* schemasIn(resolve(book, { $ref }), book, seen)
  }
  for (const each of Object.values(node)) yield* schemasIn(each, book, seen)
}

const isObject = ({ properties, oneOf }: Schema): boolean => properties !== undefined || oneOf !== undefined

/** Returns the group whose path is the longest beginning of this path. */
function groupOf(path: string, groups: readonly Group[]): Group | undefined {
  const isIn = (first: string) => path === first || path.startsWith(`${first}/`)
  const lengthIn = ({ paths }: Group) => Math.max(0, ...paths.filter(isIn).map((first) => first.length))
  const longest = Math.max(...groups.map(lengthIn))
  return groups.find((group) => longest > 0 && lengthIn(group) === longest)
}

const describe = (document: OpenApi, declared: ReadonlyMap<string, Declared>): Described[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, node]) => ({
      method: method.toUpperCase(),
      path,
      node,
      sample: sampleRequest(declared.get(node.operationId) as Declared, document.servers[0]?.url ?? ''),
    })),
  )

export const isError = (status: string): boolean => /^[45]/.test(status)

/** Returns the headers that all of these responses have. */
function usualHeaders(responses: readonly (readonly [status: string, response: Response])[]): ReadonlySet<string> {
  const sets = responses.map(([, { headers = {} }]) => new Set(Object.keys(headers)))
  return new Set([...(sets[0] ?? [])].filter((name) => sets.every((set) => set.has(name))))
}

export const errorsId = 'errors'
export const headersId = 'headers'
export const messagesId = 'webhook-messages'

/** Makes a book. `root` is the address of the first page. */
export function bookOf(document: OpenApi, declared: readonly Declared[], groups: readonly Group[], root: string) {
  const { schemas, headers } = document.components
  const hrefs = new Map<string, string>()
  const all = describe(document, new Map(declared.map((each) => [each.id, each])))
  const claim = (names: Iterable<string>, page: string): string[] => {
    const claimed = [...names].filter((name) => !hrefs.has(name))
    for (const name of claimed) hrefs.set(name, `${root}/${page}#${name}`)
    return claimed
  }
  const codes = schemas.Error?.properties?.code?.['x-extensible-enum'] ?? []
  claim([...codes.map(String), 'Error'], errorsId)
  claim(Object.keys(headers), headersId)
  const objectsIn = (nodes: unknown): string[] =>
    [...schemasIn(nodes, { document })].filter((name) => isObject(schemas[name] as Schema))
  const chapters = groups.map((group): Chapter => {
    const operations = all.filter(({ path }) => groupOf(path, groups) === group)
    const ids = operations.map(({ node }) => node.operationId)
    claim(ids, group.id)
    // A body that is sent is shown with its operation.
    const objects = claim(objectsIn(operations.map(({ node }) => node.responses)), group.id)
    return { group, href: `${root}/${group.id}`, operations, objects }
  })
  const messages = Object.values(document.webhooks ?? {}).map(({ post }) => post)
  const messageIds = messages.map(({ operationId }) => operationId)
  claim(messageIds, messagesId)
  const messageObjects = claim(objectsIn(messages.map(({ requestBody }) => requestBody)), messagesId)
  const operations = new Map(all.map((each) => [each.node.operationId, each]))
  const answers = all.flatMap(({ node }) => Object.entries(node.responses))
  const usual = {
    success: usualHeaders(answers.filter(([status]) => !isError(status))),
    error: usualHeaders(answers.filter(([status, { $ref }]) => isError(status) && !$ref)),
  }
  const book: Book = {
    document,
    operations,
    unusualHeaders: ({ headers = {} }, kind) => Object.keys(headers).filter((name) => !usual[kind].has(name)),
    hrefOf: (name) => hrefs.get(name),
  }
  return { book, chapters, messages: { list: messages, objects: messageObjects } }
}
