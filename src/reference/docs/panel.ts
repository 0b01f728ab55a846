/** The panels that try operations: the input, a question before something changes, and the response. */

import { announce, find, make, showCode } from './elements.ts'
import { askForKey, keyHeader, refused } from './key.ts'
import type { SampleRequest } from './programs.ts'
import { pretty, programsFor, requestOf } from './request.ts'

const timeoutMilliseconds = 30_000

/** Asks whether to send the request, and resolves with the answer. */
function agreed({ method, url, body }: SampleRequest): Promise<boolean> {
  const dialog = find<HTMLDialogElement>('#question')
  showCode(find('pre', dialog), [`${method} ${url}`, ...(body ? [body] : [])].join('\n'))
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((done) =>
    dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true }),
  )
}

/** Shows in the samples of the operation what would be sent. */
function follow(form: HTMLFormElement): void {
  const card = find('.card.sample', form.closest('.beside') ?? document)
  const programs = programsFor(requestOf(form))
  for (const [i, tab] of card.querySelectorAll('input').entries()) {
    const text = programs[tab.value]
    const shown = card.querySelectorAll('pre')[i]
    // A program that uses our client does not change.
    if (text !== undefined && shown) showCode(shown, text.trimEnd())
  }
}

/** Marks the required inputs that are empty, and returns whether there are any. */
function isIncomplete(form: HTMLFormElement): boolean {
  const empty: HTMLInputElement[] = []
  for (const input of form.querySelectorAll<HTMLInputElement>(':required')) {
    const isEmpty = input.value.trim() === ''
    if (isEmpty) empty.push(input)
    input.setAttribute('aria-invalid', String(isEmpty))
  }
  empty[0]?.focus()
  if (empty.length > 0) announce(`Required and empty: ${empty.map(({ name }) => name.replace(/^\w+ /, '')).join(', ')}`)
  return empty.length > 0
}

/** The response, or the reason why there is none. */
type Outcome = { readonly response: Response; readonly text: string; readonly milliseconds: number } | string

async function outcomeOf({ method, url, headers, body }: SampleRequest): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMilliseconds)
  let request: Request
  try {
    request = new Request(url, { method, headers: [...headers, ...keyHeader()], body: body ?? null, signal })
  } catch (error) {
    return `A browser cannot send this: ${error instanceof Error ? error.message : error}`
  }
  const start = performance.now()
  try {
    const response = await fetch(request)
    return { response, text: await response.text(), milliseconds: Math.round(performance.now() - start) }
  } catch {
    return signal.aborted ? 'No response within 30 seconds.' : 'The service cannot be reached.'
  }
}

function showOutcome(answer: HTMLElement, outcome: Outcome): void {
  answer.hidden = false
  if (typeof outcome === 'string') {
    answer.replaceChildren(make('p', { className: 'outcome bad', textContent: outcome }))
    announce(outcome)
    return
  }
  const { response, text, milliseconds } = outcome
  const status = `${response.status} ${response.statusText}`
  const size = `${milliseconds} ms · ${new Blob([text]).size.toLocaleString('en')} bytes`
  const body = make('pre', { className: 'body' })
  showCode(body, pretty(text))
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  answer.replaceChildren(
    make(
      'p',
      { className: 'outcome' },
      make('strong', { className: response.ok ? 'good' : 'bad' }, status),
      ' ',
      make('span', { className: 'quiet' }, size),
    ),
    text ? body : make('p', { className: 'quiet' }, 'The response has no body.'),
    make(
      'details',
      {},
      make('summary', {}, `Response headers (${headers.length})`),
      make('pre', {}, headers.join('\n')),
    ),
  )
  answer.scrollIntoView({ block: 'nearest' })
  announce(`Response ${status} after ${milliseconds} ms`)
}

async function execute(form: HTMLFormElement): Promise<void> {
  const button = find<HTMLButtonElement>('.primary', form)
  if (button.ariaDisabled === 'true' || isIncomplete(form)) return
  if (keyHeader().length === 0) return askForKey('This request needs an API key.')
  const request = requestOf(form)
  if (request.method !== 'GET' && !(await agreed(request))) return
  // A disabled button would lose the focus, and keyboard users would lose their place.
  button.ariaDisabled = 'true'
  button.textContent = 'Sending…'
  const outcome = await outcomeOf(request)
  button.ariaDisabled = null
  button.textContent = 'Execute'
  showOutcome(find('.answer', form), outcome)
  if (typeof outcome !== 'string' && outcome.response.status === 401) refused(outcome.text)
}

function open(part: HTMLElement): HTMLFormElement {
  part.append(find<HTMLTemplateElement>('template', part).content.cloneNode(true))
  const form = find<HTMLFormElement>('form', part)
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.className === 'examples')
      find<HTMLTextAreaElement>('textarea', form).value = target.value
    if (target instanceof HTMLElement) target.removeAttribute('aria-invalid')
    follow(form)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    execute(form)
  })
  follow(form)
  return form
}

export function followPanels(): void {
  for (const part of document.querySelectorAll<HTMLElement>('.try')) {
    const button = find('button', part)
    button.addEventListener('click', () => {
      const isOpen = button.getAttribute('aria-expanded') !== 'true'
      const form = part.querySelector('form') ?? open(part)
      form.hidden = !isOpen
      button.setAttribute('aria-expanded', String(isOpen))
    })
  }
}
