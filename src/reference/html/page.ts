/** What surrounds the content of every page: links to the files, the search, the key, and the list of contents. */
import type { Marked } from './document.ts'
import { Html, html, type Part } from './html.ts'
import { methodMark } from './operation.ts'
import { badges } from './schema.ts'

/** A part of a page that the list of contents and the search lead to. */
export interface Entry {
  readonly id: string
  readonly title: string
  readonly method?: string
  readonly marks?: Marked
  readonly text: string
}

export interface Page {
  /** The address of the part. */
  readonly href: string
  readonly title: string
  /** The section of the list of contents that contains it, unless it stands alone. */
  readonly section?: string
  readonly text: string
  readonly entries: readonly Entry[]
  /** Parts that the search finds but the list of contents does not show. */
  readonly objects?: readonly Entry[]
  readonly content: () => Part
}

/** What all pages of one reference have in common. */
export interface Frame {
  readonly title: string
  readonly pages: readonly Page[]
  /** The style sheet. It must not contain anything that would end its element. */
  readonly style: string
  /** The addresses of the files that the pages load, by their kind. */
  readonly assets: { readonly js: string; readonly icon: string; readonly search: string }
  /** The links in the head of every page. */
  readonly links: readonly Link[]
  /** The address to which the panels send requests, and the requests that any key may make. */
  readonly base: string
  readonly check: string
  /** How to get a key. */
  readonly keyHelp: Part
}

interface Link {
  readonly title: string
  readonly href: string
  /** The relation, if it is a file. */
  readonly rel?: string
  readonly type?: string
}

/** There is no room for the day of the sunset. */
const shortened = ({ 'x-deprecated-sunset': _, ...marks }: Marked): Marked => marks

function contents({ pages }: Frame, current: Page): Part {
  const link = (title: Part, href: string, page: Page) =>
    html`<li><a href="${href}"${page === current && href === page.href && html` aria-current="page"`}>${title}</a></li>`
  const entry = (page: Page) => (each: Entry) =>
    link(
      html`<span class="title${each.marks?.deprecated && ' ended'}">${each.title}</span>${
        each.marks && badges(shortened(each.marks))
      }${each.method && methodMark(each.method)}`,
      `${page.href}#${each.id}`,
      page,
    )
  const fold = (title: string, isOpen: boolean, list: readonly Part[]) =>
    html`<details${isOpen && html` open`}><summary>${title}</summary><ul>${list}</ul></details>`
  return [...Map.groupBy(pages, (page) => page.section ?? page.title)].map(([title, list]) => {
    const [first] = list as [Page]
    if (first.section)
      return fold(
        title,
        list.includes(current),
        list.map((page) => link(page.title, page.href, page)),
      )
    if (first.entries.length === 0) return html`<ul>${link(title, first.href, first)}</ul>`
    return fold(title, first === current, [link('Overview', first.href, first), first.entries.map(entry(first))])
  })
}

/** Turns Markdown into plain text. */
const withoutMarks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/[`*]/g, '')

const head = ({ title, pages, style, assets, links }: Frame, page: Page): Html => html`<meta charset="utf-8">
<title>${page === pages[0] ? title : `${page.title} · ${title}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${withoutMarks(page.text.split('\n')[0] ?? '')}">
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<style>${new Html(style)}</style>
${links
  .filter(({ rel }) => rel)
  .map(({ title, href, rel, type }) => html`<link rel="${rel}" type="${type}" title="${title}" href="${href}">\n`)}`

const keyDialog = ({
  keyHelp,
}: Frame): Html => html`<dialog id="key-dialog" aria-labelledby="key-title"><form id="key-form">
<h2 id="key-title">API key</h2>
<p id="key-help">${keyHelp}</p>
<label for="key">Key</label>
<div class="key-line">
<input id="key" type="password" maxlength="200" autocomplete="off" spellcheck="false"
  aria-describedby="key-help key-state">
<button type="button" id="key-show" aria-pressed="false">Show</button></div>
<p id="key-state" role="status"></p>
<p><label id="key-remember" hidden><input type="checkbox"> Remember it on this device</label></p>
<p class="actions"><button class="primary">Use this key</button>
<button type="button" id="key-out" hidden>Sign out</button><button type="button" id="key-close">Close</button></p>
</form></dialog>
<dialog id="question" aria-labelledby="question-title"><form method="dialog">
<h2 id="question-title">Send it?</h2><p>This changes what the service stores.</p><pre></pre>
<p class="actions"><button class="primary" value="yes">Send it</button><button value="no">Cancel</button></p>
</form></dialog>`

/** Makes the whole page. Its script is loaded last, so that it does not delay drawing. */
export function pageHtml(frame: Frame, page: Page): string {
  const { title, pages, assets, links, base, check } = frame
  const at = pages.indexOf(page)
  const [before, after] = [pages[at - 1], pages[at + 1]]
  const step = (to: Page | undefined, rel: string, word: string) =>
    to && html`<a rel="${rel}" href="${to.href}"><span class="quiet">${word}</span> ${to.title}</a>`
  return html`<!doctype html>
<html lang="en">
<head>${head(frame, page)}</head>
<body data-base="${base}" data-check="${check}" data-search="${assets.search}">
<a class="hidden" href="#reference">Skip to the reference</a>
<header class="masthead">
<a class="brand" href="${pages[0]?.href}"><img src="${assets.icon}" alt="" width="28" height="28">${title}</a>
<button type="button" class="menu" popovertarget="contents">Contents</button>
<div class="search" role="search"><label class="hidden" for="search">Search the reference</label>
<input id="search" type="search" placeholder="Search" aria-keyshortcuts="/" autocomplete="off">
<kbd aria-hidden="true">/</kbd><ul id="found" hidden></ul></div>
<nav class="files" aria-label="Files">${links.map((link) => html`<a href="${link.href}">${link.title}</a> `)}</nav>
<button type="button" id="key-button">API key</button>
</header>
<div class="columns">
<nav id="contents" popover aria-label="Contents">${contents(frame, page)}</nav>
<main id="reference" tabindex="-1">
${page.content()}
<nav class="steps" aria-label="Next and previous">
${step(before, 'prev', 'Before:')}${step(after, 'next', 'Next:')}</nav>
</main></div>
<p class="hidden" id="said" role="status"></p>
${keyDialog(frame)}
<script type="module" src="${assets.js}"></script>
</body></html>
`.text
}

/** Makes the search index: each entry with its heading and all words by which it is found. */
export const searchIndex = (pages: readonly Page[]): string =>
  JSON.stringify(
    pages.flatMap(({ href, title, section, text, entries, objects = [] }) => [
      { href, title, group: section ?? '', text },
      ...[...entries, ...objects].map((each) => ({ ...each, href: `${href}#${each.id}`, group: title })),
    ]),
    (name, value) => (name === 'marks' || name === 'id' ? undefined : value),
  )
