/** Splits a file into records, which are lines of NDJSON or rows of CSV, wherever its blocks begin and end. */
import { CsvError, parse } from 'csv-parse/sync'
import { limits } from '../limits.ts'

/** Called with the cells of a row, or with a line as its only cell. During the call, the reader has its `line` and `text`. */
type OnRecord = (cells: readonly string[], fault: string | undefined) => void

/** The limit of the body of a POST, which has one animal, too. */
const bytesMax = limits.bodySize.bytes
/** How much of a longer record is kept for the file of rejected rows. */
const excerptBytes = 1_000
const tooLong = `longer than ${limits.bodySize.text}`
const badQuotes = 'a quote is not closed, or stands inside a cell that does not begin with one'
const noCells: readonly string[] = []
const [newline, carriageReturn, quote] = [0x0a, 0x0d, 0x22]

const csvOptions = { record_delimiter: ['\r\n', '\n'], relax_column_count: true, skip_empty_lines: true }

/** A row of empty cells, which spreadsheets save, too. */
const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** The first row that is not blank; no cells if its quotes are wrong. */
export function firstRow(text: Buffer, delimiter: string): readonly string[] {
  const rows: string[][] = []
  try {
    parse(text, { ...csvOptions, delimiter, to: 100, on_record: (cells: string[]) => void rows.push(cells) })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return rows.find((cells) => !isBlank(cells)) ?? noCells
}

/** A cell as CSV text, in quotes if it needs them. */
export const cellText = (cell: string, delimiter = ','): string =>
  cell.includes(delimiter) || /^\s|["\r\n]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/**
 * If the quotes of a row are wrong, or if it is too long, its first line is rejected, and reading goes on with the next line:
 * a quote that is never closed costs one row, not the rest of the file.
 */
export class RecordReader {
  /** Undefined for NDJSON. */
  readonly #delimiter: string | undefined
  readonly #parseRows: typeof parse
  #buffer: Buffer = Buffer.alloc(0)
  /** The current record in the buffer: its beginning, and the beginning of the next one. */
  #from = 0
  #to = 0
  /** The number of the line at the place #counted of the buffer. */
  #line = 1
  #counted = 0
  /** Whether the buffer begins inside a line that was rejected as too long. */
  #isSkipping = false

  constructor(delimiter?: string, parseRows = parse) {
    this.#delimiter = delimiter
    this.#parseRows = parseRows
  }

  /** The line of the file on which the record begins. */
  get line(): number {
    return this.#lineAt(this.#from)
  }

  get text(): string {
    return this.#buffer.toString('utf8', this.#from, this.#isTooLong ? this.#from + excerptBytes : this.#end)
  }

  /** The end of the record without its line break. */
  get #end(): number {
    let end = this.#to
    while (end > this.#from && isLineEnd(this.#buffer[end - 1])) end--
    return end
  }

  get #isTooLong(): boolean {
    return this.#end - this.#from > bytesMax
  }

  /** Calls `onRecord` for each complete record that is not blank; `isLast` says that no text follows. */
  read(block: Buffer, isLast: boolean, onRecord: OnRecord): void {
    // Copied, as the block is overwritten by the next one.
    this.#buffer = Buffer.concat([this.#buffer.subarray(this.#to), block])
    this.#to = this.#counted = 0
    const { length } = this.#buffer
    if (this.#isSkipping) {
      this.#to = this.#lineEnd(0, length)
      this.#isSkipping = this.#buffer[this.#to - 1] !== newline
    }
    const end = isLast ? length : this.#buffer.lastIndexOf(newline) + 1
    let isOpen = false
    while (this.#to < end && !isOpen)
      if (this.#delimiter === undefined) this.#readLine(end, onRecord)
      else isOpen = !this.#readRows(this.#delimiter, end, isLast, onRecord)
    // One more, as a carriage return at the end may be half of a line break.
    if (!isLast && !isOpen && length - this.#to > bytesMax + 1) {
      this.#isSkipping = true
      this.#readLine(length, onRecord)
    }
    this.#lineAt(this.#to)
  }

  #readLine(end: number, onRecord: OnRecord, fault?: string): void {
    this.#begin()
    this.#to = this.#lineEnd(this.#from, end)
    if (this.#isTooLong) onRecord(noCells, tooLong)
    else if (fault) onRecord(noCells, fault)
    else {
      const { text } = this
      if (text.trim() !== '') onRecord([text], undefined)
    }
  }

  /** Reads rows up to the first with wrong quotes, or rejects that. False if it continues after `end`. */
  #readRows(delimiter: string, end: number, isLast: boolean, onRecord: OnRecord): boolean {
    const start = this.#to
    // Looked for first: csv-parse takes 60 µs to begin and to fail, for every line that has one.
    const wrong = wrongQuotes(this.#buffer, start, end, delimiter.charCodeAt(0))
    if (wrong?.row === start) {
      if (wrong.isOpen && !isLast && this.#buffer.length - start <= bytesMax) return false
      this.#readLine(end, onRecord, badQuotes)
      return true
    }
    const stop = wrong?.row ?? end
    try {
      this.#parseRows(this.#buffer.subarray(start, stop), {
        ...csvOptions,
        delimiter,
        on_record: (cells: string[], { bytes }: { bytes: number }) => {
          const before = this.#to
          this.#begin()
          this.#to = start + bytes
          if (this.#isTooLong) {
            this.#to = before
            throw new CsvError('CSV_MAX_RECORD_SIZE', tooLong)
          }
          if (!isBlank(cells)) onRecord(cells, undefined)
        },
      })
      this.#to = stop
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      this.#readLine(end, onRecord, badQuotes)
    }
    return true
  }

  /** The next record begins after empty lines. */
  #begin(): void {
    this.#from = this.#to
    while (isLineEnd(this.#buffer[this.#from])) this.#from++
  }

  /** The place after the line break, or `end` if that comes first. */
  #lineEnd(from: number, end: number): number {
    const at = this.#buffer.indexOf(newline, from)
    return at < 0 ? end : Math.min(at + 1, end)
  }

  #lineAt(place: number): number {
    for (let at = this.#buffer.indexOf(newline, this.#counted); at >= 0 && at < place; this.#line++)
      at = this.#buffer.indexOf(newline, at + 1)
    this.#counted = place
    return this.#line
  }
}

/** The beginning of the first row with a quote that is not closed, or that stands where none may; undefined if there is none. */
function wrongQuotes(
  bytes: Buffer,
  from: number,
  end: number,
  delimiter: number,
): { readonly row: number; readonly isOpen: boolean } | undefined {
  let row = from
  let place: 'cell begins' | 'in cell' | 'in quotes' | 'after quotes' = 'cell begins'
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (place === 'in quotes') {
      if (byte === quote) place = 'after quotes'
    } else if (byte === quote) {
      if (place === 'in cell') return { row, isOpen: false }
      // Also after quotes: two of them stand for one.
      place = 'in quotes'
    } else if (byte === newline) {
      place = 'cell begins'
      row = at + 1
    } else if (byte === delimiter) place = 'cell begins'
    else if (place !== 'after quotes') place = 'in cell'
    else if (byte !== carriageReturn || bytes[at + 1] !== newline) return { row, isOpen: false }
  }
  return place === 'in quotes' ? { row, isOpen: true } : undefined
}

const isLineEnd = (byte: number | undefined): boolean => byte === newline || byte === carriageReturn
