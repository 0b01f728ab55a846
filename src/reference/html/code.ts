/** Code in a card: samples in several languages, or an example. Without a script the choice works as well. */
import { piecesOf } from '../docs/highlight.ts'
import type { Media } from './document.ts'
import { type Html, html } from './html.ts'

interface CodeItem {
  readonly name: string
  readonly text: string
}

/** The examples of a body, each as text. */
export const examplesOf = (
  { example, examples = { example: { value: example } } }: Media,
  shownAs = (value: unknown) => value,
): CodeItem[] =>
  Object.entries(examples).map(([name, { value }]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(shownAs(value), undefined, 2),
  }))

interface CodeCard {
  /** What no other card of the page is called. */
  readonly id: string
  readonly title?: string
  /** Several are tabs. */
  readonly items: readonly CodeItem[]
  /** Whether the items are the same in several languages; the choice of one holds for all samples. */
  readonly isSample?: boolean
}

const coloured = (text: string) =>
  [...piecesOf(text)].map(([piece, kind]) => (kind ? html`<span class="${kind}">${piece}</span>` : piece))

/** Which of the tabs is shown is decided by the style sheet, from the radio button that is checked. */
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
