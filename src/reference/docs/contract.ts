// @ts-nocheck
/** The OpenAPI document as the page reads it: its parts in order, each with an id, and what all operations have in common. */
import { computed, signal } from '@preact/signals'

/** The document; null until it has arrived. */
export const contract = signal(null)

/** Integers that a number would round are BigInts, where the browser can tell. */
const exactInteger = (_name, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source)
    ? BigInt(context.source)
    : value
export const parse = (text) => JSON.parse(text, exactInteger)
export const stringify = (value, indent = 2) =>
  JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? JSON.rawJSON(String(each)) : each), indent)

/** A value in a sentence: texts as they are, everything else as JSON. */
export const inWords = (value) => (typeof value === 'string' ? value : stringify(value, 0))

/** Follows references; members beside one take precedence. */
export function resolve(node) {
  const seen = new Set()
  while (typeof node?.$ref === 'string' && !seen.has(node.$ref)) {
    const { $ref, ...rest } = node
    seen.add($ref)
    const parts = $ref.split('/').slice(1)
    const target = parts.reduce(
      (at, part) => at?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
      contract.value,
    )
    node = target === undefined ? rest : { ...target, ...rest }
  }
  return node ?? {}
}

export const schemaName = (node) => /^#\/components\/schemas\/([^/]+)$/.exec(node?.$ref)?.[1]

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const textId = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')
/** Ids of the page itself. */
const reserved = 'page reference introduction contents search key key-state key-help common-errors'.split(' ')

