/**
 * The text at /llms.txt, which explains the API to a language model on one page. It is made from the declared
 * operations.
 */
import { errors } from '../errors.ts'
import type { Operation } from '../http/operation.ts'
import type { SiteReply } from '../http/site-route.ts'
import { siteUrl } from '../http/urls.ts'
import { defaultScopes, scopes } from '../model/key.ts'
import { createFile } from './pages.ts'
import { samplesOf } from './samples.ts'

/** This number of calls shows what a key with the default scopes can do. */
const callsMax = 10

export const createLlmsPage = (operations: readonly Operation[], publicUrl: string): SiteReply =>
  createFile(() => Buffer.from(llmsText(operations, publicUrl)), 'text/plain; charset=utf-8')

function llmsText(operations: readonly Operation[], publicUrl: string): string {
  const site = siteUrl(publicUrl)
  const calls = operations
    .filter(({ scope, deprecated }) => !deprecated && scope && defaultScopes.includes(scope))
    .slice(0, callsMax)
    .map((operation) => `${operation.summary}: \`${curlLine(operation, publicUrl)}\``)
  const codes = Object.entries(errors).map(([code, [status, message]]) => `${status} \`${code}\`: ${message}`)
  const summary =
    'A catalogue of animals offered in a store: list animals, add them, order them, follow what changes. ' +
    `JSON over HTTP, base URL ${publicUrl}`
  const scopeNames = scopes.map((scope) => (defaultScopes.includes(scope) ? `${scope} (default)` : scope))
  const key =
    'Every call needs an API key: `Authorization: Bearer $PETSTORE_KEY`. ' +
    'The operator makes one with `petstore keys create --name NAME`, and `--scope` for\n' +
    `others than the default scopes. Scopes: ${scopeNames.join(', ')}.`
  const paging =
    'Lists come in pages: the header `Link` has the URL of the next one, with rel="next". ' +
    'A POST with an `Idempotency-Key` can be sent again safely.'
  const links = [
    `[The tools](${site}/mcp) for the Model Context Protocol: POST, with the same key`,
    `[The OpenAPI document](${site}/openapi.json): every operation, parameter and schema`,
    `[The reference](${site}/docs) for people`,
  ]
  return `# Pet Store API

> ${summary}

## Key

${key}

## Calls

${list(calls)}

${paging}

## Errors

Every error is {"code", "message", "status"}; the message says what to correct. \`Retry-After\` has the seconds to wait.

${list(codes)}

## Read on

${list(links)}
`
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

const curlLine = (operation: Operation, baseUrl: string): string | undefined =>
  samplesOf(operation, baseUrl)
    .find(({ label }) => label === 'curl')
    ?.source.replaceAll(/ \\\n\s*/g, ' ')
