/** Cuts the text of a file into lines, CSV records or the elements of a JSON array, wherever its pieces begin and end. */
import { CommandFailed } from '../failure.ts'
import { limits } from '../limits.ts'

export const formats = ['ndjson', 'json', 'csv'] as const
export type Format = (typeof formats)[number]

export interface TextRecord {
  /** The line of the file on which it begins. */
  readonly line: number
  readonly text: string
  /** Of a CSV record without a fault. */
  readonly cells: readonly string[]
  /** Why it cannot be a row. */
  readonly fault: string | undefined
}

/** The cells of a CSV record; undefined if its quotes are wrong. */
export type Split = (text: string) => readonly string[] | undefined

/** Above it the body of a POST is refused, too. */
const lengthMax = limits.bodySize.bytes
/** What is kept of a record that is longer, to find it again. */
const shownLength = 1_000
const tooLong = `longer than ${limits.bodySize.text}`
const badQuotes = 'a quote is not closed, or stands inside a cell that does not begin with one'
const notAnArray = () =>
  new CommandFailed('The file is not a JSON array. For one object per line, use --format ndjson.')
const noCells: readonly string[] = []

const [tab, newline, carriageReturn, space, quote, comma] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c]
const [openBracket, backslash, closeBracket, openBrace, closeBrace] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d]

/**
 * Of a CSV record whose quotes are wrong, or that is too long, only the first line is rejected, and reading goes on with
 * the next one: an opening quote that was never closed costs a row, not the rest of the file.
 */
export class Cutter {
  readonly #isJson: boolean
  readonly #split: Split | undefined
  #rest = ''
  #line = 1
  /** Whether the rest of a record that is too long is being left out. */
  #isSkipping = false
  #isQuoted = false
  #isEscaped = false
  /** Of brackets and braces: 0 before the array, 1 between its elements. */
  #depth = 0
  #isOver = false

  /** Only CSV has to be split. */
  constructor(format: Format, split?: Split) {
    this.#isJson = format === 'json'
    this.#split = split
  }

  /** Passes on the records that are complete, without blank ones; `isLast` says that no text follows. */
  read(more: string, isLast: boolean, each: (record: TextRecord) => void): void {
    const split = this.#split
    const text = this.#rest + more
    const newlineFrom = search(text, '\n')
    const quoteFrom = search(text, '"')
    let start = 0
    const goTo = (place: number) => {
      for (let at = newlineFrom(start); at < place; at = newlineFrom(at + 1)) this.#line++
      start = place
    }

    for (let from = this.#rest.length; ; from = start) {
      if (!split && !this.#isSkipping) goTo(spaceEnd(text, start))
      if (start === text.length) break
      if (this.#isJson && this.#depth === 0 && !this.#isOver) {
        if (text.charCodeAt(start) !== openBracket) throw notAnArray()
        this.#depth = 1
        goTo(start + 1)
        continue
      }
      from = Math.max(from, start)
      let end = newlineFrom(from)
      if (this.#isJson) end = this.#elementEnd(text, from)
      else if (split && !this.#isSkipping) end = this.#csvEnd(text.length, from, newlineFrom, quoteFrom)
      let isOpen = end === text.length
      if (isOpen && (isLast ? this.#depth > 0 : !this.#isSkipping && end - start <= lengthMax)) break
      if (!this.#isSkipping) {
        let fault = end - start > lengthMax ? tooLong : undefined
        const cells = split && !fault ? split(lineOf(text, start, end)) : noCells
        if (split && (fault || !cells)) {
          this.#isQuoted = false
          end = Math.min(end, newlineFrom(start))
          isOpen = end === text.length
          fault = end - start > lengthMax ? tooLong : badQuotes
        } else if (isOpen && this.#isOver) fault = 'the array has ended before'
        const line = lineOf(text, start, end)
        const record = fault === tooLong ? line.slice(0, shownLength) : split ? line : line.trimEnd()
        if (record !== '') each({ line: this.#line, text: record, cells: cells ?? noCells, fault })
      }
      this.#isSkipping = isOpen && !isLast
      goTo(Math.min(end + 1, text.length))
    }
    this.#rest = text.slice(start)
    if (!isLast || !this.#isJson || this.#isOver) return
    if (this.#depth === 0) throw notAnArray()
    each({ line: this.#line, text: this.#rest, cells: noCells, fault: 'the file ends before its array does' })
  }

  #csvEnd(length: number, from: number, newlineFrom: Search, quoteFrom: Search): number {
    for (let at = from; ; this.#isQuoted = !this.#isQuoted) {
      const next = quoteFrom(at)
      const end = this.#isQuoted ? next : newlineFrom(at)
      if (this.#isQuoted ? end === length : end <= next) return end
      at = next + 1
    }
  }

  #elementEnd(text: string, from: number): number {
    let at = from
    for (; at < text.length && !this.#isOver; at++) {
      if (this.#isQuoted) {
        at = this.#stringEnd(text, at)
        continue
      }
      const c = text.charCodeAt(at)
      if (c === quote) this.#isQuoted = true
      else if (c === comma && this.#depth === 1) return at
      else if (c === openBracket || c === openBrace) this.#depth++
      else if (c === closeBracket || c === closeBrace) {
        this.#isOver = --this.#depth === 0
        if (this.#isOver) return at
      }
    }
    return text.length
  }

  /** The place of the closing quote, or the end of the text. */
  #stringEnd(text: string, from: number): number {
    let isEscaped = this.#isEscaped
    let at = from
    for (; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (isEscaped) isEscaped = false
      else if (c === backslash) isEscaped = true
      else if (c === quote) break
    }
    this.#isEscaped = isEscaped
    this.#isQuoted = at === text.length
    return at
  }
}

/** The first place of a character from the given one on, or the end of the text. */
type Search = (from: number) => number

/** Remembers what was found, as else a text without the character would be searched for each of its records. */
function search(text: string, character: string): Search {
  let searched = 0
  let found = -1
  return (from) => {
    if (from >= searched && from <= found) return found
    searched = from
    found = text.indexOf(character, from)
    if (found < 0) found = text.length
    return found
  }
}

function spaceEnd(text: string, from: number): number {
  for (let at = from; ; at++) {
    const c = text.charCodeAt(at)
    if (c !== newline && c !== carriageReturn && c !== space && c !== tab) return at
  }
}

/** Without the carriage return before its line feed. */
const lineOf = (text: string, from: number, end: number): string =>
  text.slice(from, end > from && end < text.length && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end)
