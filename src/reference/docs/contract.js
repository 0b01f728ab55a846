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
const textId = (text) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')

/** The parts of the page in order: introduction and sections, tags with their operations, schemas. */
export const outline = computed(() => {
  const { info = {}, tags = [], paths = {}, webhooks = {}, components = {} } = contract.value ?? {}
  const taken = new Set([
    'page',
    'reference',
    'contents',
    'search',
    'key',
    'key-state',
    'key-help',
    ...['introduction', 'errors-of-every-operation'],
  ])
  const idFor = (text) => {
    let id = text
    for (let i = 2; taken.has(id); i++) id = `${text}-${i}`
    taken.add(id)
    return id
  }
  const operations = [
    ...Object.entries(paths).map((entry) => [...entry, false]),
    ...Object.entries(webhooks).map((entry) => [...entry, true]),
  ].flatMap(([path, item, isWebhook]) => {
    const { parameters: shared = [], ...nodes } = resolve(item)
    return methods
      .filter((method) => nodes[method])
      .map((method) => {
        const node = nodes[method]
        const own = (node.parameters ?? []).map(resolve)
        const isOwn = ({ name, in: where }) => own.some((each) => each.name === name && each.in === where)
        return {
          id: idFor(node.operationId ?? textId(`${method} ${path}`)),
          title: node.summary ?? node.operationId ?? `${method.toUpperCase()} ${path}`,
          tag: node.tags?.[0] ?? (isWebhook ? 'webhooks' : 'other'),
          method: method.toUpperCase(),
          parameters: [...shared.map(resolve).filter((each) => !isOwn(each)), ...own],
          path,
          isWebhook,
          node,
        }
      })
  })
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

/** Success first, then what else is no error. */
export const isError = (status) => !/^[123]/.test(status)

/** What a response says, in parts that can be compared. */
function partsOf(status, response) {
  const { description = '', content = {}, headers = {} } = resolve(response)
  const examples = Object.entries(content).flatMap(([type, media]) =>
    examplesOf(media).map((example) => ({ type, ...example })),
  )
  const schemas = Object.entries(content).map(([type, { schema }]) => ({ type, schema }))
  const tell = (kind) => (value) => ({ key: [status, kind, stringify(value, 0)].join(), value })
  return {
    paragraphs: description.split(/\n{2,}/).map(tell('words')),
    examples: examples.map(tell('example')),
    schemas: schemas.map(tell('schema')),
    headers: Object.entries(headers).map(tell('header')),
  }
}

/** Named or not, of a parameter, a request body or a response. */
export function examplesOf({ example, examples, schema }) {
  if (example !== undefined) return [{ name: 'example', value: example }]
  const named = Object.entries(examples ?? {}).map(([name, node]) => ({ name, ...resolve(node) }))
  const inSchema = resolve(schema)
  if (named.length > 0) return named
  return [inSchema.example, ...(inSchema.examples ?? [])]
    .filter((value) => value !== undefined)
    .map((value) => ({ name: 'example', value }))
}

/** The parts of errors that most operations have, by their key: they are shown once. */
const common = computed(() => {
  const counts = new Map()
  const { operations } = outline.value
  for (const { node } of operations)
    for (const [status, response] of Object.entries(node.responses ?? {}))
      if (isError(status))
        for (const parts of Object.values(partsOf(status, response)))
          for (const { key } of parts) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > 2 && count * 2 > operations.length).map(([key]) => key))
})

const pick = (parts, isPicked) =>
  Object.fromEntries(
    Object.entries(parts).map(([kind, list]) => [
      kind,
      list.filter(({ key }) => isPicked(key)).map(({ value }) => value),
    ]),
  )

/** The errors of an operation: its own, the statuses of those that most have, and the headers that only its errors have. */
export function errorsOf({ node }) {
  const own = []
  const shared = []
  const headers = new Map()
  for (const [status, response] of Object.entries(node.responses ?? {}).filter(([code]) => isError(code))) {
    const all = partsOf(status, response)
    const parts = pick(all, (key) => !common.value.has(key))
    if (Object.values(all).some((list) => list.some(({ key }) => common.value.has(key) && !key.includes(',header,'))))
      shared.push(status)
    if (parts.paragraphs.length + parts.examples.length + parts.schemas.length > 0) own.push({ status, ...parts })
    else for (const [name, header] of parts.headers) headers.set(name, header)
  }
  return { own, shared, headers: [...headers] }
}

/** What most operations have, by status. */
export const sharedErrors = computed(() => {
  const found = new Map()
  for (const { node } of outline.value.operations)
    for (const [status, response] of Object.entries(node.responses ?? {})) {
      if (!isError(status)) continue
      const parts = pick(partsOf(status, response), (key) => common.value.has(key))
      const known = found.get(status)
      const isMore = parts.paragraphs.length > (known?.paragraphs.length ?? 0)
      if (isMore) found.set(status, { status, ...parts })
    }
  return [...found.values()].sort((a, b) => a.status.localeCompare(b.status))
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
