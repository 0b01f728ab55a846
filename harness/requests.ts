/** Makes valid, invalid and hostile requests for any operation of an OpenAPI document. */
import fc, { type Arbitrary } from 'fast-check'
import { type DocumentedOperation, type Node, operationsOf, resolve } from './openapi.ts'
import { anyCharacter } from './random.ts'

export interface FuzzRequest {
  /** The id of the operation. */
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
  readonly key: 'good' | 'weak' | 'bad' | 'none'
}

export type TokenKind = 'id' | 'etag' | 'cursor'
/**
 * A value that only a running service has stands in a request as a token such as `@id7@`: an id, an ETag or a cursor of
 * an earlier answer.
 */
const token = (kind: TokenKind): Arbitrary<string> => fc.nat(50).map((n) => `@${kind}${n}@`)
export const tokenPattern = /@(id|etag|cursor)(\d+)@/g

const hostile = [
  '',
  ' ',
  '0',
  '-1',
  '101',
  '1e1',
  '+5',
  '05',
  '20.0',
  '-0',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '1,,2',
  ',',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '\0',
  '%',
  '%00',
  '../..',
  '*',
  "' OR 1=1 --",
  '{{7*7}}',
  '<script>',
  '__proto__',
  'x'.repeat(300),
  'x'.repeat(9000),
  '\u202e',
  '٣',
]
const hostileText = fc
  .oneof(fc.string({ unit: anyCharacter, maxLength: 20 }), { weight: 3, arbitrary: fc.constantFrom(...hostile) })
  .map((text) => text.toWellFormed())
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c < 0x7f || c > 0x9f)
    .map((c) => String.fromCharCode(c)),
  maxLength: 300,
})
const int64 = fc.oneof(
  { weight: 6, arbitrary: token('id') },
  { weight: 2, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('9223372036854775807', '-9223372036854775808', '0', '1') },
)
const noNumbers = ['1e999999999', '1.5', '-0', '"5"', '9223372036854775808', 'NaN']
const hostileJson = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(...noNumbers, '"\\ud800"', '"\\u0000"', '"\t"', '', '""'),
)

