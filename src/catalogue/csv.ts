/** Reads the rows of a CSV file that arrives in blocks, and writes cells. */
import { CsvError, parse } from 'csv-parse/sync'
import { LineReader, lengthMax } from './lines.ts'

/** Called with the cells of a row that is not blank, and the number of the line on which it begins. */
type OnRow = (cells: readonly string[], line: number, problem?: string) => void

const badQuotes = 'a quote is not closed, or stands inside a cell that does not begin with one'
const noCells: readonly string[] = []

/** A cell as CSV text, in quotes if it needs them. */
export const cellText = (cell: string): string =>
  /^\s|[",\r\n]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

const optionsOf = (delimiter: string) => ({
  delimiter,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
})

/** The first row that is not blank. It has no cells if its quotes are wrong. */
export function firstRow(text: string, delimiter: string): readonly string[] {
  try {
    const [cells] = parse(text, { ...optionsOf(delimiter), skip_records_with_empty_values: true, to: 1 })
    return cells ?? noCells
  } catch (error) {
    if (error instanceof CsvError) return noCells
    throw error
  }
}

/** The rows up to the first wrong row, and whether further lines could make that row right. */
function rowsOf(text: string, delimiter: string): { rows: readonly (readonly string[])[]; isOpen: boolean } {
  const rows: string[][] = []
  try {
    parse(text, { ...optionsOf(delimiter), on_record: (cells: string[]) => void rows.push(cells) })
    return { rows, isOpen: false }
  } catch (error) {
    if (error instanceof CsvError) return { rows, isOpen: error.code === 'CSV_QUOTE_NOT_CLOSED' }
    throw error
  }
}

/** A row of empty cells, which spreadsheets also save. */
const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** How many lines a row takes. */
const linesOf = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => (cell.includes('\n') ? lines + cell.split('\n').length - 1 : lines), 1)

const lengthOf = (lines: readonly string[]): number => lines.reduce((length, line) => length + line.length, 0)

/**
 * If the quotes of a row are wrong, or if the row is too long, its first line is rejected, and reading continues with
 * the next line: a quote that is never closed costs one row, not the rest of the file.
 */
export class CsvReader {
  readonly #delimiter: string
  readonly #reader = new LineReader()
  /** Lines that belong to no row yet, with their line breaks, and the number of the first. */
  #lines: string[] = []
  #first = 1

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  /** Calls `onRow` for each complete row. `isLast` says that no text follows. */
  read(block: string, isLast: boolean, onRow: OnRow): void {
    this.#reader.read(block, isLast, (line, number, problem) => {
      if (problem === undefined) return void this.#lines.push(line)
      this.#readLines(true, onRow)
      onRow(noCells, number, problem)
      this.#first = number + 1
    })
    this.#readLines(isLast, onRow)
  }

  /** Unless `isEnd` is true, later lines may continue the last row. */
  #readLines(isEnd: boolean, onRow: OnRow): void {
    const lines = this.#lines
    let done = 0
    // It reads all lines together, but only a few lines after a problem. Otherwise each problem would cost as much as
    // the whole block.
    for (let count = lines.length; done < lines.length; ) {
      const end = Math.min(done + count, lines.length)
      const { rows, isOpen } = rowsOf(lines.slice(done, end).join(''), this.#delimiter)
      for (const cells of rows) {
        const next = done + linesOf(cells)
        if (next > done + 1 && lengthOf(lines.slice(done, next)) > lengthMax) break
        if (!isBlank(cells)) onRow(cells, this.#first + done)
        done = next
      }
      const mayContinue = isOpen && lengthOf(lines.slice(done, end)) <= lengthMax
      if (done === end || (mayContinue && end < lines.length)) count *= 2
      else if (mayContinue && !isEnd) break
      else {
        onRow(noCells, this.#first + done, badQuotes)
        done++
        count = 1
      }
    }
    this.#lines = lines.slice(done)
    this.#first += done
  }
}
