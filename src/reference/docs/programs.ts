/**
 * Writes a request as a program in each language that needs only its standard library. The program reads the key from
 * PETSTORE_KEY, so that no screenshot contains the key. The service uses this for its samples, and the page for what is
 * entered in a panel.
 */

export interface SampleRequest {
  readonly method: string
  readonly url: string
  /** All headers except the one with the key. */
  readonly headers: readonly [name: string, value: string][]
  readonly body: string | undefined
  /** Whether the response is a stream that continues until the client ends it. */
  readonly isStream?: boolean
}

/**
 * Returns the programs by the name of the language. All of them print the status and the body, even those of an error.
 */
export const programsOf = (request: SampleRequest) => ({
  curl: curl(request),
  JavaScript: javaScript(request),
  Python: python(request),
  Go: go(request),
})

function curl({ method, url, headers, body, isStream }: SampleRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const isImplied = method === (body === undefined ? 'GET' : 'POST')
  return [
    `curl -i ${isStream ? '-N ' : ''}${isImplied ? '' : `-X ${method} `}${quoted(url)}`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    // After -d, an @ at the beginning would be read as the name of a file.
    ...(body === undefined ? [] : [`${body.startsWith('@') ? '--data-raw' : '-d'} ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function javaScript({ method, url, headers, body, isStream }: SampleRequest): string {
  const members = [
    `Authorization: \`Bearer \${process.env.PETSTORE_KEY}\``,
    ...headers.map(([name, value]) => `${/^\w+$/.test(name) ? name : textIn("'", name)}: ${textIn("'", value)}`),
  ]
  return program(
    `const response = await fetch(${textIn("'", url)}, {`,
    `  method: '${method}',`,
    `  headers: { ${members.join(', ')} },`,
    body === undefined ? undefined : `  body: ${textIn("'", body)},`,
    '})',
    isStream
      ? 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(text)'
      : 'console.log(response.status, await response.text())',
  )
}

function python({ method, url, headers, body }: SampleRequest): string {
  const members = [
    '"Authorization": "Bearer " + os.environ["PETSTORE_KEY"]',
    ...headers.map(([name, value]) => `"${name}": ${textIn('"', value)}`),
  ]
  return program(
    'import os, urllib.error, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${textIn('"', url)},`,
    `    method="${method}",`,
    `    headers={${members.join(', ')}},`,
    body === undefined ? undefined : `    data=${textIn("'", body)}.encode(),`,
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, end=" ")',
    'for line in response:',
    '    print(line.decode(), end="")',
  )
}

function go({ method, url, headers, body }: SampleRequest): string {
  const reader = body === undefined ? 'nil' : `strings.NewReader(${textIn('`', body)})`
  const sets = [
    '"Authorization", "Bearer "+os.Getenv("PETSTORE_KEY")',
    ...headers.map(([name, value]) => `"${name}", ${textIn('"', value)}`),
  ]
  return program(
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"net/http"',
    '\t"os"',
    body === undefined ? undefined : '\t"strings"',
    ')',
    '',
    'func main() {',
    `\trequest, _ := http.NewRequest("${method}", ${textIn('"', url)}, ${reader})`,
    ...sets.map((set) => `\trequest.Header.Set(${set})`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tfmt.Print(response.StatusCode, " ")',
    '\tio.Copy(os.Stdout, response.Body)',
    '}',
  )
}

/** Joins lines into a program, and leaves out lines that are undefined. */
const program = (...lines: readonly (string | undefined)[]): string =>
  `${lines.filter((line) => line !== undefined).join('\n')}\n`

/**
 * Writes a text in the given quotes, or escaped in double quotes if it contains these quotes, a backslash or a new
 * line.
 */
export const textIn = (quote: string, text: string): string =>
  text.includes(quote) || /[\\\n]/.test(text) ? JSON.stringify(text) : quote + text + quote
