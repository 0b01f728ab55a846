/** The panel that tries an operation on this service: its inputs, the request, and the response as it came. */
import type { TargetedEvent, TargetedInputEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { announce, Fold, here, html } from './base.ts'
import { Code, CodeCard } from './code.ts'
import { type DocumentedOperation, resolve, scopesOf } from './contract.ts'
import { key, keyHeader, refuse, refused } from './key.ts'
import type { Parameter, RequestBody } from './openapi.ts'
import { bodyTexts, inputId, type PlannedRequest, parameterText, pretty, requestOf, schemaOf } from './request.ts'

const timeoutMilliseconds = 30_000

/** Why an operation has no panel; undefined when it has one. */
export function whyNoPanel({ node, isWebhook }: DocumentedOperation): string | undefined {
  if (isWebhook) return 'The service sends this request: it cannot be tried from here.'
  if (!node['x-hideTryItPanel']) return undefined
  return node['x-hideTryItPanelReason'] ?? 'The document disables the panel of this operation.'
}

interface InputProps {
  isMissing: boolean
  onInput: () => void
}

function Input({ parameter, isMissing, onInput }: InputProps & { parameter: Parameter }) {
  const id = useId()
  const schema = resolve(schemaOf(parameter))
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined)
  const example = parameterText(parameter)
  const invalid = { 'aria-invalid': isMissing, 'aria-describedby': isMissing ? `${id}-problem` : undefined }
  const shared = { id, name: inputId(parameter), required: parameter.required, onInput, ...invalid }
  const select = () => html`<select ...${shared}>
    <option value="">${parameter.required ? 'Choose' : 'Not set'}</option>
    ${values?.map(
      (value) => html`<option selected=${parameter.required && String(value) === example}>${String(value)}</option>`,
    )}
  </select>`
  const field = () => html`<input
    ...${shared}
    autocomplete="off"
    autocapitalize="off"
    spellcheck=${false}
    inputmode=${schema.type === 'integer' ? 'numeric' : undefined}
    placeholder=${example && `for example ${example}`}
  />`
  return html`<div class="input">
    <label for=${id}>
      <code>${parameter.name}</code> <span class="quiet">${parameter.required ? 'required' : ''}</span>
    </label>
    ${values ? select() : field()}
    ${isMissing && html`<p class="problem" id="${id}-problem">Enter a value for ${parameter.name}.</p>`}
  </div>`
}

function BodyInput({ body, isMissing, onInput, onDraw }: InputProps & { body: RequestBody; onDraw: () => void }) {
  const id = useId()
  const media = Object.entries(body.content ?? {})
  const [type, setType] = useState(media[0]?.[0] ?? '')
  const texts = bodyTexts(body.content?.[type] ?? {})
  const [at, setAt] = useState(0)
  const { text } = texts[at] ?? texts[0]
  // As in the path, no id is filled in: something may have it.
  const isId = /^\{\s*"\w+Id": \d+\s*\}$/.test(text)
  useEffect(onDraw, [text])
  const rows = Math.min(14, text.split('\n').length + 1)
  type Choice = TargetedInputEvent<HTMLSelectElement>
  const chooseType = ({ currentTarget }: Choice) => setType(currentTarget.value)
  const chooseExample = ({ currentTarget }: Choice) => setAt(Number(currentTarget.value))
  return html`<div class="input">
    <label for=${id}>Body <span class="quiet">${body.required ? 'required' : ''}</span></label>
    ${
      media.length > 1 &&
      html`<select name="type" aria-label="Media type" onInput=${chooseType}>
        ${media.map(([each]) => html`<option>${each}</option>`)}
      </select>`
    }
    ${media.length === 1 && html`<input type="hidden" name="type" value=${type} />`}
    ${
      texts.length > 1 &&
      html`<select aria-label="Example" onInput=${chooseExample}>
        ${texts.map(({ name }, i) => html`<option value=${i} selected=${i === at}>${name}</option>`)}
      </select>`
    }
    <textarea
      key=${`${type} ${at}`}
      id=${id}
      name="body"
      rows=${rows}
      spellcheck=${false}
      autocomplete="off"
      required=${body.required}
      aria-invalid=${isMissing}
      aria-describedby=${isMissing ? `${id}-problem` : undefined}
      onInput=${onInput}
      placeholder=${isId && `for example ${text}`}
      defaultValue=${isId ? '' : text}
    />
    ${isMissing && html`<p class="problem" id="${id}-problem">Enter a body.</p>`}
  </div>`
}

interface Reply {
  readonly response: Response
  readonly text: string
  readonly milliseconds: number
}

/** The response, or what kept the request from being answered. */
type Outcome = Reply | { readonly problem: string }

async function send(request: Request, signal: AbortSignal): Promise<Outcome> {
  const start = performance.now()
  try {
    const response = await fetch(request)
    const text = await response.text()
    return { response, text, milliseconds: Math.round(performance.now() - start) }
  } catch {
    return { problem: signal.aborted ? 'No response within 30 seconds.' : 'The service cannot be reached.' }
  }
}

