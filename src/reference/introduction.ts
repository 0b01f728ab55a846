/** The introduction of the OpenAPI document: errors, headers and limits that apply to every operation. */
import { type ErrorCode, errors } from '../errors.ts'
import { headers } from '../http/response-headers.ts'
import { limits } from '../limits.ts'

const requestHeaders = {
  Authorization: '`Bearer` and the API key; required on every request.',
  'Content-Type':
    '`application/json`, on `PATCH` also `application/merge-patch+json`, with or ' +
    'without `charset=utf-8`; required on every request with a body.',
  'Idempotency-Key':
    `Makes a POST safe to repeat for ${limits.idempotencyTime.text}: ` +
    `${limits.idempotencyKeyLength.text} visible ASCII characters.`,
  'If-None-Match': 'An `ETag`; a GET returns 304 while it is current.',
  'If-Match':
    'One or more `ETag`s separated by commas, or `*` for any version; if none is ' +
    'current, the response is 412. A weak tag (`W/…`) never matches.',
  'Last-Event-ID': 'The last `id` from a stream of events, to go on after it.',
  'X-Request-Id': 'Your own id for the request, returned in the response and written to the log.',
}

/** A placeholder such as <API_KEY> would be taken for HTML. */
export const inMarkdown = (text: string): string => text.replace(/[\w-]+: \w+ <\w+>/g, '`$&`')

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
  ['`X-Request-Id`', `${limits.requestIdLength.text} characters`, 'replaced by a new one'],
  ['Integers', 'int64: −2⁶³ to 2⁶³−1, exact', answer({ code: 'invalid_field' })],
  ['Identifiers the service assigns', 'below 2⁵³', 'never'],
]

const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const authentication =
  'Every operation needs an API key as a bearer token: `Authorization: Bearer <API_KEY>`. ' +
  'The code samples read it from the environment\nvariable `PETSTORE_KEY`. Bodies are JSON in UTF-8.'
const errorMembers =
  'Every error has the same three members: `code` to switch on, `message` to read, `status` as in the status line. ' +
  'Codes may be added; treat one that you do not know by its `status`.'
const rateLimits =
  'An API key may have a rate limit. Then every response has `RateLimit-Policy`, the requests `q` in `w` seconds, ' +
  'and `RateLimit`: `r` requests\nmay be made at once, and after `t` seconds it is more. ' +
  'The whole quota may be used at once; it comes back evenly. A request beyond it gets\n' +
  `${answer(limits.rate)}, is not counted, and succeeds after the seconds in \`Retry-After\`.`

export const introduction = `${authentication}

Operations and parameters marked \`beta\` or \`experimental\` may still change; all others are stable.

## Errors

${errorMembers}

${table(
  ['Status', 'Code', 'Meaning'],
  Object.entries(errors).map(([code, [status, meaning]]) => [status, `\`${code}\``, inMarkdown(meaning)]),
)}

## Headers

${table(
  ['Request header', 'Meaning'],
  Object.entries(requestHeaders).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

${table(
  ['Response header', 'Meaning'],
  Object.entries(headers).map(([name, [meaning]]) => [`\`${name}\``, meaning]),
)}

## Limits

${table(['What', 'Limit', 'If exceeded'], limitRows)}

${rateLimits}

\`JSON.parse\` in JavaScript rounds integers beyond 2⁵³; read larger ones from the JSON text.`
