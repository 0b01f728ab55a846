/** The document as OpenAPI 3.0, for generators and gateways that do not support a newer version. */
import type { Node } from './openapi-operation.ts'

export function asOpenApi30({ openapi: _, info, webhooks, ...rest }: Node): Node {
  const { summary: __, license: ___, ...known } = info as Node
  const license = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }
  const document = { openapi: '3.0.3', info: { ...known, license }, ...rest, 'x-webhooks': webhooks }
  return JSON.parse(JSON.stringify(document), (_name, node) => withoutNews(node))
}

/** Scopes are also in `x-scope` and in the description, because before 3.1 only OAuth 2 can have scopes. */
function withoutNews(node: Node | null): unknown {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node
  const { type, examples, security, ...rest } = node
  return {
    ...(Array.isArray(type) ? { type: type[0], nullable: true } : type !== undefined && { type }),
    ...rest,
    ...(Array.isArray(examples) ? { example: examples[0] } : examples !== undefined && { examples }),
    ...(Array.isArray(security) && { security: security.map(() => ({ apiKey: [] })) }),
  }
}
