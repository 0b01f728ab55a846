/**
 * The panel to try an operation, filled with the request of its samples. The script puts it on the page and sends the
 * request.
 */
import { withPlaceholder } from '../samples.ts'
import { examplesOf } from './code.ts'
import { type Book, type Described, type Media, type Parameter, resolve } from './document.ts'
import { type Html, html, type Part } from './html.ts'

/** Returns the value of each parameter of the path and the query in the sample. */
function sampleValues({ path, sample }: Described): ReadonlyMap<string, string> {
  const { pathname, searchParams } = new URL(sample.url)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const [, ...values] = new RegExp(`${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname) ?? []
  return new Map([...names.map((name, i): [string, string] => [name, values[i] ?? '']), ...searchParams])
}

const required = html`<span class="quiet">required</span>`

function input(id: string, parameter: Parameter, value: string, book: Book): Html {
  const { name, in: parameterIn } = parameter
  const { enum: values, type } = resolve(book, parameter.schema)
  const isList = type === 'array'
  const shared = html`id="${id}" name="${parameterIn} ${name}"${parameter.required && html` required`}`
  const option = (each: unknown) => html`<option${each === value && html` selected`}>${String(each)}</option>`
  return html`<div class="input"><label for="${id}"><code>${name}</code> ${parameter.required && required}</label>
${isList && html`<span class="quiet">separated by commas</span>`}${
  values
    ? html`<select ${shared}><option value="">Not set</option>${values.map(option)}</select>`
    : html`<input ${shared} value="${value}" autocomplete="off" autocapitalize="off" spellcheck="false"${
        type === 'integer' && html` inputmode="numeric"`
      }${isList && html` data-list`}>`
}</div>`
}

function bodyInput(id: string, content: Readonly<Record<string, Media>>): Part {
  const types = Object.keys(content)
  const items = Object.values(content)
    .slice(0, 1)
    .flatMap((media) => examplesOf(media, withPlaceholder))
  const rows = Math.max(...items.map(({ text }) => text.split('\n').length)) + 1
  const options = items.map(({ name, text }) => html`<option value="${text}">${name}</option>`)
  return html`<div class="input"><label for="${id}">Body ${required}</label>
${
  types.length > 1
    ? html`<select name="type" aria-label="Media type">${types.map((type) => html`<option>${type}</option>`)}</select>`
    : html`<input type="hidden" name="type" value="${types[0]}">`
}${items.length > 1 && html`<select class="examples" aria-label="Example">${options}</select>`}
<textarea id="${id}" name="body" rows="${rows}" spellcheck="false" required>${items[0]?.text}</textarea></div>`
}

export function panel(operation: Described, book: Book): Html {
  const { method, path, node } = operation
  const values = sampleValues(operation)
  const inputs = (list: readonly Parameter[]) =>
    list.map((each) => input(`${node.operationId}-try-${each.name}`, each, values.get(each.name) ?? '', book))
  // The parameters of the samples come first, in their order.
  const places = [...values.keys()]
  const placeOf = ({ name }: Parameter) => (values.has(name) ? places.indexOf(name) : places.length)
  const headers = node.parameters.filter((each) => each.in === 'header')
  const others = node.parameters.filter((each) => each.in !== 'header')
  const isSafe = method === 'GET'
  return html`<template><form class="panel" novalidate data-method="${method}" data-path="${path}">
<p class="quiet">The request goes to this service. ${
    isSafe ? 'It changes nothing.' : 'It changes what is stored there; you are asked before it is sent.'
  }</p>
${inputs(others.toSorted((a, b) => placeOf(a) - placeOf(b)))}${
  headers.length > 0 && html`<details><summary>Optional headers</summary>${inputs(headers)}</details>`
}${node.requestBody && bodyInput(`${node.operationId}-try-body`, node.requestBody.content)}
<p><button class="primary">Execute</button></p><div class="answer" hidden></div></form></template>`
}