/** The parts of the page in order: introduction and sections, tags with their operations, schemas. */
export const outline = computed(() => {
  const { info = {}, tags = [], paths = {}, webhooks = {}, components = {} } = contract.value ?? {}
  const taken = new Set(reserved)
  const idFor = (text) => {
    let id = text
    for (let i = 2; taken.has(id); i++) id = `${text}-${i}`
    taken.add(id)
    return id
  }
  const operationsOf = (items, isWebhook) =>
    Object.entries(items).flatMap(([path, item]) => {
      const { parameters: shared = [], ...nodes } = resolve(item)
      const named = methods.filter((method) => nodes[method])
      return named.map((method) => {
        const node = nodes[method]
        const parameters = [...shared, ...(node.parameters ?? [])].map(resolve)
        const id = idFor(node.operationId ?? textId(`${method} ${path}`))
        return {
          ...{
            id,
            path,
            isWebhook,
            node,
            title: node.summary ?? node.operationId ?? `${method.toUpperCase()} ${path}`,
            method: method.toUpperCase(),
          },
          tag: node.tags?.[0] ?? (isWebhook ? 'webhooks' : 'other'),
          // That of the operation takes precedence over that of its path.
          parameters: [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()],
        }
      })
    })
  const operations = [...operationsOf(paths, false), ...operationsOf(webhooks, true)]
  const groups = new Map(tags.map((tag) => [tag.name, { ...tag, operations: [] }]))
  for (const operation of operations) {
    const { tag } = operation
    if (!groups.has(tag)) groups.set(tag, { name: tag, operations: [] })
    groups.get(tag).operations.push(operation)
  }
  const [introduction, ...sections] = (info.description ?? '').split(/^## /m)
  return {
    introduction,
    operations,
    groups: [...groups.values()].map((group) => ({ ...group, id: idFor(textId(`tag ${group.name}`)) })),
    sections: sections.map((section) => {
      const [title, ...lines] = section.split('\n')
      return { id: idFor(textId(title)), title, text: lines.join('\n') }
    }),
    schemas: Object.entries(components.schemas ?? {}).map(([name, node]) => ({
      id: idFor(`schema-${name}`),
      name,
      node,
    })),
  }
})

export const schemaId = (name) => outline.value.schemas.find((schema) => schema.name === name)?.id

/** Named or not, of a parameter, a request body or a response. */
export function examplesOf({ example, examples, schema }) {
  if (example !== undefined) return [{ name: 'example', value: example }]
  const named = Object.entries(examples ?? {}).map(([name, node]) => ({ name, ...resolve(node) }))
  if (named.length > 0) return named
  const { example: one, examples: several = [one] } = resolve(schema)
  return several.filter((value) => value !== undefined).map((value) => ({ name: 'example', value }))
}

export const isError = (status) => !/^[123]/.test(status)

/** What an error response says, in parts that can be compared. */
function partsOf(status, response) {
  const { description = '', content = {}, headers = {} } = resolve(response)
  const bodies = Object.entries(content)
  const part = (kind, of) => (value) => ({ kind, value, key: stringify([kind, of, value], 0) })
  return [
    ...description.split(/\n{2,}/).map(part('paragraph', status)),
    ...bodies.flatMap(([, media]) => examplesOf(media)).map(part('example', status)),
    ...bodies.map(([type, { schema = {} }]) => ({ type, schema })).map(part('schema')),
    ...Object.entries(headers).map(part('header', status)),
  ]
}

function gathered(status, parts) {
  const of = (wanted) => parts.filter(({ kind }) => kind === wanted).map(({ value }) => value)
  return { status, paragraphs: of('paragraph'), examples: of('example'), schemas: of('schema'), headers: of('header') }
}

/** The errors of each operation. */
const errors = computed(() => {
  const errorsIn = ({ responses = {} }) => Object.entries(responses).filter(([status]) => isError(status))
  const partsIn = ({ node }) =>
    errorsIn(node).map(([status, response]) => ({ status, parts: partsOf(status, response) }))
  return new Map(outline.value.operations.map((operation) => [operation, partsIn(operation)]))
})

/** The parts that most operations have, by their key: they are shown once. */
const common = computed(() => {
  const counts = new Map()
  const all = [...errors.value.values()].flat().flatMap(({ parts }) => parts)
  for (const { key } of all) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Set([...counts.keys()].filter((key) => counts.get(key) > 2 && counts.get(key) * 2 > errors.value.size))
})

/** The errors of an operation: its own, the statuses of those that most have, and headers that others do not have with those. */
export function errorsOf(operation) {
  const found = errors.value.get(operation).map(({ status, parts }) => {
    const isShared = parts.some(({ kind, key }) => kind !== 'header' && common.value.has(key))
    return {
      isShared,
      ...gathered(
        status,
        parts.filter(({ key }) => !common.value.has(key)),
      ),
    }
  })
  const isOwn = ({ paragraphs, examples, schemas }) => paragraphs.length + examples.length + schemas.length > 0
  const further = found.filter((each) => !isOwn(each)).flatMap(({ headers }) => headers)
  return { own: found.filter(isOwn), shared: found.filter(({ isShared }) => isShared), headers: [...new Map(further)] }
}

/** What most operations have, by status. */
export const sharedErrors = computed(() => {
  const all = [...errors.value.values()].flat().sort((a, b) => a.status.localeCompare(b.status))
  const partsIn = (list) => [...new Map(list.flatMap(({ parts }) => parts).map((each) => [each.key, each])).values()]
  return Object.entries(Object.groupBy(all, ({ status }) => status))
    .map(([status, list]) =>
      gathered(
        status,
        partsIn(list).filter(({ key }) => common.value.has(key)),
      ),
    )
    .filter(({ paragraphs, examples }) => paragraphs.length + examples.length > 0)
})

/** The scopes that a key needs; undefined when no key is needed. */
export function scopesOf({ node }) {
  const requirements = node.security ?? contract.value?.security ?? []
  if (requirements.length === 0 || requirements.some((each) => Object.keys(each).length === 0)) return undefined
  const scopes = new Set([node['x-scope'] ?? [], ...requirements.map((each) => Object.values(each))].flat(2))
  return [...scopes]
}

/** The scheme with which the key is sent: its header, and what is before the key in it. */
export function keyScheme() {
  const schemes = Object.values(contract.value?.components?.securitySchemes ?? {}).map(resolve)
  const scheme = schemes.find(({ type, in: where }) => type === 'http' || where === 'header') ?? {}
  return scheme.type === 'apiKey'
    ? { ...scheme, header: scheme.name, before: '' }
    : { ...scheme, header: 'Authorization', before: 'Bearer ' }
}
