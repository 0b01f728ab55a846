/**
 * Requests made from the document: what is sent for given inputs, the same as programs, and examples where the document
 * has none.
 */
import { here } from './base.ts'
import type { CodeItem, CodeItems } from './code.ts'
import {
  type DocumentedOperation,
  examplesOf,
  inWords,
  keyScheme,
  type NamedExample,
  resolve,
  scopesOf,
  stringify,
} from './contract.ts'
import type { AnySchema, Media, Parameter } from './openapi.ts'
import { programsOf } from './programs.ts'

const words: Readonly<Record<string, string>> = {
  'date-time': '2026-11-15T09:30:00Z',
  date: '2026-11-15',
  uri: 'https://example.com',
}

/** A value that a schema allows, as far as its keywords say. */
export function sampleOf(given: AnySchema | undefined, depth = 0): unknown {
  const schema = resolve(given)
  const { type, properties, items, format, minimum = 1, oneOf, anyOf = oneOf, allOf } = schema
  const stated = [schema.const, schema.enum?.[0], schema.default, examplesOf({ schema })[0]?.value]
  const found = stated.find((value) => value !== undefined)
  const inside = (each: AnySchema | undefined): unknown => (depth < 4 ? sampleOf(each, depth + 1) : null)
  if (found !== undefined) return found
  if (anyOf) return inside(anyOf[0])
  if (allOf) return Object.assign({}, ...allOf.map(inside))
  const [kind] = [type ?? (properties ? 'object' : items ? 'array' : [])].flat()
  if (kind === 'object')
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, node]) => [name, inside(node)]))
  if (kind === 'array') return items === undefined ? [] : [inside(items)]
  if (kind === 'integer' || kind === 'number') return minimum
  if (kind === 'null') return null
  return kind === 'boolean' || (words[format ?? ''] ?? 'text')
}

/** The examples of a body, each as text. */
export function bodyTexts(media: Media): CodeItems {
  const codeItem = ({ name, summary, value }: NamedExample): CodeItem => ({
    name: summary ?? name,
    text: typeof value === 'string' ? value : stringify(value),
  })
  const [first = { name: 'example', value: sampleOf(media.schema) }, ...others] = examplesOf(media)
  return [codeItem(first), ...others.map(codeItem)]
}

/** The first example of a parameter, as it is typed. */
export function parameterText(parameter: Parameter): string {
  const [example] = examplesOf(parameter)
  const value = example?.value
  return value === undefined ? '' : Array.isArray(value) ? value.map(inWords).join(',') : inWords(value)
}

export const schemaOf = ({ schema, content }: Parameter): AnySchema =>
  schema ?? Object.values(content ?? {})[0]?.schema ?? {}

export const inputId = ({ in: where, name }: Parameter): string => `${where} ${name}`

const separators: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '|' }

/** One query parameter by its style: the items of an array are separated by commas when typed. */
function queryPart(parameter: Parameter, text: string): string {
  const { name, style = 'form', explode = style === 'form' } = parameter
  const encode = encodeURIComponent
  const { type } = resolve(schemaOf(parameter))
  if (type !== 'array' || parameter.content) return `${encode(name)}=${encode(text)}`
  const items = text.split(',').map((item) => encode(item.trim()))
  if (explode) return items.map((item) => `${encode(name)}=${item}`).join('&')
  return `${encode(name)}=${items.join(separators[style] ?? ',')}`
}

/** What is entered, by the id of each input. */
export type Inputs = Readonly<Record<string, string>>

interface Body {
  readonly type: string
  readonly text: string
}

export interface PlannedRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

/** The request for what is entered. */
export function requestOf(operation: DocumentedOperation, inputs: Inputs, body?: Body): PlannedRequest {
  const given = operation.parameters.map((parameter) => ({ parameter, text: inputs[inputId(parameter)] ?? '' }))
  const of = (where: string) => given.filter(({ parameter, text }) => parameter.in === where && text !== '')
  let path = operation.path
  for (const { parameter, text } of of('path'))
    path = path.replace(`{${parameter.name}}`, text.split(',').map(encodeURIComponent).join(','))
  const query = of('query')
    .map(({ parameter, text }) => queryPart(parameter, text))
    .join('&')
  const headers = of('header').map(({ parameter, text }): [string, string] => [parameter.name, text])
  if (body) headers.push(['Content-Type', body.type])
  return { method: operation.method, url: `${here}${path}${query && `?${query}`}`, headers, body: body?.text }
}

/** The request of the examples: what is required, and a body. */
export function exampleRequest(operation: DocumentedOperation): PlannedRequest {
  const required = operation.parameters.filter((parameter) => parameter.required)
  const inputs = Object.fromEntries(
    required.map((each) => [inputId(each), parameterText(each) || inWords(sampleOf(schemaOf(each)))]),
  )
  const [media] = Object.entries(resolve(operation.node.requestBody).content ?? {})
  return requestOf(operation, inputs, media && { type: media[0], text: bodyTexts(media[1])[0].text })
}

/** What the receiver of a webhook gets. */
const messageOf = ({ method, headers, body = '' }: PlannedRequest): string =>
  [`${method} (your URL)`, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n')

/**
 * Programs for what is entered, or else the samples of the document, or else programs for its examples; of a webhook,
 * the message.
 */
export function samplesOf(operation: DocumentedOperation, entered?: PlannedRequest): CodeItems {
  const request = entered ?? exampleRequest(operation)
  if (operation.isWebhook) return [{ name: 'HTTP', text: messageOf(request) }]
  const given = operation.node['x-codeSamples'] ?? []
  const [first, ...others] = given.map(({ lang, label, source }) => ({ name: label ?? lang, text: source.trimEnd() }))
  if (first && !entered) return [first, ...others]
  const body = request.body && compact(request.body)
  const { curl, ...programs } = programsOf({ ...request, body, key: scopesOf(operation) && keyScheme() })
  const made = Object.entries(programs).map(([name, text]) => ({ name, text: text.trimEnd() }))
  // A program that is not made here stays as it is, so that its tab does.
  const kept = [first, ...others].filter((item) => item && item.name !== 'curl' && !(item.name in programs))
  return [{ name: 'curl', text: curl }, ...made, ...(kept as CodeItem[])]
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON on one line; other texts stay as they are. */
const compact = (text: string): string =>
  isJson(text) ? (text.match(jsonTokens) ?? []).map((token) => token.replace(/^([{[])\s+/, '$1')).join('') : text

/** JSON over several lines, with every token as it was sent: no integer is rounded. Other texts stay as they are. */
export function pretty(text: string): string {
  if (!isJson(text)) return text
  let depth = 0
  let made = ''
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(jsonTokens)) {
    if (token === '{' || token === '[') {
      depth++
      made += token + line()
    } else if (token === '}' || token === ']') {
      depth--
      made += line() + token
    } else if (token === ',') made += token + line()
    else made += token === ':' ? ': ' : token.replace(/^([{[])\s+/, '$1')
  }
  return made
}
