/** The introduction of the OpenAPI document: errors, headers and limits that apply to every operation. */
import { type ErrorCode, errors } from '../errors.ts'
import { headers } from '../http/response-headers.ts'
import { limits } from '../limits.ts'
import { inMarkdown, requestHeaders } from './openapi-operation.ts'

const allRequestHeaders = {
  Authorization: { description: '`Bearer` and the API key. Required on every request.' },
  'Content-Type': {
    description:
      '`application/json`; for `PATCH` also `application/merge-patch+json`. It can be followed by `charset=utf-8`. ' +
      'Required on every request with a body.',
  },
  ...requestHeaders,
  'X-Request-Id': {
    description:
      'An identifier that you choose for the request. It is returned in the response and written to the log.',
  },
}

const answer = ({ code }: { readonly code: ErrorCode }): string => `${errors[code][0]} \`${code}\``

const limitRows = [
  ['Body', limits.bodySize.text, answer(limits.bodySize)],
  ['Request target', limits.targetSize.text, answer(limits.targetSize)],
  ['All headers together', limits.headerSize.text, answer(limits.headerSize)],
  ['Time for a request to arrive', limits.requestTime.text, answer(limits.requestTime)],
  ['Page (`limit`)', `${limits.pageSize.text}; ${limits.pageSize.fallback} by default`, answer(limits.pageSize)],
  ['Identifiers in one `id` filter', limits.idsInFilter.text, answer(limits.idsInFilter)],
  ['Name', `${limits.nameLength.text} characters`, answer(limits.nameLength)],
  [
    '`Idempotency-Key`',
    `${limits.idempotencyKeyLength.text} characters, kept for ${limits.idempotencyTime.text}`,
    answer(limits.idempotencyKeyLength),
  ],
  ['Invalid API keys', limits.failedAuthentications.text, answer(limits.failedAuthentications)],
  ['`X-Request-Id`', `${limits.requestIdLength.text} characters`, 'replaced by a new identifier'],
  ['Integers', 'int64: −2⁶³ to 2⁶³−1, exact', answer({ code: 'invalid_field' })],
  ['Identifiers that the service assigns', 'below 2⁵³', 'never exceeded'],
]

const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const authentication =
  'Every operation requires an API key, which is sent as a bearer token: `Authorization: Bearer <API_KEY>`. The ' +
  'code samples read the key from the environment variable `PETSTORE_KEY`. Request and response bodies are JSON ' +
  'in UTF-8.'
const errorMembers =
  'Every error has the same three members. Your code should use `code`; `message` is for people, and `status` is ' +
  'the HTTP status of the response. Further codes may be added: if you do not know a code, use the `status`.'
const rateLimits =
  'An API key can have a rate limit. Then every response contains two headers. `RateLimit-Policy` says that `q` ' +
  'requests are allowed in `w` seconds. `RateLimit` says that `r` requests can be made now, and that more become ' +
  'available after `t` seconds. The whole quota can be used in one burst, and it is refilled evenly. A request ' +
  `beyond the quota gets ${answer(limits.rate)} and is not counted. It succeeds if it is repeated after the ` +
  'seconds in `Retry-After`.'

export const introduction = `${authentication}

Operations and parameters that are marked \`beta\` or \`experimental\` may still change. All others are stable.

## Errors

${errorMembers}

${table(
  ['Status', 'Code', 'Meaning'],
  Object.entries(errors).map(([code, [status, meaning]]) => [status, `\`${code}\``, inMarkdown(meaning)]),
)}

## Headers

${table(
  ['Request header', 'Meaning'],
  Object.entries(allRequestHeaders).map(([name, { description }]) => [`\`${name}\``, description]),
)}

${table(
  ['Response header', 'Meaning'],
  Object.entries(headers).map(([name, [meaning]]) => [`\`${name}\``, meaning]),
)}

## Limits

${table(['What', 'Limit', 'If exceeded'], limitRows)}

${rateLimits}

\`JSON.parse\` in JavaScript rounds integers beyond 2⁵³. To read larger integers exactly, take them from the JSON text.`
