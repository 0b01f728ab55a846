const text = { type: 'string' }
const inPath = { in: 'path', required: true }
const piped = { style: 'pipeDelimited', explode: false }
const objectOf = (properties: object) => ({ type: 'object', properties })
const listOf = (items: object) => ({ type: 'array', items })
const refTo = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })
const asJson = (schema: object, more: object = {}) => ({ 'application/json': { schema, ...more } })

/**
 * An OpenAPI document unlike ours, with about everything that one may have: the docs page must show it without new
 * code.
 */
export const strangeDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Strange API',
    version: '0.0.1-odd',
    summary: 'Nothing here is ours.',
    description: [
      'A [link](https://example.com/more), a [trap](javascript:alert(1)), <script>alert(2)</script> ' +
        'and <b>no HTML</b>.',
      '### Lists\n\n- one *leaning* item\n- another\n  - inside it\n\n1. first\n2. second',
      '> A quotation.',
      '```\nfenced | code\n```',
      '---',
      '## A section\n\n| left | right |\n|---|---|\n| `a\\|b` | plain |\n\nAfter the table.',
    ].join('\n\n'),
    contact: { name: 'Somebody', email: 'somebody@example.com' },
    license: { name: 'Odd License', url: 'javascript:alert(3)' },
    termsOfService: 'https://example.com/terms',
  },
  servers: [{ url: '/v9', description: 'Relative' }],
  security: [{ header: [] }],
  paths: {
    '/strange/{first}/{second}': {
      parameters: [
        { name: 'first', ...inPath, description: 'Of the path.', schema: text, example: 'a b' },
        { name: 'second', ...inPath, description: 'Replaced.', schema: text },
      ],
      put: {
        operationId: 'search',
        summary: 'Do everything',
        description: 'With **all** features.',
        'x-stability': 'experimental',
        'x-unheard-of': { of: ['it'] },
        externalDocs: { url: 'https://example.com/docs', description: 'Elsewhere' },
        callbacks: { done: { '{$request.body#/url}': { post: { description: 'Called back.' } } } },
        parameters: [
          { name: 'second', ...inPath, description: 'Of the operation.', schema: { enum: ['x', 'y'] } },
          { name: 'many', in: 'query', description: 'Exploded.', schema: listOf({ type: 'integer', maximum: 9 }) },
          { name: 'piped', in: 'query', ...piped, schema: listOf(text), example: ['p', 'q'] },
          { name: 'flag', in: 'query', deprecated: true, description: 'Ended.', schema: { type: 'boolean' } },
          { name: 'filter', in: 'query', description: 'As JSON.', content: asJson({ type: 'object' }) },
          { name: 'X-Must', in: 'header', required: true, description: 'A header.', schema: { ...text, minLength: 3 } },
          { name: 'crumb', in: 'cookie', description: 'A cookie.', schema: text },
        ],
        requestBody: {
          description: 'One of two.',
          required: true,
          content: {
            ...asJson(refTo('Tree')),
            'text/plain': { schema: { type: 'string', maxLength: 1 }, example: 'z' },
          },
        },
        responses: {
          200: {
            description: 'Done.',
            headers: { 'X-Unlike': { description: 'Odd enough.', schema: { type: 'integer', multipleOf: 2 } } },
            content: asJson(refTo('Choice')),
          },
          '4XX': { description: 'Any fault of the client.', content: { 'text/plain': { schema: { type: 'string' } } } },
          default: { $ref: '#/components/responses/Whatever' },
        },
      },
      head: {
        description: 'No summary, no tag, no key.',
        security: [],
        responses: { 204: { description: 'Nothing.' }, 400: { description: 'Refused, and no more is said.' } },
      },
    },
  },
  webhooks: { ping: { post: { summary: 'Hear a ping', responses: { 200: { description: 'Heard.' } } } } },
  components: {
    securitySchemes: { header: { type: 'apiKey', in: 'header', name: 'X-Odd-Key', description: 'Ask somebody.' } },
    responses: {
      Whatever: {
        description: 'Whatever else.',
        content: asJson(refTo('Choice'), { examples: { odd: { value: 'odd value' } } }),
      },
    },
    schemas: {
      Tree: {
        type: 'object',
        description: 'Has trees inside.',
        required: ['leaf'],
        minProperties: 1,
        properties: {
          leaf: { type: ['string', 'null'], format: 'date', description: 'Or nothing.', default: null },
          trees: { type: 'array', uniqueItems: true, items: refTo('Tree') },
          fixed: { const: 'always this' },
          big: { type: 'integer', format: 'int64', exclusiveMinimum: 0, examples: [7] },
          secret: { type: 'string', writeOnly: true, deprecated: true, contentEncoding: 'base64' },
          pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
          anything: true,
          nested: objectOf({ deep: objectOf({ deeper: { type: 'boolean', description: 'Deep down.' } }) }),
        },
        patternProperties: { '^x-': { type: 'string', description: 'By pattern.' } },
        additionalProperties: { type: 'number', minimum: 0.5, description: 'All others.' },
      },
      Choice: {
        oneOf: [
          refTo('Tree'),
          { title: 'Inline', ...objectOf({ only: { ...text, enum: ['here', 'there'] } }) },
          { type: 'string', maxLength: 77 },
        ],
      },
      Both: {
        allOf: [refTo('Tree'), { type: 'object', properties: { more: { type: 'string' } } }],
      },
      Not: { not: { type: 'string' } },
      Loop: { type: 'array', items: refTo('Loop') },
    },
  },
}
