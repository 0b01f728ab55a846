/**
 * Turns Markdown into HTML: the blocks and marks that our descriptions and guides use. No text can become HTML by
 * itself.
 */
import { codeCard } from './code.ts'
import { type Html, html, type Part } from './html.ts'

interface MarkdownOptions {
  /** Returns the address of a link, if it differs from what the text says. */
  readonly hrefOf?: (target: string) => string
  /** Returns what to add to the row of a table about a `code`. */
  readonly noteOn?: (code: string) => Part
}

const marks =
  /`(?<code>[^`]+)`|\*\*(?<strong>.+?)\*\*|(?<!\w)_(?<em>[^_]+)_(?!\w)|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/gs

/** Allows a long name or address to be broken after one of these characters. */
const breakable = (text: string): Part =>
  text.split(/(?<=\w[_/?&])/).map((part, i) => (i > 0 ? html`<wbr>${part}` : part))

export function inline(text: string, options: MarkdownOptions = {}): Part[] {
  const { hrefOf = (target) => target } = options
  const parts: Part[] = []
  let last = 0
  for (const match of text.matchAll(marks)) {
    const { code, strong, em, label = '', target = '' } = match.groups ?? {}
    parts.push(text.slice(last, match.index))
    last = match.index + match[0].length
    if (code !== undefined) parts.push(html`<code>${breakable(code.replaceAll('\\|', '|'))}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong, options)}</strong>`)
    else if (em !== undefined) parts.push(html`<em>${em}</em>`)
    else parts.push(html`<a href="${hrefOf(target)}">${inline(label, options)}</a>`)
  }
  return [...parts, text.slice(last)]
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

/** Makes a row of a table. A row about a code can be linked to by that code. */
function row(line: string, options: MarkdownOptions): Html {
  const cells = cellsOf(line)
  const [, code] = cells.map((cell) => /^`([\w-]+)`$/.exec(cell)).find(Boolean) ?? []
  const note = code && options.noteOn?.(code)
  const cell = (text: string, i: number) =>
    html`<td>${inline(text, options)}${note && i === cells.length - 1 && html` ${note}`}</td>`
  return html`<tr${note && html` id="${code}"`}>${cells.map(cell)}</tr>`
}

const table = ([head = '', , ...rows]: readonly string[], options: MarkdownOptions): Html => html`<table>
<thead><tr>${cellsOf(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((line) => row(line, options))}</tbody></table>`

const bullet = /^(?:-|\d+\.) +/

const list = (lines: readonly string[], options: MarkdownOptions): Html => {
  const items = lines.map((line) => html`<li>${inline(line.replace(bullet, ''), options)}</li>`)
  return lines[0]?.startsWith('-') ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`
}

/**
 * Finds a block of code, together with the same program in other languages: blocks with a name beside the language that
 * GitHub knows.
 */
const programs = /(?:^```\w+ \w+\n.*?^```\n*)+|^```.*?^```\n*/gms
const program = /^```(\w*) ?(\w*)\n(.*?)^```$/gms

function code(text: string, id: string): Html {
  const items = [...text.trim().matchAll(program)].map(([, language = '', name = '', source = '']) => ({
    name: name || language,
    text: source.trimEnd(),
  }))
  return codeCard({ id, items, isSample: true })
}

function block(text: string, options: MarkdownOptions): Part {
  const lines = text.split('\n')
  if (text.startsWith('|')) return table(lines, options)
  if (bullet.test(text)) return list(lines, options)
  return html`<p>${inline(text, options)}</p>`
}

const blocks = (text: string, options: MarkdownOptions): Part[] =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => block(part, options))

export function markdown(text: string, options: MarkdownOptions = {}): Part[] {
  const parts: Part[] = []
  let last = 0
  for (const match of text.matchAll(programs)) {
    parts.push(blocks(text.slice(last, match.index), options), code(match[0], `code-${match.index}`))
    last = match.index + match[0].length
  }
  return [...parts, blocks(text.slice(last), options)]
}
