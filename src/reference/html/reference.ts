/** Makes all pages of a reference, in order. */
import type { Operation as Declared } from '../../http/operation.ts'
import { bookOf, type Chapter, errorsId, type Group, headersId, messagesId } from './book.ts'
import { chapterContent, errorsContent, headersContent, messagesContent } from './chapters.ts'
import { type Book, type OpenApi, type Operation, resolve, type Schema } from './document.ts'
import { type Html, html, type Part } from './html.ts'
import { markdown } from './markdown.ts'
import type { Entry, Page } from './page.ts'
import { type Section, sectionsOf } from './sections.ts'

interface ReferenceOptions {
  readonly document: OpenApi
  readonly operations: readonly Declared[]
  readonly groups: readonly Group[]
  /** The guides in Markdown, with a heading for each of them. */
  readonly guides: string
  /** The address of the first page. */
  readonly root: string
}

/** Returns the path of a guide, below the first page. */
export const guidePath = (id: string): string => `/guides/${id}`

/** Returns the words of a schema and of its members, for the search. */
function wordsOf(given: Schema, book: Book): string {
  const { description = '', properties = {}, oneOf = [], anyOf = oneOf } = resolve(book, given)
  const members = Object.entries(properties).map(([name, each]) => `${name} ${resolve(book, each).description ?? ''}`)
  return [description, ...members, ...anyOf.map((each) => wordsOf(each, book))].join(' ')
}

/**
 * Returns the text by which an operation is found: its description, its parameters, the members of its body, and its
 * errors.
 */
function textOf({ operationId, description, parameters, requestBody, responses }: Operation, book: Book): string {
  const names = parameters.map((each) => `${each.name} ${each.description}`)
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => wordsOf(schema, book))
  const answers = Object.values(responses).map((each) => each.description)
  return [operationId, description, ...names, ...new Set(bodies), ...answers].join(' ')
}

const objectEntry = (name: string, book: Book): Entry => ({
  id: name,
  title: name,
  text: wordsOf({ $ref: `#/components/schemas/${name}` }, book),
})

/** An error is found by its code and by its row of the table. */
const codeEntry = (code: string, table: string): Entry => ({
  id: code,
  title: code,
  text: table.split('\n').find((line) => line.includes(`\`${code}\``)) ?? '',
})

const entryOf = (node: Operation, book: Book, method?: string): Entry => ({
  id: node.operationId,
  title: node.summary,
  ...(method && { method }),
  marks: node,
  text: textOf(node, book),
})

const chapterPage = ({ group, href, operations, objects }: Chapter, book: Book, content: () => Part): Page => ({
  href,
  title: group.title,
  text: group.description,
  entries: operations.map(({ node, method }) => entryOf(node, book, method)),
  objects: objects.map((name) => objectEntry(name, book)),
  content,
})

function introduction({ document, root }: ReferenceOptions, text: string, chapters: readonly Chapter[]): Page {
  const { title, summary, version, contact, license } = document.info
  const row = ([name, value]: readonly [string, string]) =>
    html`<div><dt class="quiet">${name}</dt><dd><code>${value}</code></dd></div>`
  const rows = [['Version', version] as const, ...document.servers.map((each) => [each.description, each.url] as const)]
  const card = ({ href, group, operations }: Chapter) => html`<li><a href="${href}"><strong>${group.title}</strong>
<span>${group.description}</span>
<span class="quiet">${operations.length} operation${operations.length > 1 && 's'}</span></a></li>`
  const content = () => html`<h1>${title}</h1><p class="lead">${summary}</p>
<div class="words">${markdown(text)}</div><dl class="addresses">${rows.map(row)}</dl>
<ul class="cards">${chapters.map(card)}</ul>
<p class="quiet">Contact: ${contact.name}. Licence: ${license.name}.</p>`
  return { href: root, title: 'Introduction', text: `${summary}\n${text}`, entries: [], content }
}

function guidePages(sections: readonly Section[], root: string): Page[] {
  const hrefOf = (target: string) => (target.startsWith('#') ? root + guidePath(target.slice(1)) : target)
  return sections.map(({ id, title, text }) => ({
    href: root + guidePath(id),
    title,
    section: 'Guides',
    text,
    entries: [],
    content: () => html`<h1>${title}</h1><div class="wide guide">${markdown(text, { hrefOf })}</div>`,
  }))
}

/** Makes the page of a section of the document's description. */
function sectionPage(section: Section, root: string, book: Book): Page {
  const { id, title, text } = section
  const contents: Readonly<Record<string, () => Part>> = {
    [errorsId]: () => errorsContent(section, book),
    [headersId]: () => headersContent(section, book),
  }
  const { 'x-extensible-enum': codes = [] } = book.document.components.schemas.Error?.properties?.code ?? {}
  const plain = () => html`<h1>${title}</h1><div class="wide">${markdown(text)}</div>`
  return {
    href: `${root}/${id}`,
    title,
    section: 'For all operations',
    text,
    entries: [],
    ...(id === errorsId && { objects: codes.map((code) => codeEntry(String(code), text)) }),
    content: contents[id] ?? plain,
  }
}

export function referencePages(options: ReferenceOptions): Page[] {
  const { document, operations, groups, root } = options
  const { book, chapters, messages } = bookOf(document, operations, groups, root)
  const [before, sections] = sectionsOf(document.info.description)
  const guides = guidePages(sectionsOf(options.guides)[1], root)
  const linkTo = (id: string): Html => {
    const href = root + guidePath(id)
    return html`<a href="${href}">${guides.find((guide) => guide.href === href)?.title}</a>`
  }
  const messagesPage: Page = {
    href: `${root}/${messagesId}`,
    title: 'Webhook messages',
    text: 'What the service sends to your webhooks.',
    entries: messages.list.map((node) => entryOf(node, book)),
    objects: messages.objects.map((name) => objectEntry(name, book)),
    content: () => messagesContent(messages.list, messages.objects, linkTo('webhooks'), book),
  }
  return [
    introduction(options, before, chapters),
    ...guides,
    ...chapters.map((chapter) =>
      chapterPage(chapter, book, () => chapterContent(chapter, (chapter.group.guides ?? []).map(linkTo), book)),
    ),
    ...(messages.list.length > 0 ? [messagesPage] : []),
    ...sections.map((section) => sectionPage(section, root, book)),
  ]
}
