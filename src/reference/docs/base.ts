/** What every part of the page uses: templates, marks, and what is said to those who listen to the page. */
import { signal } from '@preact/signals'
import htm from 'htm'
import { type ComponentChildren, h } from 'preact'
import type { Marked } from './openapi.ts'

export const html = htm.bind(h)

/** Read aloud by screen readers; shown where it happens as well. */
export const announcement = signal('')

/** Says it again if it was the last that was said. */
export function announce(text: string): void {
  announcement.value = announcement.value === text ? `${text}\u00a0` : text
}

export const Method = ({ method }: { method: string }) =>
  html`<span class="method" style=${{ '--tone': `var(--${method.toLowerCase()})` }}>${method}</span>`

/** Its colours are those of its kind, if it has any. */
const Badge = ({ kind, children }: { kind: string; children: ComponentChildren }) => {
  const style = { background: `var(--${kind}-paper, var(--ground))`, color: `var(--${kind}-ink)` }
  return html`<span class="badge" style=${style}>${children}</span>`
}

/** An end, and how stable it is: of all, or only if it is not. */
export function Marks({ of: node, all = false }: { of: Marked; all?: boolean }) {
  const { deprecated, 'x-deprecated-sunset': end, 'x-stability': stability } = node
  return html`
    ${deprecated && html`<${Badge} kind="warn">deprecated${end && `, ends ${end}`}<//>`}
    ${stability && html`<span class="quiet">${stability}</span>`}
    ${all && !stability && !deprecated && html`<${Badge} kind="stable">stable<//>`}`
}

interface FoldProps {
  title: ComponentChildren
  /** Read when it is first drawn. */
  isOpen?: boolean
  children: ComponentChildren
}

export const Fold = ({ title, isOpen, children }: FoldProps) =>
  html`<details open=${isOpen}><summary>${title}</summary>${children}</details>`

/** A link to the heading or part that it stands in. */
export const Anchor = ({ id, title }: { id: string; title: string }) =>
  html`<a class="anchor" href="#${id}" aria-label=${`Link to ${title}`}>#</a>`

/** A heading with all that is below it, which can be folded away. */
export const Group = ({ id, title, children }: { id?: string; title: string; children: ComponentChildren }) =>
  html`<details class="group" id=${id} open>
    <summary><h2>${title}</h2></summary>
    ${children}
  </details>`

/** Where calls go: to the service that served the page, the only origin that its policy allows. */
export const here = new URL('v1', globalThis.document?.baseURI ?? 'http://localhost/').href
