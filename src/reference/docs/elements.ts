/** What the parts of the script share: finding and creating elements, and announcements for screen readers. */
import { piecesOf } from './highlight.ts'

/** Returns an element that the page always has. */
export function find<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E {
  const found = within.querySelector<E>(selector)
  if (!found) throw new Error(`There is no ${selector} on the page`)
  return found
}

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

/** Shows code in colour. */
export function showCode(element: HTMLElement, text: string): void {
  const pieces = [...piecesOf(text)].map(([piece, className]) =>
    className ? make('span', { className }, piece) : piece,
  )
  element.replaceChildren(make('code', {}, ...pieces))
}

/** Makes screen readers read a text aloud. It is also shown where it applies. */
export function announce(text: string): void {
  const said = find('#said')
  // If it is the same text again, a space at its end makes screen readers repeat it.
  said.textContent = said.textContent === text ? `${text}\u00a0` : text
}