/** Or why it cannot even be sent, such as a character that no header can have. */
async function outcomeOf({ method, url, headers, body }: PlannedRequest): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMilliseconds)
  let request: Request
  try {
    const sent = [...headers, ...keyHeader()].map(([name, value]): [string, string] => [name, value])
    request = new Request(url, { method, headers: sent, body: body ?? null, signal })
  } catch (error) {
    return { problem: `A browser cannot send this: ${error instanceof Error ? error.message : error}` }
  }
  return send(request, signal)
}

const sizeOf = (text: string): string => `${new Blob([text]).size.toLocaleString('en')} bytes`

function ReplyWords({ reply: { response, text, milliseconds } }: { reply: Reply }) {
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? 'text'
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return html`<p class="outcome">
      <strong class=${response.ok ? 'good' : 'bad'}>${response.status} ${response.statusText}</strong>${' '}
      <span class="quiet">${milliseconds} ms · ${sizeOf(text)}</span>
    </p>
    ${
      text
        ? html`<${CodeCard} title="Body" items=${[{ name: type, text: pretty(text) }]} />`
        : html`<p class="quiet">The response has no body.</p>`
    }
    <${Fold} title=${`Response headers (${headers.length})`}>
      <${Code} what="Response headers" text=${headers.join('\n')} />
    <//>`
}

function Answer({ outcome }: { outcome: Outcome }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [outcome])
  return html`<div class="answer" ref=${element}>
    ${
      'problem' in outcome
        ? html`<p class="outcome"><strong class="bad">${outcome.problem}</strong></p>`
        : html`<${ReplyWords} reply=${outcome} />`
    }
  </div>`
}

/** What is entered, by the name of each input. */
const enteredIn = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

interface PanelProps {
  operation: DocumentedOperation
  /** Told what would be sent, whenever something is entered. */
  onRequest: (request: PlannedRequest) => void
}

export function Panel({ operation, onRequest }: PanelProps) {
  const element = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState<string[]>([])
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const body = operation.node.requestBody && resolve(operation.node.requestBody)
  const inputs = operation.parameters.filter((each) => each.in !== 'cookie')
  const isNeeded = (each: Parameter) => each.required || each.in !== 'header'
  const isSafe = /^(?:GET|HEAD|OPTIONS|TRACE)$/.test(operation.method)
  const planned = (form: HTMLFormElement): PlannedRequest => {
    const { type = '', body: text, ...entered } = enteredIn(form)
    return requestOf(operation, entered, text ? { type, text } : undefined)
  }
  const follow = () => {
    if (element.current) onRequest(planned(element.current))
  }
  useEffect(follow, [])
  const execute = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const required = form.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(':required')
    const empty = [...required].filter(({ value }) => value.trim() === '')
    const hasNoKey = key.value === '' && scopesOf(operation) !== undefined
    if (hasNoKey) refuse('Enter a key first.')
    setMissing([...empty.map(({ name }) => name), ...(hasNoKey ? ['key'] : [])])
    empty[0]?.focus()
    const names = [...empty.map(({ name }) => name.replace(/^\w+ /, '')), ...(hasNoKey ? ['API key'] : [])]
    if (names.length > 0) return announce(`Required and empty: ${names.join(', ')}`)
    const request = planned(form)
    const { method, url, body = '' } = request
    if (!isSafe && !confirm(`This changes what the service stores. Send it?\n\n${method} ${url}\n${body}`)) return
    setBusy(true)
    const outcome = await outcomeOf(request)
    setBusy(false)
    setOutcome(outcome)
    if ('problem' in outcome) return announce(outcome.problem)
    const { response, milliseconds } = outcome
    if (response.status === 401) refused(outcome.text)
    announce(`Response ${response.status} ${response.statusText} after ${milliseconds} ms`)
  }
  const clearMissing = (name: string) => () => setMissing(missing.filter((each) => each !== name))
  const input = (parameter: Parameter) => {
    const name = inputId(parameter)
    return html`<${Input}
      key=${name}
      parameter=${parameter}
      isMissing=${missing.includes(name)}
      onInput=${clearMissing(name)}
    />`
  }
  const optional = inputs.filter((each) => !isNeeded(each))
  const warning = isSafe ? 'It changes nothing.' : 'It changes what is stored there; you are asked before it is sent.'
  return html`<form class="panel" noValidate ref=${element} onInput=${follow} onSubmit=${execute}>
    <p class="quiet">The request goes to this service, <code>${new URL(here).host}</code>. ${warning}</p>
    ${inputs.filter(isNeeded).map(input)}
    ${optional.length > 0 && html`<${Fold} title="Optional headers">${optional.map(input)}<//>`}
    ${
      body &&
      html`<${BodyInput}
        body=${body}
        isMissing=${missing.includes('body')}
        onInput=${clearMissing('body')}
        onDraw=${follow}
      />`
    }
    ${
      missing.includes('key') &&
      key.value === '' &&
      html`<p class="problem">It needs an API key: <a href="#key">enter one at the top</a>.</p>`
    }
    <p class="actions"><button class="primary" aria-busy=${isBusy}>${isBusy ? 'Sending…' : 'Execute'}</button></p>
    ${outcome && html`<${Answer} outcome=${outcome} />`}
  </form>`
}
