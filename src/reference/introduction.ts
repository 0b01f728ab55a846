/** What holds for every operation, as the text that opens the OpenAPI document: errors, headers and limits. */
import { errors } from '../errors.ts'
import { headers } from '../http/headers.ts'

const requestHeaders = {
  Authorization: '`Bearer` and the API key; on every request.',
  'Content-Type': '`application/json`, with or without `charset=utf-8`; on every request with a body.',
  'Idempotency-Key': 'Makes a POST safe to repeat for 24 hours: 1 to 255 visible ASCII characters.',
  'If-None-Match': 'An `ETag`; a GET answers 304 while it still holds.',
  'If-Match': 'An `ETag`; a change to anything but this version answers 412.',
  'X-Request-Id': 'Your own name for the request, echoed in the answer and written to the log.',
}

const limits: readonly (readonly [what: string, limit: string, beyond: string])[] = [
  ['Body', '64 KiB', '413 `content_too_large`'],
  ['Request target', '8 KiB', '414 `uri_too_long`'],
  ['Headers, together', '16 KiB', '431 `headers_too_large`'],
  ['Time for a request to arrive', '15 s', '408 `request_timeout`'],
  ['Page (`limit`)', '1 to 100; 20 when left out', '400 `invalid_parameter`'],
  ['Identifiers in one `id` filter', '1 to 100', '400 `invalid_parameter`'],
  ['Name', '1 to 1024 characters', '400 `invalid_field`'],
  ['`Idempotency-Key`', '1 to 255 characters, kept for 24 hours', '400 `invalid_idempotency_key`'],
  ['`X-Request-Id`', '1 to 128 characters', 'a new one is made'],
  ['Integers', 'int64: −2⁶³ to 2⁶³−1, exact', '400 `invalid_field`'],
  ['Identifiers the service assigns', 'below 2⁵³', 'never'],
]

const row = (...cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n')

export const introduction = `Every operation needs an API key as a bearer token: \`Authorization: Bearer API_KEY\`. Bodies are JSON in UTF-8.

Operations and parameters marked \`beta\` or \`experimental\` (\`x-stability\`) may still change; those without a mark are stable.

## Errors

Every error has the same three members: \`code\` to switch on, \`message\` to read, \`status\` as in the status line. The list of codes is closed.

${table(
  ['Status', 'Code', 'Meaning'],
  Object.entries(errors).map(([code, [status, meaning]]) => row(status, `\`${code}\``, meaning)),
)}

## Headers

${table(
  ['Request header', 'Meaning'],
  Object.entries(requestHeaders).map(([name, meaning]) => row(`\`${name}\``, meaning)),
)}

${table(
  ['Response header', 'Meaning'],
  Object.entries(headers).map(([name, [meaning]]) => row(`\`${name}\``, meaning)),
)}

## Limits

${table(
  ['What', 'Limit', 'Beyond it'],
  limits.map((limit) => row(...limit)),
)}

The service counts no requests: there is no rate limit.

JavaScript rounds integers beyond 2⁵³ unless told otherwise; read larger ones from the JSON text.`
