/**
 * Shows one operation: its description, and beside it its samples, an example of its response, and the panel to try it.
 */
import { placeholder, withPlaceholder } from '../samples.ts'
import { isError } from './book.ts'
import { codeCard, examplesOf } from './code.ts'
import type { Book, Described, Operation, Parameter, Response } from './document.ts'
import { type Html, html, joined, type Part } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { panel } from './panel.ts'
import { badges, body, field } from './schema.ts'

export const anchor = (id: string, title = id): Html =>
  html`<a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a>`

export const methodMark = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

const places = { path: 'In the path', query: 'In the query', header: 'Headers' }

const parameters = ({ operationId, parameters }: Operation, book: Book): Part =>
  [...Map.groupBy(parameters, (each) => each.in)].map(([place, list]) => {
    const one = (node: Parameter) => {
      const { name, schema, required } = node
      return field({ id: `${operationId}-${place}-${name}`, name, node, schema, isRequired: required }, book)
    }
    return html`<h3>${places[place]}</h3><ul class="fields">${list.map(one)}</ul>`
  })

function requestBody({ requestBody }: Operation, book: Book): Part {
  if (!requestBody) return
  const { required, content } = requestBody
  const [media] = Object.values(content)
  return media && html`<h3>Body${!required && ', optional'}</h3>${body(Object.keys(content), media.schema, book)}`
}

/** Makes links to operations, headers or errors by their names. */
export const links = (names: readonly string[], book: Book): Part =>
  joined(
    names.map((name) => html`<a href="${book.hrefOf(name)}"><code>${name}</code></a>`),
    ', ',
  )

function success(status: string, response: Response, book: Book): Html {
  const headers = book.unusualHeaders(response, 'success')
  const next = Object.keys(response.links ?? {}).map(
    (id) => html`<a href="${book.hrefOf(id)}">${book.operations.get(id)?.node.summary}</a>`,
  )
  return html`<li><code class="status">${status}</code><div>${markdown(response.description)}
${Object.entries(response.content ?? {}).map(([type, { schema }]) => body([type], schema, book))}
${headers.length > 0 && html`<p class="limits">Headers: ${links(headers, book)}, and those of every response.</p>`}
${next.length > 0 && html`<p class="limits">Operations that take its <code>id</code>: ${joined(next, ', ')}</p>`}</div></li>`
}

/** Returns the codes of an error. */
export const refusals = ({ content = {} }: Response): string[] =>
  Object.values(content)
    .flatMap((media) => examplesOf(media))
    .flatMap(({ text }) => /^ {2}"code": "(\w+)"/m.exec(text)?.[1] ?? [])

/** Shows an error that only this operation has: its codes, and its description unless it is about the input. */
function failure(status: string, response: Response, book: Book): Html {
  const words = response.description.split('\n\n').map((each) => html`<p>${inline(each.replace(/^`\w+`: /, ''))}</p>`)
  const headers = book.unusualHeaders(response, 'error')
  return html`<li><code class="status">${status}</code><div><p>${links(refusals(response), book)}</p>
${status !== '400' && words}
${headers.length > 0 && html`<p class="limits">Headers: ${links(headers, book)}</p>`}</div></li>`
}

function responses({ responses }: Operation, book: Book): Part {
  const all = Object.entries(responses)
  const errors = all.filter(([status]) => isError(status))
  const shared = errors.filter(([, { $ref }]) => $ref).map(([status]) => status)
  return html`<h3>Responses</h3><ul class="responses">
${all.filter(([status]) => !isError(status)).map(([status, response]) => success(status, response, book))}</ul>
<h3>Errors</h3><ul class="responses">
${errors.filter(([, { $ref }]) => !$ref).map(([status, response]) => failure(status, response, book))}</ul>
<p class="limits">Also <a href="${book.hrefOf('Error')}">errors that most operations share</a>: ${shared.join(', ')}.</p>`
}

/** Says what to write instead of the ids that the samples name. */
function hint({ method, path, sample }: Described): Part {
  if (sample.url.includes(placeholder) || sample.body?.includes(placeholder))
    return html`<p class="quiet">${placeholder} is a placeholder that no store has assigned: replace it with an id from your store.</p>`
  const ids = (path.includes('{') && sample.url.match(/\d+(?=\/|$)/g)) || []
  return (
    ids.length > 0 &&
    method === 'GET' &&
    html`<p class="quiet">${ids.at(-1)} is an example: replace it with an id from your store.</p>`
  )
}

function beside(operation: Described, book: Book): Html {
  const { node } = operation
  const { operationId: id, requestBody } = node
  const samples = (node['x-codeSamples'] ?? []).map(({ label, source }) => ({ name: label, text: source.trimEnd() }))
  const [sent] = Object.values(requestBody?.content ?? {})
  const bodies = sent ? examplesOf(sent, withPlaceholder) : []
  const received = Object.entries(node.responses).flatMap(([status, { content = {} }]) =>
    isError(status)
      ? []
      : Object.values(content).flatMap((media) => {
          const items = examplesOf(media)
          return items.map(({ name, text }) => ({ name: items.length > 1 ? `${status} ${name}` : status, text }))
        }),
  )
  const reason = node['x-hideTryItPanelReason']
  return html`<div class="beside">${
    node['x-hideTryItPanel']
      ? html`<p class="reason">${reason && inline(reason)}</p>`
      : html`<div class="try">
<button type="button" aria-expanded="false">Try it<span class="hidden">: ${node.summary}</span>
</button>${panel(operation, book)}</div>`
  }
${codeCard({ id: `${id}-request`, title: 'Request', items: samples, isSample: true })}${hint(operation)}
${bodies.length > 1 && codeCard({ id: `${id}-body`, title: 'Request bodies', items: bodies })}
${received.length > 0 && codeCard({ id: `${id}-response`, title: 'Response', items: received })}</div>`
}

export function operationArticle(operation: Described, book: Book): Html {
  const { method, path, node } = operation
  const { operationId: id, summary } = node
  const ended = node.deprecated && html` class="ended"`
  return html`<article class="operation" id="${id}" aria-labelledby="${id}--title"><div class="words">
<h2 id="${id}--title"><span${ended}>${summary}</span>${badges(node, true)} ${anchor(id, summary)}</h2>
<p class="path">${methodMark(method)} <code${ended}>${path}</code></p>
${markdown(node.description)}</div>
${beside(operation, book)}
<div class="words">${parameters(node, book)}${requestBody(node, book)}${responses(node, book)}</div></article>`
}