export function requests(
  document: Node,
  operations: readonly DocumentedOperation[] = operationsOf(document),
): Arbitrary<FuzzRequest> {
  const wellFormed = (schema: Node, asJson: boolean): Arbitrary<string> => {
    const node = resolve(document, schema)
    if (node.enum)
      return fc.constantFrom<unknown>(...node.enum).map((value) => (asJson ? JSON.stringify(value) : String(value)))
    if (node.type === 'boolean') return fc.boolean().map(String)
    if (node.type === 'integer' && node.format === 'int64') return int64
    if (node.type === 'integer')
      return fc.integer({ min: node.minimum ?? -1000, max: node.maximum ?? 1000 }).map(String)
    if (node.type === 'object') return wellFormedObject(node).map(objectText)
    if (node.type === 'array') {
      const items = fc.array(wellFormed(node.items, asJson), {
        minLength: node.minItems ?? 0,
        maxLength: Math.min(node.maxItems ?? 5, 5),
      })
      return items.map((texts) => (asJson ? `[${texts}]` : texts.join()))
    }
    // Nothing listens at this address, so no webhook leaves this machine.
    if (node.format === 'uri') return fc.nat(9).map((n) => JSON.stringify(`https://127.0.0.1:1/${n}`))
    const minLength = node.minLength ?? 0
    const texts =
      node.pattern === undefined
        ? fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, 20) })
        : fc
            .stringMatching(new RegExp(node.pattern, 'u'))
            .map((text) => text.toWellFormed())
            .filter((text) => text.length >= minLength)
    return asJson
      ? texts.map((text) => JSON.stringify(text))
      : fc.oneof({ weight: 3, arbitrary: token('cursor') }, texts)
  }

  function wellFormedObject(node: Node): Arbitrary<[string, string][]> {
    const members = Object.entries<Node>(node.properties ?? {}).map(([name, schema]) => {
      const member = wellFormed(schema, true).map((text): [string, string] => [JSON.stringify(name), text])
      return node.required?.includes(name)
        ? member.map((pair) => [pair])
        : fc.option(member).map((pair) => (pair ? [pair] : []))
    })
    return fc.tuple(...members).map((pairs) => pairs.flat())
  }

  /**
   * Makes a body that is almost valid: members are swapped, dropped, doubled or added, or the text is cut or is not
   * JSON.
   */
  function hostileBody(schema: Node): Arbitrary<string | Uint8Array> {
    const node = resolve(document, schema)
    const near = fc
      .tuple(
        wellFormedObject(node),
        fc.nat(),
        fc.constantFrom('swap', 'drop', 'double', 'add', 'cut'),
        hostileJson,
        hostileText,
      )
      .map(([pairs, at, how, json, name]) => {
        const i = at % Math.max(pairs.length, 1)
        const pair = pairs[i] ?? ['""', '""']
        if (how === 'swap') return objectText(pairs.toSpliced(i, 1, [pair[0], json]))
        if (how === 'drop') return objectText(pairs.toSpliced(i, 1))
        if (how === 'double') return objectText([...pairs, pair])
        if (how === 'add') return objectText([...pairs, [JSON.stringify(name), json]])
        return objectText(pairs).slice(0, at % 40)
      })
      .map((text): string | Uint8Array => text)
    const large = fc.integer({ min: 65_000, max: 70_000 }).map((length) => '{}'.padEnd(length))
    return fc.oneof({ weight: 12, arbitrary: near }, hostileJson, fc.uint8Array({ maxLength: 50 }), hostileText, large)
  }

  function requestOf(documented: DocumentedOperation, hostile: boolean): Arbitrary<FuzzRequest> {
    const { id: operation, node, path, method } = documented
    const parameters: Node[] = (node.parameters ?? []).map((parameter: Node) => resolve(document, parameter))
    const text = (schema: Node): Arbitrary<string> =>
      hostile ? fc.oneof({ weight: 2, arbitrary: wellFormed(schema, false) }, hostileText) : wellFormed(schema, false)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const pathTexts = fc.tuple(...inPath.map(({ schema }) => text(schema)))
    const queryPairs = fc.tuple(
      ...parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => {
          const names = hostile ? fc.constantFrom(name, name, name, `${name}[]`) : fc.constant<string>(name)
          const pair = fc.tuple(names, text(schema))
          return fc.array(pair, { maxLength: hostile ? 2 : 1 })
        }),
    )
    const more = fc.array(fc.tuple(hostileText, hostileText), { maxLength: hostile ? 1 : 0 })
    const schema = resolve(document, node.requestBody)?.content['application/json'].schema
    const body: Arbitrary<string | Uint8Array | undefined> = !schema
      ? fc.constant(undefined)
      : hostile
        ? fc.oneof({ weight: 3, arbitrary: hostileBody(schema) }, wellFormed(schema, true))
        : wellFormed(schema, true)
    return fc
      .record({
        method: method === 'GET' ? fc.constantFrom('GET', 'GET', 'GET', 'HEAD') : fc.constant(method),
        pathTexts,
        query: fc.tuple(queryPairs, more).map(([pairs, unknown]) => [...pairs.flat(), ...unknown]),
        headers: headersOf(parameters, hostile),
        body,
        key: hostile
          ? fc.constantFrom('good', 'good', 'good', 'good', 'weak', 'bad', 'none')
          : fc.constant('good' as const),
      })
      .map(({ pathTexts, query, body, ...rest }) => {
        let filled = path
        // An empty segment or one of dots would lead to another path.
        for (const [i, { name }] of inPath.entries())
          filled = filled.replace(`{${name}}`, () => encode(pathTexts[i]?.replace(/^\.{0,2}$/, 'x') ?? 'x'))
        const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
        return {
          operation,
          // Beyond 16 KiB of headers, the parser of the runtime answers instead of the operation.
          path: (search === '' ? filled : `${filled}?${search}`).slice(0, 12_000),
          ...(body !== undefined && { body }),
          ...rest,
        }
      })
  }

  return fc.oneof(...operations.flatMap((operation) => [requestOf(operation, false), requestOf(operation, true)]))
}

/** The headers that the operation documents, and for a hostile request some invalid ones. */
function headersOf(parameters: readonly Node[], hostile: boolean): Arbitrary<Record<string, string>> {
  const value = fc.oneof(
    token('etag'),
    fc.nat(5).map((n) => `key-${n}`),
    fc.constant('*'),
    ...(hostile ? [headerText] : []),
  )
  const documented = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  const trouble: Record<string, Arbitrary<string>> = {
    'Content-Type': fc.constantFrom(
      'text/plain',
      'application/json; charset=latin1',
      'application/json;charset=UTF-8',
      'application/merge-patch+json',
      '',
    ),
    'Content-Encoding': fc.constantFrom('gzip', 'identity'),
    'X-Request-Id': headerText,
    Accept: headerText,
    Origin: headerText,
    'X-Forwarded-For': headerText,
  }
  const perhaps = (text: Arbitrary<string>, weight: number) =>
    fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: text })
  return fc
    .record(
      Object.fromEntries([
        ...documented.map((name) => [name, perhaps(value, 1)]),
        ...(hostile ? Object.entries(trouble).map(([name, text]) => [name, perhaps(text, 8)]) : []),
      ]) as Record<string, Arbitrary<string | undefined>>,
    )
    .map((headers) =>
      Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined)),
    )
}

const objectText = (pairs: readonly (readonly [string, string])[]): string =>
  `{${pairs.map(([name, text]) => `${name}:${text}`).join(',')}}`

/** Percent-encodes everything except tokens, which are filled in later. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/%40(id|etag|cursor)(\d+)%40/g, '@$1$2@')
    .replaceAll('%2C', ',')
