/** One operation: in words, and beside them its samples, an example of its response, and the panel to try it. */
import { useState } from 'preact/hooks'
import { Anchor, html, Marks, Method } from './base.ts'
import { CodeCard, type CodeItem } from './code.ts'
import { type DocumentedOperation, inWords, resolve, scopesOf } from './contract.ts'
import { inline, Link, Markdown } from './markdown.ts'
import type { Parameter, RequestBody } from './openapi.ts'
import { Panel, whyNoPanel } from './panel.ts'
import { bodyTexts, type PlannedRequest, samplesOf, schemaOf } from './request.ts'
import { Responses } from './responses.ts'
import { Body, Field } from './schema.ts'

const places: Readonly<Record<string, string>> = {
  path: 'In the path',
  query: 'In the query',
  header: 'Headers',
  cookie: 'Cookies',
}

function Parameters({ of: { id, parameters } }: { of: DocumentedOperation }) {
  const groups = Map.groupBy(parameters, (each) => each.in)
  const field = (node: Parameter) => html`<${Field}
    key=${node.name}
    id=${`${id}-${node.in}-${node.name}`}
    name=${node.name}
    node=${node}
    schema=${schemaOf(node)}
    isRequired=${node.required}
  />`
  return [...groups].map(
    ([place, list]) => html`<h4>${places[place] ?? place}</h4>
      <ul class="fields">${list.map(field)}</ul>`,
  )
}

function RequestBodyWords({ node: given }: { node: RequestBody }) {
  const { description, required, content = {} } = resolve(given)
  const entries = Object.entries(content)
  const types = entries.map(([type]) => type)
  const [schema = {}, ...others] = new Map(entries.map(([, { schema = {} }]) => [inWords(schema), schema])).values()
  const bodies =
    others.length === 0
      ? html`<${Body} type=${types.join(' or ')} schema=${schema} />`
      : entries.map(([type, { schema = {} }]) => html`<${Body} type=${type} schema=${schema} />`)
  return html`<h4>Body${!required && ', optional'}</h4>
    <${Markdown} text=${description} />
    ${bodies}`
}

/** Members of an operation that are shown in a way of their own; others are shown as they are. */
const known =
  /^(?:operationId|tags|summary|description|parameters|requestBody|responses|security|deprecated|externalDocs)$/
const knownExtension =
  /^x-(?:stability|badges|deprecated-sunset|hideTryItPanel.*|explorer-enabled|fern-explorer|mcp|scope|codeSamples)$/

/** What the description does not say of the key, and what else the document says. */
function Facts({ operation }: { operation: DocumentedOperation }) {
  const { node } = operation
  const { externalDocs: more } = node
  const scopes = scopesOf(operation)
  const unsaid = (scopes ?? []).filter((scope) => !node.description?.includes(`\`${scope}\``))
  const names = unsaid.map((scope) => html`<code>${scope}</code> `)
  const others = Object.entries(node).filter(([name]) => !known.test(name) && !knownExtension.test(name))
  return html`<ul class="facts quiet">
    ${!scopes && html`<li>Needs no key.</li>`}
    ${unsaid.length > 0 && html`<li>Needs a key with the scope ${names}</li>`}
    ${others.map(([name, value]) => html`<li><code>${name}</code> ${inWords(value)}</li>`)}
    ${more && html`<li><${Link} to=${more.url}>${more.description ?? 'More about it'}<//></li>`}
  </ul>`
}

/** The example of each response that has one, success first. */
function examplesOf({ node }: DocumentedOperation): CodeItem[] {
  return Object.entries(node.responses ?? {})
    .filter(([status]) => /^[12]/.test(status))
    .flatMap(([status, response]) =>
      Object.entries(resolve(response).content ?? {}).flatMap(([, media]) =>
        bodyTexts(media).map(({ name, text }, _i, { length }) => ({
          name: length > 1 ? `${status} ${name}` : status,
          text,
        })),
      ),
    )
}

export function Operation({ operation }: { operation: DocumentedOperation }) {
  const { id, title, method, path, node } = operation
  const [isTrying, setTrying] = useState(false)
  const [request, setRequest] = useState<PlannedRequest>()
  const samples = samplesOf(operation, isTrying ? request : undefined)
  const reason = whyNoPanel(operation)
  const examples = examplesOf(operation)
  return html`<article class="part operation" id=${id} aria-labelledby="${id}--title">
    <div class="words">
      <p class="path"><${Method} method=${method} /> <code class=${node.deprecated ? 'ended' : ''}>${path}</code></p>
      <h3 id="${id}--title">${title} <${Anchor} id=${id} title=${title} /></h3>
      <p class="marks"><${Marks} of=${node} all /></p>
      <${Markdown} text=${node.description} />
      <${Facts} operation=${operation} />
    </div>
    <div class="beside">
      ${
        reason
          ? html`<p class="reason quiet">${inline(reason)}</p>`
          : html`<section class="try">
            <button type="button" aria-expanded=${isTrying} onClick=${() => setTrying(!isTrying)}>
              Try it<span class="hidden">: ${title}</span>
            </button>
            ${isTrying && html`<${Panel} operation=${operation} onRequest=${setRequest} />`}
          </section>`
      }
      <${CodeCard} title="Request" isSample items=${samples} />
      ${examples.length > 0 && html`<${CodeCard} title="Response" items=${examples} />`}
    </div>
    <div class="words details">
      <${Parameters} of=${operation} />
      ${node.requestBody && html`<${RequestBodyWords} node=${node.requestBody} />`}
      <${Responses} operation=${operation} />
    </div>
  </article>`
}
