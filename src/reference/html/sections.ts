/** A Markdown text in parts, each with its heading: the guides, and the description of the document. */

export interface Section {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Anchors are made from headings in the same way as on GitHub. */
const slugOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')

/** The text before the first heading has no heading. */
export function sectionsOf(text: string): readonly [before: string, sections: Section[]] {
  const [before = '', ...parts] = text.split(/^## /m)
  const sections = parts.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    return { id: slugOf(title), title, text: lines.join('\n').trim() }
  })
  return [before.trim(), sections]
}
