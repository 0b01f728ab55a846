/** The pages of operations, of webhook messages, and of errors and headers. */
import type { Chapter } from './book.ts'
import { codeCard, examplesOf } from './code.ts'
import { type Book, type Operation, resolve, type Schema } from './document.ts'
import { type Html, html, joined, type Part } from './html.ts'
import { markdown } from './markdown.ts'
import { anchor, links, methodMark, operationArticle, refusals } from './operation.ts'
import { badges, body, field, limits, members, typeOf } from './schema.ts'
import type { Section } from './sections.ts'

function objects(names: readonly string[], book: Book): Part {
  const one = (name: string): Html => {
    const schema = { $ref: `#/components/schemas/${name}` }
    const { description = '', oneOf = [] } = resolve<Schema>(book, schema)
    const variants = oneOf.map((each) => typeOf(each, book))
    return html`<section class="object words" id="${name}"><h3>${name} ${anchor(name)}</h3>
${markdown(description)}${variants.length > 0 && html`<p>${joined(variants, ' or ')}</p>`}
${limits(schema, book)}${members(schema, book)}</section>`
  }
  return names.length > 0 && html`<h2 class="objects">${names.length > 1 ? 'Objects' : 'Object'}</h2>${names.map(one)}`
}

/** Makes the page of a group. `guides` are links to the guides that explain it. */
export function chapterContent(
  { group, operations, objects: names }: Chapter,
  guides: readonly Html[],
  book: Book,
): Part {
  const line = ({ method, path, node }: Chapter['operations'][number]) =>
    html`<li><a href="#${node.operationId}">${methodMark(method)} <code>${path}</code>
<span class="quiet">${node.summary}</span></a></li>`
  return html`<h1>${group.title}</h1><p class="lead">${group.description}</p>
${guides.length > 0 && html`<p>Guides: ${joined(guides, ', ')}</p>`}
<ul class="overview">${operations.map(line)}</ul>
${operations.map((each) => operationArticle(each, book))}${objects(names, book)}`
}

/** The headers and the responses are the same for every message, so they are shown once. */
export function messagesContent(
  messages: readonly Operation[],
  names: readonly string[],
  guide: Html,
  book: Book,
): Part {
  const [first] = messages
  const headers = (first?.parameters ?? []).map((given) => {
    const node = resolve(book, given)
    const { name, schema, required, example } = node
    return field({ name, schema, node, isRequired: required, example }, book)
  })
  const answers = Object.entries(first?.responses ?? {}).map(
    ([status, { description }]) => html`<li><code class="status">${status}</code><p>${description}</p></li>`,
  )
  const message = ({ operationId: id, summary, description, requestBody, ...node }: Operation): Html => {
    const [[type, media] = []] = Object.entries(requestBody?.content ?? {})
    return html`<article class="operation" id="${id}" aria-labelledby="${id}--title">
<div class="words"><h2 id="${id}--title">${summary} ${badges(node)} ${anchor(id, summary)}</h2>
${markdown(description)}${type && media && body([type], media.schema, book)}</div>
<div class="beside">
${media && codeCard({ id: `${id}-message`, title: 'Body', items: examplesOf(media) })}</div></article>`
  }
  return html`<h1>Webhook messages</h1><p class="lead">What the service sends to your webhooks.</p>
<p>Each message is a POST to your URL, signed: ${guide} shows how to verify it.</p>
<div class="words"><h2>Headers of every message</h2><ul class="fields">${headers}</ul>
<h2>What you answer</h2><ul class="responses">${answers}</ul></div>
${messages.map(message)}${objects(names, book)}`
}

/** The codes are shown in a separate table. */
const withoutCodes = ({ properties = {}, ...schema }: Schema): Schema => {
  const { 'x-extensible-enum': _, ...code } = properties.code ?? {}
  return { ...schema, properties: { ...properties, code } }
}

/** If more operations return an error, their number says more than their names. */
const namesMax = 6

/**
 * Shows the error codes in a table. A note on each code names the operations that return it, and its headers if several
 * operations share it.
 */
export function errorsContent({ title, text }: Section, book: Book): Part {
  const { schemas, responses } = book.document.components
  const returned = [...book.operations.values()].flatMap(({ node }) =>
    Object.values(node.responses).flatMap((each) =>
      refusals(resolve(book, each)).map((code) => ({ code, id: node.operationId })),
    ),
  )
  const noteOn = (code: string): Part => {
    const ids = returned.filter((each) => each.code === code).map(({ id }) => id)
    const shared = Object.values(responses).find((response) => refusals(response).includes(code))
    const headers = shared ? book.unusualHeaders(shared, 'error') : []
    const many = ids.length === book.operations.size ? 'every operation' : `${ids.length} operations`
    return html`<span class="quiet">${ids.length > 0 && html`Returned by ${ids.length > namesMax ? many : links(ids, book)}.`}${
      headers.length > 0 && html` Sent with ${links(headers, book)}.`
    }</span>`
  }
  const example = { code: 'pet_not_found', message: 'No animal has this identifier.', status: 404 }
  const items = [{ name: '404', text: JSON.stringify(example, undefined, 2) }]
  return html`<h1>${title}</h1>
<div class="operation" id="Error"><div class="words"><p>${schemas.Error?.description}</p>
${members(withoutCodes(schemas.Error ?? {}), book)}</div>
<div class="beside">${codeCard({ id: 'error', title: 'Error', items })}</div></div>
<div class="wide codes">${markdown(text, { noteOn })}</div>`
}

/** Shows the tables of headers. Those of responses include their format. */
export function headersContent({ title, text }: Section, book: Book): Part {
  const noteOn = (name: string): Part => {
    const header = book.document.components.headers[name]
    return (
      header &&
      html`<span class="quiet">${header.required && 'Always there. '}${typeOf(header.schema, book)}</span>
${limits(header.schema, book)}`
    )
  }
  const [requests = '', ...others] = text.split(/(?=^\| Response header)/m)
  return html`<h1>${title}</h1>
<div class="wide codes">${markdown(requests)}${markdown(others.join(''), { noteOn })}</div>`
}
