/** The list of everything on the page: it follows the scroll, and is searched. */
import { computed, signal } from '@preact/signals'
import type { TargetedInputEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { announce, html, Method } from './base.ts'
import { type DocumentedOperation, inWords, outline, resolve } from './contract.ts'
import { errorsOf, sharedErrors } from './errors.ts'
import { guides } from './guides.ts'
import type { AnySchema, Operation } from './openapi.ts'

/** The id of the part that is being read. */
export const current = signal('introduction')
const searched = signal('')
/** Whether the list is open, on screens where it covers the page. */
const isOpen = signal(false)

/** What the list leads to, and what is found by it. */
interface ListEntry {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly text: string
  readonly method?: string
  readonly path?: string
  readonly node?: Operation
}

const entries = computed(() => {
  const { groups, sections, schemas } = outline.value
  const all: ListEntry[] = [
    { id: 'introduction', title: 'Introduction', group: 'About', text: outline.value.introduction },
    ...guides.value.map((guide) => ({ ...guide, group: 'Guides' })),
    ...groups.flatMap(({ name, operations }) =>
      operations.map((each) => ({ ...each, group: name, text: operationText(each) })),
    ),
    ...(sharedErrors.value.length > 0 ? [commonErrors()] : []),
    ...sections.map((section) => ({ ...section, group: 'For all operations' })),
    ...schemas.map(({ id, name, node }) => ({ id, title: name, group: 'Schemas', text: schemaText(node) })),
  ]
  return all.map((entry) => {
    const heading = `${entry.title} ${entry.path ?? ''}`.toLowerCase()
    return { ...entry, heading, text: `${heading} ${entry.text}`.toLowerCase() }
  })
})

/** What the reader reads, for the title of the window. */
export const currentTitle = computed(() => entries.value.find(({ id }) => id === current.value)?.title)

const commonErrors = (): ListEntry => {
  const text = inWords(sharedErrors.value.map(({ status, paragraphs }) => [status, paragraphs]))
  return { id: 'common-errors', title: 'Common errors', group: 'For all operations', text }
}

const operationText = (operation: DocumentedOperation): string => {
  const { id, method, parameters, node } = operation
  const names = parameters.map(({ name, description }) => `${name} ${description}`)
  const errors = errorsOf(operation).own.map(({ status, paragraphs }) => `${status} ${paragraphs}`)
  return [id, method, node.description, names, errors].join(' ')
}

const schemaText = (node: AnySchema): string => {
  const { description, properties = {} } = resolve(node)
  return `${description} ${Object.keys(properties)}`
}

/** Every word is found somewhere; those with all words in their heading come first. */
const found = computed(() => {
  const words = searched.value.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every((word) => text.includes(word))
  const matches = entries.value.filter(({ text }) => has(text))
  const inHeading = matches.filter(({ heading }) => has(heading))
  return words.length === 0 ? undefined : [...new Set([...inHeading, ...matches])]
})

const count = computed(() => `${found.value?.length} found`)

function Entry({ entry: { id, title, method, node } }: { entry: ListEntry }) {
  const stability = node?.['x-stability']
  return html`<li><a
    href="#${id}"
    aria-current=${current.value === id ? 'true' : undefined}
    onClick=${() => (isOpen.value = false)}
  >
    ${method && html`<${Method} method=${method} />`}
    <span class="title ${node?.deprecated ? 'ended' : ''}">${title}</span>
    ${node?.deprecated && html`<span class="mark">deprecated</span>`}
    ${node && !stability && !node.deprecated && html`<span class="mark">stable</span>`}
  </a></li>`
}

const searchField = () => document.querySelector<HTMLInputElement>('#search')

export function openSearch(): void {
  isOpen.value = true
  requestAnimationFrame(() => {
    searchField()?.focus()
    searchField()?.select()
  })
}

export function Side() {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = list.current?.getBoundingClientRect()
    const own = list.current?.querySelector('[aria-current]')?.getBoundingClientRect()
    if (!box || !own || (own.top >= box.top && own.bottom <= box.bottom)) return
    // Only the list is scrolled, never the page.
    list.current?.scrollBy(0, own.top - box.top - box.height / 3)
  }, [current.value])
  const search = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    searched.value = currentTarget.value
    if (found.value) announce(count.value)
  }
  const onKey = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.findIndex((link) => link.matches(':focus'))
    const isField = event.target === searchField()
    if (event.key === 'ArrowDown') links[at + 1]?.focus()
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : searchField())?.focus()
    else if (event.key === 'Enter' && isField) links[0]?.click()
    else if (event.key === 'Escape') {
      searched.value = ''
      isOpen.value = false
      // Where it covers the page, the field is gone now.
      event.currentTarget.querySelector<HTMLElement>('.menu')?.focus()
    } else return
    event.preventDefault()
  }
  const groups = found.value ? new Map([[count.value, found.value]]) : Map.groupBy(entries.value, ({ group }) => group)
  const group = ([name, list]: [name: string, list: readonly ListEntry[]]) => html`<details key=${name} open>
    <summary><h2>${name}</h2></summary>
    <ul>${list.map((entry) => html`<${Entry} key=${entry.id} entry=${entry} />`)}</ul>
  </details>`
  return html`<div class="side ${isOpen.value ? 'open' : ''}" onKeyDown=${onKey}>
    <button
      type="button"
      class="menu"
      aria-expanded=${isOpen.value}
      aria-controls="contents"
      onClick=${() => (isOpen.value = !isOpen.value)}
    >
      Contents and search
    </button>
    <nav id="contents" aria-label="Contents">
      <label class="search"><span class="hidden">Search the reference</span>
        <input
          id="search"
          type="search"
          placeholder="Search"
          aria-keyshortcuts="/"
          autocomplete="off"
          value=${searched.value}
          onInput=${search}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <div class="list" ref=${list} tabindex="-1">${[...groups].map(group)}</div>
    </nav>
  </div>`
}
