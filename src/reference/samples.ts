/** Code samples of an operation, made from the examples in its declaration; the key is read from PETSTORE_KEY. */
import type { Operation } from '../http/operation.ts'
import type { Parameter } from '../http/parameters.ts'

export interface Sample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

interface Request {
  readonly method: string
  readonly url: string
  /** As JSON. */
  readonly body: string | undefined
  readonly isStream: boolean
}

export function samplesOf(operation: Operation, baseUrl: string): Sample[] {
  const request = requestOf(operation, baseUrl)
  const { client } = operation
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'JavaScript', label: 'JavaScript', source: client ? clientCall(operation, baseUrl) : fetchCall(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
    { lang: 'Go', label: 'Go', source: go(request) },
  ]
}

const exampleBody = ({ body }: Operation): unknown => body && Object.values(body.examples)[0]
const sampleQuery = ({ query, sampleQuery = [] }: Operation) =>
  sampleQuery.map((name): [string, Parameter<unknown>] => [name, query[name]])

function requestOf(operation: Operation, baseUrl: string): Request {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(operation.params[name].example))
  const query = sampleQuery(operation).map(([name, { example }]) => `${name}=${encodeURIComponent(String(example))}`)
  return {
    method: operation.method,
    url: `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    body: operation.body && JSON.stringify(exampleBody(operation)),
    isStream: operation.answer.type === 'text/event-stream',
  }
}

function curl({ method, url, body, isStream }: Request): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const isImplied = method === (body === undefined ? 'GET' : 'POST')
  return [
    `curl ${isStream ? '-N ' : ''}${isImplied ? '' : `-X ${method} `}${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_KEY"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function clientCall(operation: Operation, baseUrl: string): string {
  const { params = {}, query, body, answer, client } = operation
  const asked = sampleQuery(operation).map(([name, { example, schema }]) => [name, exact(example, schema)])
  const args = [
    ...Object.values<Parameter<unknown>>(params).map(({ example, schema }) => exact(example, schema)),
    ...(body ? [exact(exampleBody(operation), body.schema)] : []),
    ...(asked.length > 0 ? [Object.fromEntries(asked)] : []),
  ]
  const call = `store.${client}(${args.map((each) => literal(each)).join(', ')})`
  const isMany = answer.type !== undefined || (query?.cursor && answer.schema?.type === 'array')
  const statement = isMany
    ? `for await (const item of ${call}) console.log(item)`
    : answer.schema
      ? `console.log(await ${call})`
      : `await ${call}`
  return `import { PetStore } from 'petstore-client'

const store = new PetStore({ baseUrl: '${baseUrl}', apiKey: process.env.PETSTORE_KEY })
${statement}
`
}

function fetchCall({ method, url, body }: Request): string {
  const type = body === undefined ? '' : ", 'Content-Type': 'application/json'"
  return `const response = await fetch('${url}', {
  method: '${method}',
  headers: { Authorization: \`Bearer \${process.env.PETSTORE_KEY}\`${type} },
${body === undefined ? '' : `  body: JSON.stringify(${literal(JSON.parse(body))}),\n`}})
console.log(response.status, await response.text())
`
}

function python({ method, url, body }: Request): string {
  const type = body === undefined ? '' : ', "Content-Type": "application/json"'
  return `import ${body === undefined ? '' : 'json, '}os, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={"Authorization": "Bearer " + os.environ["PETSTORE_KEY"]${type}},
${body === undefined ? '' : `    data=json.dumps(${literal(JSON.parse(body), true)}).encode(),\n`})
with urllib.request.urlopen(request) as response:
    for line in response:
        print(line.decode(), end="")
`
}

function go({ method, url, body }: Request): string {
  const reader = body === undefined ? 'nil' : `strings.NewReader(${goText(body)})`
  return `package main

import (
	"io"
	"log"
	"net/http"
	"os"
${body === undefined ? '' : '\t"strings"\n'})

func main() {
	request, err := http.NewRequest("${method}", "${url}", ${reader})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))
${body === undefined ? '' : '\trequest.Header.Set("Content-Type", "application/json")\n'}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}
`
}

const goText = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)

/** The value with a bigint for every int64, as the client takes it. */
// biome-ignore lint/suspicious/noExplicitAny: a schema is a tree of nodes of every shape.
function exact(value: any, schema: any): unknown {
  if (schema?.format === 'int64') return BigInt(value)
  if (Array.isArray(value)) return value.map((each) => exact(each, schema?.items))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, exact(each, schema?.properties?.[name])]),
  )
}

/** A value in JavaScript or Python. */
function literal(value: unknown, inPython = false): string {
  const inner = (each: unknown): string => literal(each, inPython)
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string')
    return inPython ? JSON.stringify(value) : `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null)
    return inPython ? ({ true: 'True', false: 'False', null: 'None' }[String(value)] ?? String(value)) : String(value)
  const members = Object.entries(value).map(
    ([name, each]) => `${inPython || !/^\w+$/.test(name) ? JSON.stringify(name) : name}: ${inner(each)}`,
  )
  return inPython ? `{${members.join(', ')}}` : `{ ${members.join(', ')} }`
}
