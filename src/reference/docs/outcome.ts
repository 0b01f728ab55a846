/** Sends a request, and shows the response as it came. */
import { useEffect, useRef } from 'preact/hooks'
import { Fold, html } from './base.ts'
import { Code, CodeCard } from './code.ts'
import { keyHeader } from './key.ts'
import { type PlannedRequest, pretty } from './request.ts'

const timeoutMilliseconds = 30_000

interface Reply {
  readonly response: Response
  readonly text: string
  readonly milliseconds: number
}

/** The response, or what kept the request from being answered. */
export type Outcome = Reply | { readonly problem: string }

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
export async function outcomeOf({ method, url, headers, body }: PlannedRequest): Promise<Outcome> {
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

export function Answer({ outcome }: { outcome: Outcome }) {
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
