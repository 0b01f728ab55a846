/** HTML templates. They escape every value, unless it already is HTML. */

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The values that a template accepts. false and undefined write nothing. */
export type Part = Html | string | number | false | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  return part === false || part === undefined ? '' : String(part).replace(/[&<>"]/g, (one) => entities[one] as string)
}

/** Makes HTML. Attributes are written in double quotes, which are escaped as well. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((string, i) => string + textOf(parts[i])).join(''))

export const joined = (parts: readonly Part[], between: string): Part[] =>
  parts.flatMap((part, i) => (i > 0 ? [between, part] : [part]))
