/** What the parts of the script share: finding and making elements, and what is said to those who listen. */
import { piecesOf } from './highlight.ts'

/** An element that the page always has. */
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

/** Read aloud by screen readers; shown where it happens as well. */
export function announce(text: string): void {
  const said = find('#said')
  // Again if it was the last that was said.
  said.textContent = said.textContent === text ? `${text}\u00a0` : text
}
