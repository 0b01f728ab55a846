/**
 * Code samples of an operation, made from the examples in its declaration; the key is read from PETSTORE_KEY. Each needs nothing
 * but its language, except for the one with our client, which says how to install it. All print the body of an error, too.
 */

import type { Parameter } from '../http/input.ts'
import type { Operation } from '../http/operation.ts'

/** The body as JSON. */
type Request = { readonly method: string; readonly url: string; readonly body: string | undefined }

/** The methods of our own client: each takes the path parameters, then the body or the query. */
const clientMethods: Record<string, string> = {
  ...{ listPets: 'pets.list', createPet: 'pets.create', getPet: 'pets.get', updatePet: 'pets.update' },
  ...{ deletePet: 'pets.delete', listOrders: 'orders.list', placeOrder: 'orders.place', getOrder: 'orders.get' },
  ...{ completeOrder: 'orders.complete', cancelOrder: 'orders.cancel', returnOrder: 'orders.return' },
  ...{ listCategories: 'categories.list', putCategory: 'categories.put', deleteCategory: 'categories.delete' },
  ...{ getInventory: 'inventory', getSales: 'sales', getMe: 'me' },
  ...{ listEvents: 'events.list', streamEvents: 'events.follow', listWebhooks: 'webhooks.list' },
  ...{ createWebhook: 'webhooks.create', getWebhook: 'webhooks.get', updateWebhook: 'webhooks.update' },
  ...{ deleteWebhook: 'webhooks.delete', rotateWebhook: 'webhooks.rotate', testWebhook: 'webhooks.test' },
  ...{ listDeliveries: 'webhooks.deliveries', redeliver: 'webhooks.redeliver' },
}

/** The language of a sample where its label is another word. */
const languages: Readonly<Record<string, string>> = { curl: 'Shell', Client: 'JavaScript' }

/** The samples, in the form of the extension `x-codeSamples`. */
export function samplesOf(operation: Operation, baseUrl: string) {
  const request = requestOf(operation, baseUrl)
  const isStream = operation.answer.type !== undefined
  const sources = {
    curl: curl(request, isStream),
    JavaScript: fetchCall(request, isStream),
    Client: clientCall(operation, baseUrl),
    Python: python(request),
    Go: go(request),
  }
  return Object.entries(sources).map(([label, source]) => ({ lang: languages[label] ?? label, label, source }))
}

const exampleBody = ({ body }: Operation): unknown => body && Object.values(body.examples)[0]
const queryOf = ({ query, sampleQuery = [] }: Operation) =>
  sampleQuery.map((name): [string, Parameter<unknown>] => [name, query[name]])

function requestOf(operation: Operation, baseUrl: string): Request {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(operation.params[name].example))
  const query = queryOf(operation).map(([name, { example }]) => `${name}=${encodeURIComponent(String(example))}`)
  const url = `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return { method: operation.method, url, body: operation.body && JSON.stringify(exampleBody(operation)) }
}

function curl({ method, url, body }: Request, isStream: boolean): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const isImplied = method === (body === undefined ? 'GET' : 'POST')
  return [
    `curl ${isStream ? '-N ' : ''}${isImplied ? '' : `-X ${method} `}${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_KEY"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function clientCall(operation: Operation, baseUrl: string): string {
  const { params = {}, query, body, answer } = operation
  const asked = queryOf(operation).map(([name, { example, schema }]) => `${name}: ${literal(example, schema)}`)
  const args = [
    ...Object.values<Parameter<unknown>>(params).map(({ example, schema }) => literal(example, schema)),
    ...(body ? [literal(exampleBody(operation), body.schema)] : []),
    ...(asked.length > 0 ? [`{ ${asked.join(', ')} }`] : []),
  ]
  const call = `store.${clientMethods[operation.id]}(${args.join(', ')})`
  const isMany = answer.type !== undefined || (query?.cursor && answer.schema?.type === 'array')
  const one = answer.schema ? `console.log(await ${call})` : `await ${call}`
  return `// npm install ${baseUrl.replace(/v1$/, 'client.tgz')}
import { PetStore } from 'petstore-client'

const store = new PetStore({ baseUrl: '${baseUrl}', apiKey: process.env.PETSTORE_KEY })
${isMany ? `for await (const item of ${call}) console.log(item)` : one}
`
}

function fetchCall({ method, url, body }: Request, isStream: boolean): string {
  const type = body === undefined ? '' : ", 'Content-Type': 'application/json'"
  return `const response = await fetch('${url}', {
  method: '${method}',
  headers: { Authorization: \`Bearer \${process.env.PETSTORE_KEY}\`${type} },
${body === undefined ? '' : `  body: JSON.stringify(${literal(JSON.parse(body))}),\n`}})
${
  isStream
    ? 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(text)'
    : 'console.log(response.status, await response.text())'
}
`
}

function python({ method, url, body }: Request): string {
  const type = body === undefined ? '' : ', "Content-Type": "application/json"'
  return `import os, urllib.error, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={"Authorization": "Bearer " + os.environ["PETSTORE_KEY"]${type}},
${body === undefined ? '' : `    data=${textIn("'", body)}.encode(),\n`})
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
for line in response:
    print(line.decode(), end="")
`
}

function go({ method, url, body }: Request): string {
  const reader = body === undefined ? 'nil' : `strings.NewReader(${textIn('`', body)})`
  return `package main

import (
	"io"
	"net/http"
	"os"
${body === undefined ? '' : '\t"strings"\n'})

func main() {
	request, _ := http.NewRequest("${method}", "${url}", ${reader})
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))
${body === undefined ? '' : '\trequest.Header.Set("Content-Type", "application/json")\n'}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}
`
}

/** A text between the given quotes; escaped between double quotes if it contains the given ones or a backslash. */
const textIn = (quote: string, text: string): string =>
  text.includes(quote) || text.includes('\\') ? JSON.stringify(text) : quote + text + quote

/** A value in JavaScript, with a bigint for every int64 of its schema, as the client takes it. */
// biome-ignore lint/suspicious/noExplicitAny: a schema is a tree of nodes of every shape.
function literal(value: unknown, schema?: any): string {
  if (typeof value === 'string') return textIn("'", value)
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, schema?.items)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return `${value}${schema?.format === 'int64' ? 'n' : ''}`
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literal(each, schema?.properties[name])}`)
  return `{ ${members.join(', ')} }`
}
