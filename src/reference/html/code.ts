/**
 * Code in a card: samples in several languages, or an example. The choice of a language also works without a script.
 */
import { piecesOf } from '../docs/highlight.ts'
import type { Media } from './document.ts'
import { type Html, html } from './html.ts'

interface CodeItem {
  readonly name: string
  readonly text: string
}

/** Returns the examples of a body as text. */
export const examplesOf = (
  { example, examples = { example: { value: example } } }: Media,
  shownAs = (value: unknown) => value,
): CodeItem[] =>
  Object.entries(examples).map(([name, { value }]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(shownAs(value), undefined, 2),
  }))

interface CodeCard {
  /** An id that no other card of the page has. */
  readonly id: string
  readonly title?: string
  /** If there are several, they are tabs. */
  readonly items: readonly CodeItem[]
  /** Whether the items are the same program in several languages. A choice then applies to all samples. */
  readonly isSample?: boolean
}

const coloured = (text: string) =>
  [...piecesOf(text)].map(([piece, kind]) => (kind ? html`<span class="${kind}">${piece}</span>` : piece))

/** The style sheet shows the tab whose radio button is checked. */
export function codeCard({ id, title, items, isSample = false }: CodeCard): Html {
  const tab = ({ name }: CodeItem, i: number) =>
    html`<label><input type="radio" name="${id}" value="${name}"${i === 0 && html` checked`}>${name}</label>`
  const tabs = () => html`<fieldset><legend class="hidden">${title ?? 'Sample'}</legend>${items.map(tab)}</fieldset>`
  return html`<div class="card${isSample && ' sample'}">
<div class="bar">${title && html`<strong>${title}</strong>`}${
    items.length > 1 ? tabs() : html`<span class="quiet">${items[0]?.name}</span>`
  }<button type="button" class="copy">Copy<span class="hidden"> ${title ?? 'this code'}</span></button></div>
${items.map(({ text }) => html`<pre><code>${coloured(text)}</code></pre>`)}
</div>`
}
