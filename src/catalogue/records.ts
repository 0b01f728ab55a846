/** Splits the text of a file into records, lines of NDJSON or rows of CSV, wherever its blocks begin and end. */
import { limits } from '../limits.ts'

/** Called with the cells of a row, or with a line as its only cell, and the number of the line on which it begins. */
type OnRecord = (cells: readonly string[], line: number, fault?: string) => void

/** As many as the bytes of the body of a POST, which has one animal, too. */
const lengthMax = limits.bodySize.bytes
const tooLong = `longer than ${lengthMax} characters`
const badQuotes = 'a quote is not closed, or stands inside a cell that does not begin with one'
const noCells: readonly string[] = []

/** A row of empty cells, which spreadsheets save, too. */
const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** The first row that is not blank; no cells if its quotes are wrong. */
export function firstRow(text: string, delimiter: string): readonly string[] {
  const rows: (readonly string[])[] = []
  new RecordReader(delimiter).read(text, true, (cells) => rows.push(cells))
  return rows[0] ?? noCells
}

/** A cell as CSV text, in quotes if it needs them. */
export const cellText = (cell: string): string =>
  /^\s|[",\r\n]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/**
 * If the quotes of a row are wrong, or if it is too long, its first line is rejected, and reading goes on with the
 * next: a quote that is never closed costs one row, not the rest of the file.
 */
export class RecordReader {
  /** Undefined for NDJSON. */
  readonly #delimiter: string | undefined
  /** From the beginning of the next record on, which is in line #line. */
  #text = ''
  #line = 1
  /** Whether the text begins inside a line that was rejected as too long. */
  #isSkipping = false

  constructor(delimiter?: string) {
    this.#delimiter = delimiter
  }

  /** Calls `onRecord` for each complete record that is not blank; `isLast` says that no text follows. */
  read(block: string, isLast: boolean, onRecord: OnRecord): void {
    const text = this.#text + block
    let from = 0
    for (let next: number | undefined = 0; next !== undefined; next = this.#readOne(text, from, isLast, onRecord))
      from = next
    this.#text = text.slice(from)
  }

  /** Returns where the next record begins; undefined if there is none yet. */
  #readOne(text: string, from: number, isLast: boolean, onRecord: OnRecord): number | undefined {
    if (from === text.length) return undefined
    const lineEnd = nextLine(text, from)
    const isWhole = isLast || text[lineEnd - 1] === '\n'
    if (this.#isSkipping || textEnd(text, lineEnd) - from > lengthMax) {
      if (!this.#isSkipping) onRecord(noCells, this.#line, tooLong)
      this.#isSkipping = !isWhole
      if (isWhole) this.#line++
      return lineEnd
    }
    if (!isWhole) return undefined
    if (this.#delimiter !== undefined) return this.#readRow(text, from, isLast, this.#delimiter, onRecord)
    const line = text.slice(from, textEnd(text, lineEnd))
    if (line.trim() !== '') onRecord([line], this.#line)
    this.#line++
    return lineEnd
  }

  /** Continues with further lines while a quote is open. */
  #readRow(text: string, from: number, isLast: boolean, delimiter: string, onRecord: OnRecord): number | undefined {
    const firstEnd = nextLine(text, from)
    let end = firstEnd
    let lines = 1
    let isOpen = hasOpenQuote(text.slice(from, end))
    for (; isOpen && end < text.length && end - from <= lengthMax; lines++) {
      const next = nextLine(text, end)
      isOpen = !hasOpenQuote(text.slice(end, next))
      end = next
    }
    const isTooLong = textEnd(text, end) - from > lengthMax
    if (!isTooLong && !isLast && (isOpen || text[end - 1] !== '\n')) return undefined
    const cells = isTooLong || isOpen ? undefined : cellsOf(text.slice(from, textEnd(text, end)), delimiter)
    if (!cells) onRecord(noCells, this.#line, badQuotes)
    else if (!isBlank(cells)) onRecord(cells, this.#line)
    this.#line += cells ? lines : 1
    return cells ? end : firstEnd
  }
}

function nextLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at + 1
}

/** The end of the text without its line break. */
function textEnd(text: string, end: number): number {
  const at = text[end - 1] === '\n' ? end - 1 : end
  return text[at - 1] === '\r' ? at - 1 : at
}

const hasOpenQuote = (text: string): boolean => text.includes('"') && text.split('"').length % 2 === 0

/** Undefined if a quote stands where none may. */
function cellsOf(row: string, delimiter: string): string[] | undefined {
  if (!row.includes('"')) return row.split(delimiter)
  const cells: string[] = []
  for (let at = 0; at <= row.length; ) {
    const [, quoted] = /^"([^"]*(?:""[^"]*)*)"/.exec(row.slice(at)) ?? []
    const next = row.indexOf(delimiter, quoted === undefined ? at : at + quoted.length + 2)
    const end = next < 0 ? row.length : next
    const cell = row.slice(at, end)
    if (quoted === undefined ? cell.includes('"') : cell.length !== quoted.length + 2) return undefined
    cells.push(quoted === undefined ? cell : quoted.replaceAll('""', '"'))
    at = end + 1
  }
  return cells
}
