/**
 * The OpenAPI document as the page reads it: its parts in order, each with an id, and what all operations have in
 * common.
 */
import { computed, signal } from '@preact/signals'
import { integerIn, rawJSON } from '../../../client/src/json.ts'
import type {
  AnySchema,
  Example,
  Media,
  Named,
  OpenApi,
  Operation,
  Parameter,
  PathItem,
  Referable,
  SecurityScheme,
  Tag,
} from './openapi.ts'

/** The document; empty until it has arrived. */
export const contract = signal<OpenApi>({})

/** Integers that a number would round are BigInts, where the browser can tell. */
const exactInteger = (_name: string, value: unknown, context?: unknown): unknown =>
  typeof value === 'number' && context && !Number.isSafeInteger(value) ? (integerIn(value, context) ?? value) : value
export const parse = (text: string) => JSON.parse(text, exactInteger)
export const stringify = (value: unknown, indent = 2): string =>
  JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? rawJSON(String(each)) : each), indent)

/** A value in a sentence: texts as they are, everything else as JSON. */
export const inWords = (value: unknown): string => (typeof value === 'string' ? value : stringify(value, 0))

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Follows references; members beside one take precedence. */
export function resolve<Node extends Referable>(given: Node | boolean | undefined): Partial<Node> {
  let node: Partial<Node> = typeof given === 'object' ? given : {}
  const seen = new Set<string>()
  while (typeof node.$ref === 'string' && !seen.has(node.$ref)) {
    const { $ref, ...rest } = node
    seen.add($ref)
    const parts = $ref.split('/').slice(1)
    const named = (part: string) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    const target = parts.reduce<unknown>((at, part) => (isObject(at) ? at[named(part)] : undefined), contract.value)
    // In a valid document a reference leads to a node of the kind that it stands for.
    node = { ...(target as Node), ...rest }
  }
  return node
}

export const schemaName = (node: AnySchema | undefined): string | undefined =>
  typeof node === 'object' ? /^#\/components\/schemas\/([^/]+)$/.exec(node.$ref ?? '')?.[1] : undefined

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
export const textId = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')
/** Ids of the page itself. */
const reserved = 'page reference introduction contents search key key-state key-help common-errors'.split(' ')

/** An operation, or a webhook, with what its path adds to it. */
export interface DocumentedOperation {
  readonly id: string
  readonly title: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly isWebhook: boolean
  readonly node: Operation
  readonly parameters: readonly Parameter[]
}

interface Group extends Tag {
  readonly operations: DocumentedOperation[]
}

const webhookEvents = { name: 'webhook events', description: 'What the service sends to your webhooks.' }
const isEmpty = (map: object): boolean => Object.keys(map).length === 0

const isParameter = (node: Partial<Parameter>): node is Parameter => node.name !== undefined && node.in !== undefined

/** The parts of the page in order: introduction and sections, tags with their operations, schemas. */
export const outline = computed(() => {
  const { info = {}, tags = [], paths = {}, webhooks = {}, components = {} } = contract.value
  const taken = new Set(reserved)
  const idFor = (text: string): string => {
    let id = text
    for (let i = 2; taken.has(id); i++) id = `${text}-${i}`
    taken.add(id)
    return id
  }
  const operationsOf = (items: Named<PathItem>, isWebhook: boolean): DocumentedOperation[] =>
    Object.entries(items).flatMap(([path, item]) => {
      const { parameters: shared = [], ...nodes } = resolve(item)
      return methods.flatMap((method) => {
        const node = nodes[method]
        if (!node) return []
        const parameters = [...shared, ...(node.parameters ?? [])].map((each) => resolve(each)).filter(isParameter)
        return {
          id: idFor(node.operationId ?? textId(`${method} ${path}`)),
          title: node.summary ?? node.operationId ?? `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          // What the service sends stands apart from what it is asked.
          tag: isWebhook ? webhookEvents.name : (node.tags?.[0] ?? 'other'),
          isWebhook,
          node,
          // That of the operation takes precedence over that of its path.
          parameters: [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()],
        }
      })
    })
  const operations = [...operationsOf(paths, false), ...operationsOf(webhooks, true)]
  const all = isEmpty(webhooks) ? tags : [...tags, webhookEvents]
  const groups = new Map<string, Group>(all.map((tag) => [tag.name, { ...tag, operations: [] }]))
  for (const operation of operations) {
    const group = groups.get(operation.tag) ?? { name: operation.tag, operations: [] }
    groups.set(group.name, group)
    group.operations.push(operation)
  }
  const [introduction = '', ...sections] = (info.description ?? '').split(/^## /m)
  return {
    introduction,
    operations,
    groups: [...groups.values()].map((group) => ({ ...group, id: idFor(textId(`tag ${group.name}`)) })),
    sections: sections.map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return { id: idFor(textId(title)), title, text: lines.join('\n') }
    }),
    schemas: Object.entries(components.schemas ?? {}).map(([name, node]) => ({
      id: idFor(`schema-${name}`),
      name,
      node,
    })),
  }
})

export const schemaId = (name: string): string | undefined =>
  outline.value.schemas.find((schema) => schema.name === name)?.id

export interface NamedExample extends Example {
  readonly name: string
}

/** Named or not, of a parameter, a request body or a response. */
export function examplesOf({ example, examples, schema }: Media): NamedExample[] {
  if (example !== undefined) return [{ name: 'example', value: example }]
  const named = Object.entries(examples ?? {}).map(([name, node]) => ({ name, ...resolve(node) }))
  if (named.length > 0) return named
  const { example: one, examples: several = [one] } = resolve(schema)
  return several.filter((value) => value !== undefined).map((value) => ({ name: 'example', value }))
}

/** The scopes that a key needs; undefined when no key is needed. */
export function scopesOf({ node }: DocumentedOperation): string[] | undefined {
  const requirements = node.security ?? contract.value.security ?? []
  if (requirements.length === 0 || requirements.some((each) => Object.keys(each).length === 0)) return undefined
  const scopes = new Set([node['x-scope'] ?? [], ...requirements.map((each) => Object.values(each))].flat(2))
  return [...scopes]
}

/** The scheme with which the key is sent: its header, and what is before the key in it. */
export function keyScheme(): SecurityScheme & { readonly header: string; readonly before: string } {
  const schemes = Object.values(contract.value.components?.securitySchemes ?? {}).map((each) => resolve(each))
  const scheme: SecurityScheme = schemes.find(({ type, in: where }) => type === 'http' || where === 'header') ?? {}
  return scheme.type === 'apiKey'
    ? { ...scheme, header: scheme.name ?? '', before: '' }
    : { ...scheme, header: 'Authorization', before: 'Bearer ' }
}
