/** Finds the parts of code that have a colour, in every language of the pages. */

const keywords =
  'async await const defer export false for from func if import in let new nil None null package range return true ' +
  'type undefined var with'

/** The patterns, by the class of their colour. */
const kinds = {
  comment: /(?<=^|\s)(?:#|\/\/).*/,
  string: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/,
  number: /\b\d[\d._]*\b/,
  word: new RegExp(`\\b(?:${keywords.replaceAll(' ', '|')})\\b`),
}
const tokens = new RegExp(
  Object.entries(kinds)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join('|'),
  'gm',
)
/** Beyond this length, colours would cost more than they help. */
const colouredLength = 30_000

/** Splits the text into pieces, each with the class of its colour, if it has one. */
export function* piecesOf(text: string): Generator<readonly [piece: string, kind?: string]> {
  let last = 0
  if (text.length <= colouredLength)
    for (const { 0: piece, index, groups = {} } of text.matchAll(tokens)) {
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined) as string
      const isName = kind === 'string' && /^\s*:/.test(text.slice(index + piece.length, index + piece.length + 9))
      yield [text.slice(last, index)]
      yield [piece, isName ? 'member' : kind]
      last = index + piece.length
    }
  yield [text.slice(last)]
}
