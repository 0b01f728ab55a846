/**
 * Splits a Markdown text into sections, each with its heading, for the guides and for the description of the document.
 */

export interface Section {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Makes anchors from headings in the same way as GitHub. */
const slugOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')

/** Returns the text before the first heading, and the sections. */
export function sectionsOf(text: string): readonly [before: string, sections: Section[]] {
  const [before = '', ...parts] = text.split(/^## /m)
  const sections = parts.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    return { id: slugOf(title), title, text: lines.join('\n').trim() }
  })
  return [before.trim(), sections]
}
