// @ts-nocheck
/** The panel that tries an operation: its inputs, the request, and the response as it came. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { announce, Fold, html } from './base.ts'
import { Code, CodeCard } from './code.ts'
import { resolve, scopesOf } from './contract.ts'
import { key, keyHeader, refuse, refused } from './key.ts'
import { bodyTexts, curlOf, inputId, parameterText, pretty, requestOf, schemaOf } from './request.ts'

const timeoutMilliseconds = 30_000

/** Why an operation has no panel; undefined when it has one. */
export function whyNoPanel({ node, isWebhook }) {
  if (isWebhook) return 'The service sends this request: it cannot be tried from here.'
  const reason = node['x-hideTryItPanelReason'] ?? 'The document disables the panel of this operation.'
  return node['x-hideTryItPanel'] && reason
}

function Input({ parameter, isMissing, onInput }) {
  const id = useId()
  const schema = resolve(schemaOf(parameter))
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined)
  const example = parameterText(parameter)
  const invalid = { 'aria-invalid': isMissing, 'aria-describedby': isMissing ? `${id}-problem` : undefined }
  const shared = { id, name: inputId(parameter), required: parameter.required, onInput, ...invalid }
  return html`<div class="input">
    <label for=${id}><code>${parameter.name}</code> <span class="quiet">${parameter.required ? 'required' : ''}</span></label>
    ${
      values
        ? html`<select ...${shared}><option value="">${parameter.required ? 'Choose' : 'Not set'}</option>${values.map((value) => html`<option selected=${parameter.required && String(value) === example}>${String(value)}</option>`)}</select>`
        : html`<input ...${shared} autocomplete="off" autocapitalize="off" spellcheck=${false} inputmode=${schema.type === 'integer' ? 'numeric' : undefined} defaultValue=${parameter.required ? example : ''} placeholder=${example && `for example ${example}`} />`
    }
    ${isMissing && html`<p class="problem" id="${id}-problem">Enter a value for ${parameter.name}.</p>`}
  </div>`
}

function BodyInput({ body, isMissing, onInput }) {
  const id = useId()
  const media = Object.entries(body.content ?? {})
  const [type, setType] = useState(media[0][0])
  const texts = bodyTexts(body.content[type])
  const [at, setAt] = useState(0)
  const { text } = texts[at] ?? texts[0]
  const rows = Math.min(14, text.split('\n').length + 1)
  return html`<div class="input">
    <label for=${id}>Body <span class="quiet">${body.required ? 'required' : ''}</span></label>
    ${media.length > 1 && html`<select name="type" aria-label="Media type" onInput=${({ target }) => setType(target.value)}>${media.map(([each]) => html`<option>${each}</option>`)}</select>`}
    ${media.length === 1 && html`<input type="hidden" name="type" value=${type} />`}
    ${texts.length > 1 && html`<select aria-label="Example" onInput=${({ target }) => setAt(Number(target.value))}>${texts.map(({ name }, i) => html`<option value=${i} selected=${i === at}>${name}</option>`)}</select>`}
    <textarea key=${`${type} ${at}`} id=${id} name="body" rows=${rows} spellcheck=${false} autocomplete="off" required=${body.required} aria-invalid=${isMissing} aria-describedby=${isMissing ? `${id}-problem` : undefined} onInput=${onInput} defaultValue=${text}></textarea>
    ${isMissing && html`<p class="problem" id="${id}-problem">Enter a body.</p>`}
  </div>`
}

/** Sends a request; what keeps it from being answered is an outcome as well. */
async function send(request, signal) {
  const start = performance.now()
  try {
    const response = await fetch(request)
    const text = await response.text()
    return { response, text, milliseconds: Math.round(performance.now() - start) }
  } catch {
    return { problem: signal.aborted ? 'No response within 30 seconds.' : 'The service cannot be reached.' }
  }
}

