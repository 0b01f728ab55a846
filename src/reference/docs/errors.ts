/** The errors of operations: those that most have are shown once, and beside an operation its own. */
import { computed } from '@preact/signals'
import { type DocumentedOperation, examplesOf, type NamedExample, outline, resolve, stringify } from './contract.ts'
import type { AnySchema, Header, Operation, Response } from './openapi.ts'

export const isError = (status: string): boolean => !/^[123]/.test(status)

/** What an error response says, in parts that can be compared by their keys. */
type ErrorPart = { readonly key: string } & (
  | { readonly kind: 'paragraph'; readonly value: string }
  | { readonly kind: 'example'; readonly value: NamedExample }
  | { readonly kind: 'schema'; readonly value: { readonly type: string; readonly schema: AnySchema } }
  | { readonly kind: 'header'; readonly value: readonly [name: string, node: Header] }
)

function partsOf(status: string, response: Response): ErrorPart[] {
  const { description = '', content = {}, headers = {} } = resolve(response)
  const bodies = Object.entries(content)
  const keyOf = (kind: ErrorPart['kind'], value: unknown) => stringify([kind, kind !== 'schema' && status, value], 0)
  const part =
    <Kind extends ErrorPart['kind'], Value>(kind: Kind) =>
    (value: Value) => ({ kind, value, key: keyOf(kind, value) })
  return [
    ...description.split(/\n{2,}/).map(part('paragraph')),
    ...bodies.flatMap(([, media]) => examplesOf(media)).map(part('example')),
    ...bodies.map(([type, { schema = {} }]) => ({ type, schema })).map(part('schema')),
    ...Object.entries(headers).map(part('header')),
  ]
}

/** An error of one status: what it says, examples and schemas of its body, and its headers. */
export type DocumentedError = ReturnType<typeof gathered>

const gathered = (status: string, parts: readonly ErrorPart[]) => ({
  status,
  paragraphs: parts.flatMap((part) => (part.kind === 'paragraph' ? [part.value] : [])),
  examples: parts.flatMap((part) => (part.kind === 'example' ? [part.value] : [])),
  schemas: parts.flatMap((part) => (part.kind === 'schema' ? [part.value] : [])),
  headers: parts.flatMap((part) => (part.kind === 'header' ? [part.value] : [])),
})

/** The errors of each operation. */
const errors = computed(() => {
  const errorsIn = ({ responses = {} }: Operation) => Object.entries(responses).filter(([status]) => isError(status))
  const partsIn = ({ node }: DocumentedOperation) =>
    errorsIn(node).map(([status, response]) => ({ status, parts: partsOf(status, response) }))
  return new Map(outline.value.operations.map((operation) => [operation, partsIn(operation)]))
})

/** The keys of the parts that most operations have: they are shown once. */
const common = computed(() => {
  const counts = new Map<string, number>()
  const all = [...errors.value.values()].flat().flatMap(({ parts }) => parts)
  for (const { key } of all) counts.set(key, (counts.get(key) ?? 0) + 1)
  const { length } = outline.value.operations.filter(({ isWebhook }) => !isWebhook)
  const isCommon = (count: number) => count > 2 && count * 2 > length
  return new Set([...counts].filter(([, count]) => isCommon(count)).map(([key]) => key))
})

/**
 * The errors of an operation: its own, the statuses of those that most have, and headers that others do not have with
 * those.
 */
export function errorsOf(operation: DocumentedOperation) {
  const found = (errors.value.get(operation) ?? []).map(({ status, parts }) => {
    const isShared = parts.some(({ kind, key }) => kind !== 'header' && common.value.has(key))
    const own = parts.filter(({ key }) => !common.value.has(key))
    return { isShared, ...gathered(status, own) }
  })
  const isOwn = ({ paragraphs, examples, schemas }: DocumentedError) =>
    paragraphs.length + examples.length + schemas.length > 0
  const further = found.filter((each) => !isOwn(each)).flatMap(({ headers }) => headers)
  return { own: found.filter(isOwn), shared: found.filter(({ isShared }) => isShared), headers: [...new Map(further)] }
}

/** What most operations have, by status. */
export const sharedErrors = computed(() => {
  const all = [...errors.value.values()].flat().sort((a, b) => a.status.localeCompare(b.status))
  return [...Map.groupBy(all, ({ status }) => status)]
    .map(([status, list]) => {
      const parts = new Map(list.flatMap(({ parts }) => parts).map((part) => [part.key, part]))
      return gathered(
        status,
        [...parts.values()].filter(({ key }) => common.value.has(key)),
      )
    })
    .filter(({ paragraphs, examples }) => paragraphs.length + examples.length > 0)
})
