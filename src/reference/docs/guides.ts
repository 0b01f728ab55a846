/**
 * The guides on the reference page: the Markdown of docs/guides.md. The page fetches it after it has drawn the
 * reference,
 * so that 7 of 53 KB come later.
 */
import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { Anchor, Group, here, html } from './base.ts'
import { textId } from './contract.ts'
import { Markdown } from './markdown.ts'

interface Guide {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Empty until they have arrived. */
export const guides = signal<readonly Guide[]>([])

/** Their ids are those that GitHub gives to the headings, so that links within the file lead to them here, too. */
function guideOf(part: string): Guide {
  const [title = '', ...lines] = part.split('\n')
  return { id: textId(title), title, text: lines.join('\n') }
}

export async function loadGuides(): Promise<void> {
  const { href = '' } = document.querySelector<HTMLLinkElement>('link[rel=help]') ?? {}
  const response = await fetch(href).catch(() => undefined)
  const text = response?.ok
    ? await response.text()
    : '\n## Guides\nThey could not be loaded. Reload the page to try again.'
  const [, ...parts] = text
    .replaceAll('http://127.0.0.1:8080/v1', here)
    .replaceAll('http://127.0.0.1:8080/', `${new URL('.', here)}`)
    .split(/^## /m)
  guides.value = parts.map(guideOf)
}

/** Tells when it is drawn, first without the guides, before what is below them is seen to move. */
export function Guides({ onDraw }: { onDraw: () => void }) {
  useLayoutEffect(onDraw, [guides.value])
  if (guides.value.length === 0) return null
  return html`<${Group} title="Guides">${guides.value.map(
    ({ id, title, text }) => html`<section class="part guide" key=${id} id=${id}>
      <h3>${title} <${Anchor} id=${id} title=${title} /></h3>
      <div class="wide"><${Markdown} text=${text} /></div>
    </section>`,
  )}<//>`
}
