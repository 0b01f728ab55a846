/**
 * Renders the Markdown of descriptions as elements, so that no text can become HTML: the blocks and marks that such
 * texts use.
 */
import type { ComponentChildren } from 'preact'
import { html } from './base.ts'
import { CodeCard, type CodeItem } from './code.ts'

const marks = new RegExp(
  [
    /(?<tick>`+)(?<code>.+?)\k<tick>/,
    /\*\*(?<strong>.+?)\*\*/,
    /(?<![\w*])(?<star>[*_])(?=\S)(?<em>.+?)(?<=\S)\k<star>(?![\w*])/,
    /\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/,
    /<(?<address>https?:[^>\s]+)>/,
    /\\(?<escaped>[\\`*_[\]<>|#{}()+.!-])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/** Only what leads to a page: no script. */
const isAddress = (text: string): boolean =>
  /^(?:https?|mailto):$/.test(URL.parse(text, 'http://localhost')?.protocol ?? '')

/** A long name or address is broken after one of these characters, where it must be. */
const breakable = (text: string) =>
  text.split(/(?<=\w[_/?&])/).flatMap((part, i) => (i > 0 ? [html`<wbr />`, part] : part))

/** A link where the address leads to a page, and else only the words. */
export const Link = ({ to, children }: { to?: string; children: ComponentChildren }) =>
  to && isAddress(to) ? html`<a href=${to}>${children}</a>` : children

export function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let last = 0
  for (const match of text.matchAll(marks)) {
    const { code, strong, em, label = '', target = '', address, escaped } = match.groups ?? {}
    parts.push(text.slice(last, match.index))
    last = match.index + match[0].length
    if (code !== undefined) parts.push(html`<code>${breakable(code.replaceAll('\\|', '|'))}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong)}</strong>`)
    else if (em !== undefined) parts.push(html`<em>${inline(em)}</em>`)
    else if (address !== undefined) parts.push(html`<a href=${address}>${address}</a>`)
    else if (escaped !== undefined) parts.push(escaped)
    else parts.push(isAddress(target) ? html`<a href=${target}>${inline(label)}</a>` : match[0])
  }
  return [...parts, text.slice(last)]
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const bullet = /^ {0,3}(?:[-*+]|\d+[.)]) +/
const starts = /^ {0,3}(?:```|~~~|#{1,6} |> ?|(?:[-*+]|1[.)]) |\|)/
const quote = /^ {0,3}> ?/
const isRule = (line: string): boolean => /^ {0,3}([-*_])(?: *\1){2,} *$/.test(line)

const fence = /^ {0,3}(```|~~~) *(\S*) *(.*)/

/** Takes lines off the front of the rest while they belong together. */
function takeWhile(rest: string[], belongs: (line: string) => boolean): string[] {
  const end = rest.findIndex((line) => !belongs(line))
  return rest.splice(0, end < 0 ? rest.length : end)
}

/** The code that begins with a line; takes its lines off the front of the rest. */
function takeCode(first: string, rest: string[]) {
  const [, mark, language, name] = fence.exec(first) ?? []
  const text = takeWhile(rest, (line) => line.trim() !== mark).join('\n')
  rest.shift()
  return { name: name || language || '', text, isNamed: Boolean(name) }
}

/** The block that begins with a line; takes its further lines off the front of the rest. */
function blockOf(first: string, rest: string[], top: number): ComponentChildren {
  if (fence.test(first)) {
    const { isNamed, ...item } = takeCode(first, rest)
    const items: [CodeItem, ...CodeItem[]] = [item]
    // The same in several languages, each with its name after the one that GitHub knows: as tabs.
    while (isNamed && rest[0] === '' && fence.test(rest[1] ?? ''))
      items.push(takeCode(rest.splice(0, 2).join(''), rest))
    return html`<${CodeCard} isSample=${isNamed} items=${items} />`
  }
  const [, hashes, title = ''] = /^ {0,3}(#{1,6}) +(.*?) *#*$/.exec(first) ?? []
  if (hashes) return html`<${`h${Math.min(6, top + hashes.length)}`}>${inline(title)}<//>`
  if (isRule(first)) return html`<hr />`
  if (quote.test(first)) {
    const quoted = [first, ...takeWhile(rest, (line) => quote.test(line))]
    return html`<blockquote>${blocksOf(
      quoted.map((line) => line.replace(quote, '')),
      top,
    )}</blockquote>`
  }
  if (first.includes('|') && /^ *\|?(?: *:?-+:? *\|)+ *:?-*:? *$/.test(rest[0] ?? '')) {
    const [, ...rows] = takeWhile(rest, (line) => line.includes('|'))
    return html`<div class="table" tabindex="0" role="group" aria-label=${cellsOf(first).join(', ')}><table>
      <thead><tr>${cellsOf(first).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
    </table></div>`
  }
  if (bullet.test(first)) return listOf(first, rest, top)
  const lines = [first, ...takeWhile(rest, (line) => line.trim() !== '' && !starts.test(line))]
  return html`<p>${inline(lines.join('\n'))}</p>`
}

function listOf(first: string, rest: string[], top: number): ComponentChildren {
  const indented = new RegExp(`^ {${first.search(/\S/)}} {2,4}(?=\\S)`)
  const items: string[][] = [[first.replace(bullet, '')]]
  for (const line of takeWhile(rest, (line) => bullet.test(line) || indented.test(line)))
    if (indented.test(line)) items.at(-1)?.push(line.replace(indented, ''))
    else items.push([line.replace(bullet, '')])
  const list = items.map((lines) => html`<li>${lines.length > 1 ? blocksOf(lines, top) : inline(lines.join(''))}</li>`)
  return /^ *\d/.test(first) ? html`<ol>${list}</ol>` : html`<ul>${list}</ul>`
}

function blocksOf(rest: string[], top: number): ComponentChildren[] {
  const made = []
  for (let line = rest.shift(); line !== undefined; line = rest.shift())
    if (line.trim() !== '') made.push(blockOf(line, rest, top))
  return made
}

/** The highest heading in the text becomes one of the level `top`. */
export function Markdown({ text = '', top = 4 }: { text?: string; top?: number }) {
  const highest = Math.min(...(text.match(/^ {0,3}#{1,6}(?= )/gm) ?? []).map((hashes) => hashes.trim().length))
  return blocksOf(text.split('\n'), top - highest)
}
