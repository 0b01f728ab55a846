/** The panel that tries an operation on this service: its inputs, and a question before it changes anything. */
import type { TargetedEvent, TargetedInputEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { announce, Fold, here, html } from './base.ts'
import { type DocumentedOperation, resolve, scopesOf } from './contract.ts'
import { KeyInput, key, refuse, refused } from './key.ts'
import type { Parameter, RequestBody } from './openapi.ts'
import { Answer, type Outcome, outcomeOf } from './outcome.ts'
import { Question } from './question.ts'
import { bodyTexts, inputId, type PlannedRequest, parameterText, requestOf, schemaOf } from './request.ts'

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
  const [asked, setAsked] = useState<PlannedRequest>()
  // It stays while the key is typed.
  const [asksForKey, setAsksForKey] = useState(() => key.value === '' && scopesOf(operation) !== undefined)
  const keyId = useId()
  const body = operation.node.requestBody && resolve(operation.node.requestBody)
  const inputs = operation.parameters.filter((each) => each.in !== 'cookie')
  const isNeeded = (each: Parameter) => each.required || each.in !== 'header'
  const isSafe = /^(?:GET|HEAD|OPTIONS|TRACE)$/.test(operation.method)
  const planned = (form: HTMLFormElement): PlannedRequest => {
    const { type = '', body: text, ...entered } = enteredIn(form)
    return requestOf(operation, entered, text ? { type, text } : undefined)
  }
  const follow = () => {
    setAsked(undefined)
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
    if (hasNoKey) {
      refuse('Enter a key first.')
      setAsksForKey(true)
    }
    setMissing([...empty.map(({ name }) => name), ...(hasNoKey ? ['key'] : [])])
    empty[0]?.focus()
    const names = [...empty.map(({ name }) => name.replace(/^\w+ /, '')), ...(hasNoKey ? ['API key'] : [])]
    if (names.length > 0) return announce(`Required and empty: ${names.join(', ')}`)
    const request = planned(form)
    if (isSafe) return answer(request)
    setAsked(request)
  }
  const answer = async (request: PlannedRequest) => {
    setAsked(undefined)
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
      asksForKey &&
      html`<div class="input">
        <label for=${keyId}>API key</label>
        <${KeyInput} id=${keyId} />
        ${missing.includes('key') && key.value === '' && html`<p class="problem">It needs an API key.</p>`}
      </div>`
    }
    ${
      asked &&
      html`<${Question} request=${asked} onAgree=${() => answer(asked)} onCancel=${() => setAsked(undefined)} />`
    }
    <p class="actions"><button class="primary" aria-busy=${isBusy}>${isBusy ? 'Sending…' : 'Execute'}</button></p>
    ${outcome && html`<${Answer} outcome=${outcome} />`}
  </form>`
}
