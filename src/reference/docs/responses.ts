/**
 * The responses of an operation: success in full, its own errors with their words, and those of every operation by
 * reference.
 */
import { Anchor, Fold, html } from './base.ts'
import { Code } from './code.ts'
import { type DocumentedOperation, resolve, stringify } from './contract.ts'
import { type DocumentedError, errorsOf, isError, sharedErrors } from './errors.ts'
import { Markdown } from './markdown.ts'
import type { Header, Response } from './openapi.ts'
import { Body, HeaderList } from './schema.ts'

const Headers = ({ headers }: { headers: [name: string, node: Header][] }) =>
  headers.length > 0 && html`<${Fold} title=${`Headers (${headers.length})`}><${HeaderList} headers=${headers} /><//>`

function Success({ status, response }: { status: string; response: Response }) {
  const { description, headers = {}, content = {}, links = {} } = resolve(response)
  return html`<li class="response">
    <div class="status"><code>${status}</code><div><${Markdown} text=${description} /></div></div>
    ${Object.entries(content).map(([type, media]) => html`<${Body} type=${type} schema=${media.schema ?? {}} />`)}
    ${Object.keys(links).length > 0 && html`<p class="limits quiet">Links: ${Object.keys(links).join(', ')}</p>`}
    <${Headers} headers=${Object.entries(headers)} />
  </li>`
}

/** What an error says, and its bodies and headers folded. */
function Failure({ error }: { error: DocumentedError }) {
  const { status, paragraphs, examples, schemas, headers } = error
  const bodies = examples.length > 0 || schemas.length > 0
  const folded = [bodies && 'Body', headers.length > 0 && 'headers'].filter(Boolean).join(' and ')
  const textOf = (value: unknown) => (typeof value === 'string' ? value : stringify(value))
  return html`<li class="response">
    <div class="status"><code>${status}</code><div><${Markdown} text=${paragraphs.join('\n\n')} /></div></div>
    ${
      folded !== '' &&
      html`<${Fold} title=${folded.replace(/^h/, 'H')}>
        ${schemas.map(({ type, schema }) => html`<${Body} type=${type} schema=${schema} isBrief />`)}
        ${examples.map(({ name, value }) => html`<${Code} what=${`Example ${name}`} text=${textOf(value)} />`)}
        <${HeaderList} headers=${headers} />
      <//>`
    }
  </li>`
}

export function Responses({ operation }: { operation: DocumentedOperation }) {
  const responses = Object.entries(operation.node.responses ?? {})
  const successes = responses.filter(([status]) => !isError(status))
  const { own, shared, headers } = errorsOf(operation)
  const links = shared.map(({ status }, i) => html`${i > 0 && ', '}<a href="#common-errors">${status}</a>`)
  return html`
    <h4>Responses</h4>
    <ul class="responses">
      ${successes.map(([status, response]) => html`<${Success} status=${status} response=${response} />`)}
    </ul>
    ${own.length + shared.length > 0 && html`<h4>Errors</h4>`}
    <ul class="responses">${own.map((error) => html`<${Failure} error=${error} />`)}</ul>
    ${shared.length > 0 && html`<p class="limits quiet">Common errors: ${links}.</p>`}
    ${
      headers.length > 0 &&
      html`<p class="limits quiet">Errors of this operation may have these headers as well:</p>
        <${HeaderList} headers=${headers} />`
    }`
}

/** The errors that most operations have, once. */
export const SharedErrors = () =>
  sharedErrors.value.length > 0 &&
  html`<section class="part" id="common-errors">
    <h2>Common errors <${Anchor} id="common-errors" title="common errors" /></h2>
    <div class="words">
      <p>
        Most operations may return these; each operation lists which.
        Errors of one operation are described with it.
      </p>
      <ul class="responses">${sharedErrors.value.map((error) => html`<${Failure} error=${error} />`)}</ul>
    </div>
  </section>`
