// @ts-nocheck
/** Renders the Markdown of descriptions as elements, so that no text can become HTML: the blocks and marks that such texts use. */
import { html } from './base.ts'

const marks =
  /(?<tick>`+)(?<code>.+?)\k<tick>|\*\*(?<strong>.+?)\*\*|(?<![\w*])(?<star>[*_])(?=\S)(?<em>.+?)(?<=\S)\k<star>(?![\w*])|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)|<(?<address>https?:[^>\s]+)>|\\(?<escaped>[\\`*_[\]<>|#{}()+.!-])/gs

/** Only what leads to a page: no script. */
const isAddress = (text) => /^(?:https?|mailto):$/.test(URL.parse(text, 'http://localhost')?.protocol)

/** A long name is broken after an underscore, where it must be. */
const breakable = (text) => text.split(/(?<=\w_)/).flatMap((part, i) => (i > 0 ? [html`<wbr />`, part] : part))

/** A link where the address leads to a page, and else only the words. */
export const Link = ({ to, children }) => (to && isAddress(to) ? html`<a href=${to}>${children}</a>` : children)

export function inline(text) {
  const parts = []
  let last = 0
  for (const match of text.matchAll(marks)) {
    const { code, strong, em, label, target, address, escaped } = match.groups
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

const cellsOf = (line) =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const bullet = /^ {0,3}(?:[-*+]|\d+[.)]) +/
const starts = /^ {0,3}(?:```|~~~|#{1,6} |> ?|(?:[-*+]|1[.)]) |\|)/
const isRule = (line) => /^ {0,3}([-*_])(?: *\1){2,} *$/.test(line)

/** Each takes its lines from the front of the rest. */
const blocks = [
  {
    is: ([line]) => /^ {0,3}(```|~~~)/.test(line),
    take(lines) {
      const [fence] = /```|~~~/.exec(lines.shift())
      const end = lines.findIndex((line) => line.trim() === fence)
      const code = lines.splice(0, end < 0 ? lines.length : end)
      lines.shift()
      return html`<pre tabindex="0"><code>${code.join('\n')}</code></pre>`
    },
  },
  {
    is: ([line]) => /^ {0,3}#{1,6} /.test(line),
    take(lines, top) {
      const [, hashes, title] = /^ *(#+) +(.*?) *#*$/.exec(lines.shift())
      return html`<${`h${Math.min(6, top + hashes.length)}`}>${inline(title)}<//>`
    },
  },
  { is: ([line]) => isRule(line), take: (lines) => lines.shift() && html`<hr />` },
  {
    is: ([line]) => /^ {0,3}>/.test(line),
    take(lines, top) {
      const end = lines.findIndex((line) => !/^ {0,3}>/.test(line))
      const quoted = lines.splice(0, end < 0 ? lines.length : end).map((line) => line.replace(/^ *> ?/, ''))
      return html`<blockquote>${blocksOf(quoted, top)}</blockquote>`
    },
  },
  {
    is: ([line, next = '']) => line.includes('|') && /^ *\|?(?: *:?-+:? *\|)+ *:?-*:? *$/.test(next),
    take(lines) {
      const end = lines.findIndex((line) => !line.includes('|'))
      const [head, , ...rows] = lines.splice(0, end < 0 ? lines.length : end)
      return html`<div class="table" tabindex="0" role="group" aria-label=${cellsOf(head).join(', ')}><table>
        <thead><tr>${cellsOf(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
      </table></div>`
    },
  },
  {
    is: ([line]) => bullet.test(line),
    take(lines, top) {
      const isOrdered = /^ *\d/.test(lines[0])
      const indented = new RegExp(`^${/^ */.exec(lines[0])[0]} {2,4}(?=\\S)`)
      const items = []
      while (lines.length > 0 && (bullet.test(lines[0]) || indented.test(lines[0]))) {
        const line = lines.shift()
        if (indented.test(line)) items.at(-1).push(line.replace(indented, ''))
        else items.push([line.replace(bullet, '')])
      }
      const list = items.map((item) => html`<li>${item.length > 1 ? blocksOf(item, top) : inline(item[0])}</li>`)
      return isOrdered ? html`<ol>${list}</ol>` : html`<ul>${list}</ul>`
    },
  },
  {
    is: () => true,
    take(lines) {
      const end = lines.findIndex((line, i) => i > 0 && (line.trim() === '' || starts.test(line)))
      return html`<p>${inline(lines.splice(0, end < 0 ? lines.length : end).join('\n'))}</p>`
    },
  },
]

function blocksOf(lines, top) {
  const made = []
  while (lines.length > 0) {
    if (lines[0].trim() === '') lines.shift()
    else made.push(blocks.find(({ is }) => is(lines)).take(lines, top))
  }
  return made
}

/** The highest heading in the text becomes one of the level `top`. */
export function Markdown({ text = '', top = 4 }) {
  const highest = Math.min(...(text.match(/^ {0,3}#{1,6}(?= )/gm) ?? []).map((hashes) => hashes.trim().length))
  return blocksOf(text.split('\n'), top - highest)
}
