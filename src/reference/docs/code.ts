// @ts-nocheck
/** Code that is shown: samples in several languages and examples, in colour, each with a button that copies it. */
import { signal } from '@preact/signals'
import { useId, useState } from 'preact/hooks'
import { announce, html } from './base.ts'

const tokens =
  /(?<comment>(?<=^|\s)(?:#|\/\/).*)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<number>\b\d[\d._]*\b)|(?<word>\b(?:async|await|const|defer|export|false|for|from|func|if|import|in|let|new|nil|None|null|package|range|return|true|type|undefined|var|with)\b)/gm
/** Beyond this, colours would cost more than they help. */
const colouredLength = 30_000

function coloured(text) {
  if (text.length > colouredLength) return text
  const parts = []
  let last = 0
  for (const { 0: token, index, groups } of text.matchAll(tokens)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    const isName = kind === 'string' && /^\s*:/.test(text.slice(index + token.length, index + token.length + 9))
    parts.push(text.slice(last, index), html`<span class=${isName ? 'member' : kind}>${token}</span>`)
    last = index + token.length
  }
  return [...parts, text.slice(last)]
}

async function toClipboard(text) {
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

function Copy({ text, what }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await toClipboard(text)
    setDone(true)
    announce(`Copied ${what}`)
  }
  return html`<button type="button" class="copy" aria-label=${`Copy ${what}`} onClick=${copy} onBlur=${() => setDone(false)}>${isDone ? 'Copied' : 'Copy'}</button>`
}

/** It scrolls sideways on its own, so that the page never does. */
export const Code = ({ text, what }) =>
  html`<pre tabindex="0" role="group" aria-label=${what}><code>${coloured(text)}</code></pre>`

/** Which tab is chosen in every group of tabs of this kind. */
const chosen = { language: signal(null) }

/** Code with a heading; several are tabs. `kind` makes all groups of that kind change together. */
export function CodeCard({ title, items, kind }) {
  const id = useId()
  const [own, setOwn] = useState(null)
  const shared = chosen[kind]
  const wanted = shared ? shared.value : own
  const item = items.find(({ name }) => name === wanted) ?? items[0]
  const choose = (name) => (shared ? (shared.value = name) : setOwn(name))
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = items[(items.indexOf(item) + step + items.length) % items.length]
    const group = event.currentTarget
    choose(next.name)
    requestAnimationFrame(() => group.querySelector('[aria-selected=true]').focus())
  }
  const tab = ({ name }, i) =>
    html`<button type="button" role="tab" id="${id}-${i}" aria-selected=${name === item.name} aria-controls=${`${id}-panel`} tabindex=${name === item.name ? 0 : -1} onClick=${() => choose(name)}>${name}</button>`
  return html`<section class="card">
    <div class="bar"><h4>${title}</h4>
      ${items.length > 1 ? html`<div role="tablist" aria-label=${title} onKeyDown=${move}>${items.map(tab)}</div>` : html`<span class="quiet">${item.name}</span>`}
      <${Copy} text=${item.text} what=${`${title}: ${item.name}`} />
    </div>
    <div id="${id}-panel" role=${items.length > 1 ? 'tabpanel' : undefined} aria-labelledby=${items.length > 1 ? `${id}-${items.indexOf(item)}` : undefined}>
      <${Code} text=${item.text} what=${`${title}: ${item.name}`} />
    </div>
  </section>`
}
