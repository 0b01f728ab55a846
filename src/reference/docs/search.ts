/**
 * The search through all pages. A result contains every meaningful word of the question, in any order, and results with
 * the most words in their title come first.
 */
import { announce, find, make } from './elements.ts'

/** An entry of the search index that the service offers. */
interface Entry {
  readonly href: string
  readonly title: string
  readonly group: string
  readonly method?: string
  readonly text: string
}

const field = find<HTMLInputElement>('#search')
const list = find('#found')
let index: Promise<readonly Entry[]> | undefined

/** Loads the index when somebody begins to search, or opens an address that the page does not know. */
export const load = () =>
  (index ??= fetch(document.body.dataset.search ?? '')
    .then((response): Promise<Entry[]> => response.json())
    .catch(() => {
      index = undefined
      return []
    }))

const foundMax = 30

const stopWords = new Set(
  'a an and are be by can do does for from get how i if in is it me my of on or should that the this to use what when where which why will with you'.split(
    ' ',
  ),
)

/** Returns the meaningful words of a question, or all words if none is meaningful. */
function wordsOf(question: string): string[] {
  const all = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const telling = all.filter((word) => !stopWords.has(word))
  return telling.length > 0 ? telling : all
}

function matches(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const count = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length
  return entries
    .filter(({ title, group, text }) => count(`${title} ${group} ${text}`) === words.length)
    .toSorted((a, b) => count(b.title) - count(a.title))
}

async function show(): Promise<void> {
  const searched = field.value
  const words = wordsOf(searched)
  const found = words.length > 0 ? matches(await load(), words) : []
  // Something else was typed meanwhile.
  if (searched !== field.value) return
  list.hidden = words.length === 0
  const item = ({ href, title, group }: Entry) =>
    make('li', {}, make('a', { href }, title, ' ', make('span', { className: 'quiet' }, group)))
  list.replaceChildren(...found.slice(0, foundMax).map(item))
  if (words.length > 0 && found.length === 0) list.append(make('li', { className: 'quiet' }, 'Nothing found'))
  if (words.length > 0) announce(`${found.length} found`)
}

function onKey(event: KeyboardEvent): void {
  const links = [...list.querySelectorAll('a')]
  const at = links.findIndex((link) => link.matches(':focus'))
  if (event.key === 'ArrowDown') links[at + 1]?.focus()
  else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : field)?.focus()
  else if (event.key === 'Enter' && at < 0) links[0]?.click()
  else if (event.key === 'Escape') close()
  else return
  event.preventDefault()
}

function close(): void {
  field.value = ''
  list.hidden = true
  field.focus()
}

export function followSearch(): void {
  field.addEventListener('input', show)
  field.addEventListener('focus', load)
  const part = find('.search')
  part.addEventListener('keydown', onKey)
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#found a, .search') !== part) list.hidden = true
  })
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    field.focus()
    field.select()
  })
}