/** Or why there is none, such as a character that no header can have. */
async function outcomeOf({ method, url, headers, body }) {
  const signal = AbortSignal.timeout(timeoutMilliseconds)
  try {
    return await send(new Request(url, { method, headers: [...headers, ...keyHeader()], body, signal }), signal)
  } catch ({ message }) {
    return { problem: `A browser cannot send this: ${message}` }
  }
}

const sizeOf = (text) => `${new Blob([text]).size.toLocaleString('en')} bytes`

function Answer({ operation, answer: { request, response, text, milliseconds, problem } }) {
  const element = useRef()
  useEffect(() => element.current.scrollIntoView({ block: 'nearest' }), [response, problem])
  const title = problem ?? `${response.status} ${response.statusText}`
  return html`<div class="answer" ref=${element}>
    <p class="outcome"><strong class=${response?.ok ? 'good' : 'bad'}>${title}</strong>${response && html` <span class="quiet">${milliseconds} ms · ${sizeOf(text)}</span>`}</p>
    ${response && (text ? html`<${CodeCard} title="Body" items=${[{ name: response.headers.get('Content-Type')?.split(';')[0] ?? 'text', text: pretty(text) }]} />` : html`<p class="quiet">The response has no body.</p>`)}
    ${response && html`<${Fold} title=${`Response headers (${[...response.headers].length})`}><${Code} what="Response headers" text=${[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')} /><//>`}
    <${CodeCard} title="Request" items=${[{ name: 'curl', text: curlOf(operation, request) }]} />
  </div>`
}

export function Panel({ operation }) {
  const [missing, setMissing] = useState([])
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState(null)
  const body = operation.node.requestBody && resolve(operation.node.requestBody)
  const inputs = operation.parameters.filter((each) => each.in !== 'cookie')
  const isNeeded = (each) => each.required || each.in !== 'header'
  const execute = async (event) => {
    event.preventDefault()
    if (isBusy) return
    const form = event.target
    const entered = Object.fromEntries(new FormData(form))
    const empty = [...form.elements].filter((each) => each.required && each.value.trim() === '').map(({ name }) => name)
    const hasNoKey = key.value === '' && scopesOf(operation)
    if (hasNoKey) refuse('Enter a key first.')
    setMissing(hasNoKey ? [...empty, 'key'] : empty)
    if (empty.length > 0) form.elements[empty[0]].focus()
    const names = [...empty.map((name) => name.replace(/^\w+ /, '')), ...(hasNoKey ? ['API key'] : [])]
    if (names.length > 0) return announce(`Required and empty: ${names.join(', ')}`)
    const request = requestOf(operation, entered, entered.body ? { type: entered.type, text: entered.body } : undefined)
    setBusy(true)
    const result = await outcomeOf(request)
    setBusy(false)
    setAnswer({ request, ...result })
    if (result.response?.status === 401) refused(result.text)
    const { problem, response, milliseconds } = result
    announce(problem ?? `Response ${response.status} ${response.statusText} after ${milliseconds} ms`)
  }
  const input = (parameter) => {
    const name = inputId(parameter)
    return html`<${Input} key=${name} parameter=${parameter} isMissing=${missing.includes(name)} onInput=${() => setMissing(missing.filter((each) => each !== name))} />`
  }
  const optional = inputs.filter((each) => !isNeeded(each))
  return html`<form class="panel" noValidate onSubmit=${execute}>
    ${inputs.filter(isNeeded).map(input)}
    ${optional.length > 0 && html`<${Fold} title="Optional headers">${optional.map(input)}<//>`}
    ${body && html`<${BodyInput} body=${body} isMissing=${missing.includes('body')} onInput=${() => setMissing(missing.filter((each) => each !== 'body'))} />`}
    ${missing.includes('key') && key.value === '' && html`<p class="problem">It needs an API key: <a href="#key">enter one at the top</a>.</p>`}
    <p class="actions"><button class="primary" aria-busy=${isBusy}>${isBusy ? 'Sending…' : 'Execute'}</button></p>
    ${answer && html`<${Answer} operation=${operation} answer=${answer} />`}
  </form>`
}
