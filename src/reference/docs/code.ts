/** Code that is shown: samples in several languages and examples, in colour, each with a button that copies it. */
import { effect, signal, useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
import { announce, html } from './base.ts'
import { ofDevice } from './shared-key.ts'

const keywords = [
  'async',
  'await',
  'const',
  'defer',
  'export',
  'false',
  'for',
  'from',
  'func',
  'if',
  'import',
  'in',
  'let',
  'new',
  'nil',
  'None',
  'null',
  'package',
  'range',
  'return',
  'true',
  'type',
  'undefined',
  'var',
  'with',
]
/** By the class of its colour. */
const kinds = {
  comment: /(?<=^|\s)(?:#|\/\/).*/,
  string: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/,
  number: /\b\d[\d._]*\b/,
  word: new RegExp(`\\b(?:${keywords.join('|')})\\b`),
}
const tokens = new RegExp(
  Object.entries(kinds)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join('|'),
  'gm',
)
/** Beyond this, colours would cost more than they help. */
const colouredLength = 30_000

function coloured(text: string): ComponentChildren {
  if (text.length > colouredLength) return text
  const parts: ComponentChildren[] = []
  let last = 0
  for (const { 0: token, index, groups = {} } of text.matchAll(tokens)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    const isName = kind === 'string' && /^\s*:/.test(text.slice(index + token.length, index + token.length + 9))
    parts.push(text.slice(last, index), html`<span class=${isName ? 'member' : kind}>${token}</span>`)
    last = index + token.length
  }
  return [...parts, text.slice(last)]
}

async function toClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Only secure addresses have a clipboard.
    const area = Object.assign(document.createElement('textarea'), { value: text })
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}

/** `what` names the code to those who do not see it. */
interface CodeProps {
  text: string
  what: string
}

function Copy({ text, what }: CodeProps) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await toClipboard(text)
    setDone(true)
    announce(`Copied ${what}`)
  }
  return html`<button
    type="button"
    class="copy"
    aria-label=${`Copy ${what}`}
    onClick=${copy}
    onBlur=${() => setDone(false)}
  >
    ${isDone ? 'Copied' : 'Copy'}
  </button>`
}

/** It scrolls sideways on its own, so that the page never does. */
export const Code = ({ text, what }: CodeProps) =>
  html`<pre tabindex="0" role="group" aria-label=${what}><code>${coloured(text)}</code></pre>`

const languageKept = 'petstore.language'
/** The language that is chosen in every group of samples; kept for the next visit, where a browser keeps anything. */
const language = signal(ofDevice?.getItem(languageKept) ?? '')
effect(() => {
  if (language.value) ofDevice?.setItem(languageKept, language.value)
})

export interface CodeItem {
  readonly name: string
  readonly text: string
}

export type CodeItems = readonly [CodeItem, ...CodeItem[]]

interface CodeCardProps {
  title?: string
  /** Several are tabs. */
  items: CodeItems
  /** Whether the choice of a tab holds for all groups of samples. */
  isSample?: boolean
}

/** Code, with a heading if it has a title. */
export function CodeCard({ title, items, isSample = false }: CodeCardProps) {
  const id = useId()
  const own = useSignal('')
  const chosen = isSample ? language : own
  const item = items.find(({ name }) => name === chosen.value) ?? items[0]
  const label = title ?? 'Sample'
  const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const group = event.currentTarget
    chosen.value = items.at((items.indexOf(item) + step) % items.length)?.name ?? ''
    requestAnimationFrame(() => group.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
  }
  const areTabs = items.length > 1
  const tab = ({ name }: CodeItem, i: number) =>
    html`<button
      type="button"
      role="tab"
      id="${id}-${i}"
      aria-selected=${name === item.name}
      aria-controls=${`${id}-panel`}
      tabindex=${name === item.name ? 0 : -1}
      onClick=${() => (chosen.value = name)}
    >
      ${name}
    </button>`
  const tabs = () => html`<div role="tablist" aria-label=${label} onKeyDown=${move}>${items.map(tab)}</div>`
  return html`<section class="card">
    <div class="bar">
      ${title && html`<h4>${title}</h4>`}
      ${areTabs ? tabs() : html`<span class="quiet">${item.name}</span>`}
      <${Copy} text=${item.text} what=${`${label}: ${item.name}`} />
    </div>
    <div
      id="${id}-panel"
      role=${areTabs ? 'tabpanel' : undefined}
      aria-labelledby=${areTabs ? `${id}-${items.indexOf(item)}` : undefined}
    >
      <${Code} text=${item.text} what=${`${label}: ${item.name}`} />
    </div>
  </section>`
}
