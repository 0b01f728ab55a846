// @ts-nocheck
/** The list of everything on the page: it follows the scroll, and is searched. */
import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { announce, html, Method } from './base.ts'
import { errorsOf, inWords, outline, sharedErrors } from './contract.ts'

/** The id of the part that is being read. */
export const current = signal('introduction')
const searched = signal('')
/** Whether the list is open, on screens where it covers the page. */
const isOpen = signal(false)

const entries = computed(() => {
  const { groups, sections, schemas } = outline.value
  return [
    { id: 'introduction', title: 'Introduction', group: 'About', text: outline.value.introduction },
    ...groups.flatMap(({ name, operations }) =>
      operations.map((each) => ({ ...each, group: name, text: textOf(each) })),
    ),
    ...(sharedErrors.value.length > 0 ? [commonErrors()] : []),
    ...sections.map((section) => ({ ...section, group: 'For all operations' })),
    ...schemas.map(({ id, name, node }) => ({ id, title: name, group: 'Schemas', text: schemaText(node) })),
  ].map((entry) => {
    const heading = `${entry.title} ${entry.path ?? ''}`.toLowerCase()
    return { ...entry, heading, text: `${heading} ${entry.text}`.toLowerCase() }
  })
})

const commonErrors = () => {
  const text = inWords(sharedErrors.value.map(({ status, paragraphs }) => [status, paragraphs]))
  return { id: 'common-errors', title: 'Common errors', group: 'For all operations', text }
}

const textOf = (operation) => {
  const { id, method, parameters, node } = operation
  const names = parameters.map(({ name, description }) => `${name} ${description}`)
  const errors = errorsOf(operation).own.map(({ status, paragraphs }) => `${status} ${paragraphs}`)
  return [id, method, node.description, names, errors].join(' ')
}

const schemaText = ({ description, properties = {} }) => `${description} ${Object.keys(properties)}`

/** Every word is found somewhere; those with all words in their heading come first. */
const found = computed(() => {
  const words = searched.value.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text) => words.every((word) => text.includes(word))
  const matches = entries.value.filter(({ text }) => has(text))
  const inHeading = matches.filter(({ heading }) => has(heading))
  return words.length === 0 ? undefined : [...new Set([...inHeading, ...matches])]
})

const count = computed(() => `${found.value?.length} found`)

function Entry({ entry: { id, title, method, node } }) {
  return html`<li><a href="#${id}" aria-current=${current.value === id ? 'true' : undefined} onClick=${() => (isOpen.value = false)}>
    ${method && html`<${Method} method=${method} />`}
    <span class="title ${node?.deprecated ? 'ended' : ''}">${title}</span>
    ${node?.deprecated && html`<span class="mark">deprecated</span>`}${node?.['x-stability'] && html`<span class="mark">${node['x-stability']}</span>`}
  </a></li>`
}

export function openSearch() {
  isOpen.value = true
  requestAnimationFrame(() => {
    const field = document.getElementById('search')
    field.focus()
    field.select()
  })
}

export function Side() {
  const list = useRef()
  useEffect(() => {
    const at = list.current.querySelector('[aria-current]')
    if (!at) return
    const [box, own] = [list.current.getBoundingClientRect(), at.getBoundingClientRect()]
    // Only the list is scrolled, never the page.
    if (own.top < box.top || own.bottom > box.bottom) list.current.scrollTop += own.top - box.top - box.height / 3
  }, [current.value])
  const search = ({ target }) => {
    searched.value = target.value
    if (found.value) announce(count.value)
  }
  const onKey = (event) => {
    const links = [...list.current.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    const isField = event.target.id === 'search'
    if (event.key === 'ArrowDown') links[at + 1]?.focus()
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : document.getElementById('search')).focus()
    else if (event.key === 'Enter' && isField) links[0]?.click()
    else if (event.key === 'Escape') {
      searched.value = ''
      isOpen.value = false
      // Where it covers the page, the field is gone now.
      event.currentTarget.querySelector('.menu').focus()
    } else return
    event.preventDefault()
  }
  const groups = found.value ? { [count.value]: found.value } : Object.groupBy(entries.value, ({ group }) => group)
  return html`<div class="side ${isOpen.value ? 'open' : ''}" onKeyDown=${onKey}>
    <button type="button" class="menu" aria-expanded=${isOpen.value} aria-controls="contents" onClick=${() => (isOpen.value = !isOpen.value)}>Contents and search</button>
    <nav id="contents" aria-label="Contents">
      <label class="search"><span class="hidden">Search the reference</span>
        <input id="search" type="search" placeholder="Search" aria-keyshortcuts="/" autocomplete="off" value=${searched.value} onInput=${search} /><kbd aria-hidden="true">/</kbd></label>
      <div class="list" ref=${list} tabindex="-1">${Object.entries(groups).map(([name, list]) => html`<h2>${name}</h2><ul>${list.map((entry) => html`<${Entry} key=${entry.id} entry=${entry} />`)}</ul>`)}</div>
    </nav>
  </div>`
}
