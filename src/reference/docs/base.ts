// @ts-nocheck
/** What every part of the page uses: templates, marks, and what is said to those who listen to the page. */
import { signal } from '@preact/signals'
import htm from 'htm'
import { h } from 'preact'

export const html = htm.bind(h)

/** Read aloud by screen readers; shown where it happens as well. */
export const announcement = signal('')

/** Says it again if it was the last that was said. */
export function announce(text) {
  announcement.value = announcement.value === text ? `${text}\u00a0` : text
}

export const Method = ({ method }) =>
  html`<span class="method" style=${{ '--tone': `var(--${method.toLowerCase()})` }}>${method}</span>`

/** Its colours are those of its kind, if it has any. */
const Badge = ({ kind, children }) =>
  html`<span class="badge" style=${{ background: `var(--${kind}-paper, var(--ground))`, color: `var(--${kind}-ink)` }}>${children}</span>`

/** A stability other than stable, and an end. */
export const Marks = ({ of: node }) => html`
  ${node.deprecated && html`<${Badge} kind="warn">deprecated${node['x-deprecated-sunset'] && `, ends ${node['x-deprecated-sunset']}`}<//>`}
  ${node['x-stability'] && html`<${Badge} kind=${node['x-stability']}>${node['x-stability']}<//>`}`

/** `open` is read when it is first drawn. */
export const Fold = ({ title, isOpen, children }) =>
  html`<details open=${isOpen}><summary>${title}</summary>${children}</details>`

/** A link to the heading or part that it stands in. */
export const Anchor = ({ id, title }) => html`<a class="anchor" href="#${id}" aria-label=${`Link to ${title}`}>#</a>`

/** Where calls go: to the service that served the page, the only origin that its policy allows. */
export const here = new URL('v1', globalThis.document?.baseURI ?? 'http://localhost/').href
