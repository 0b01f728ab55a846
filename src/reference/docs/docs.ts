/**
 * Adds to a page of the reference what needs a script: the key, the panels, the search, and one language for all
 * samples.
 */

import { announce, find } from './elements.ts'
import { followKey } from './key.ts'
import { followPanels } from './panel.ts'
import { followSearch, load } from './search.ts'
import { ofDevice } from './shared-key.ts'

const languageKept = 'petstore.language'

/**
 * A language that is chosen in one sample applies to all samples. It also applies to the next visit, if the browser
 * stores anything.
 */
function followLanguage(): void {
  const choose = (language: string) => {
    for (const tab of document.querySelectorAll<HTMLInputElement>('.sample input'))
      if (tab.value === language) tab.checked = true
  }
  choose(ofDevice?.getItem(languageKept) ?? '')
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.sample')) return
    const { top } = target.getBoundingClientRect()
    choose(target.value)
    ofDevice?.setItem(languageKept, target.value)
    // The samples above may have become longer or shorter, so this scrolls back to the clicked one.
    scrollBy(0, target.getBoundingClientRect().top - top)
  })
}

async function toClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // The clipboard is only available on secure addresses.
    const area = Object.assign(document.createElement('textarea'), { value: text })
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}

function followCopies(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('.copy') : null
    const blocks = button?.closest('.card')?.querySelectorAll('pre') ?? []
    const shown = [...blocks].find((each) => each.checkVisibility())
    if (!button || !shown) return
    await toClipboard(shown.textContent ?? '')
    announce(`Copied${button.querySelector('.hidden')?.textContent}`)
    button.classList.add('done')
    button.addEventListener('blur', () => button.classList.remove('done'), { once: true })
  })
}

/** Marks in the list of contents the part that is being read. */
function followScroll(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('#contents a')].map((link) => [link.getAttribute('href'), link]),
  )
  const parts = [...document.querySelectorAll<HTMLElement>('article[id]')]
  const mark = () => {
    const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8
    const read = parts.findLast((part) => part.getBoundingClientRect().top <= line)
    const current = read && links.get(`${location.pathname}#${read.id}`)
    for (const link of links.values()) {
      if (link === current) link.setAttribute('aria-current', 'true')
      else if (link.getAttribute('aria-current') === 'true') link.removeAttribute('aria-current')
    }
    current?.scrollIntoView({ block: 'nearest' })
  }
  if (parts.length > 0) addEventListener('scrollend', mark)
  mark()
}

/**
 * Follows addresses of former versions, which named a part of the only page, such as #listPets, #schema-Pet or
 * #/animals/listPets.
 */
async function followFormerAddress(): Promise<void> {
  const [, id = ''] = /([\w.]+)[^/]*$/.exec(location.hash.replace('#schema-', '#')) ?? []
  if (location.hash === '' || document.getElementById(location.hash.slice(1))) return
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#contents a')]
  const target =
    links.find(({ href }) => href.endsWith(`#${id}`)) ??
    links.find(({ pathname }) => pathname.endsWith(`/${location.hash.slice(1)}`)) ??
    // Objects are not in the list of contents, so the search index is used.
    (await load()).find(({ href }) => href.endsWith(`#${id}`))
  if (target) location.replace(target.href)
}

followFormerAddress()
followKey()
followPanels()
followSearch()
followLanguage()
followCopies()
followScroll()
// On a phone, the list of contents covers the page.
const contents = find('#contents')
contents.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a') && contents.matches(':popover-open')) contents.hidePopover()
})
