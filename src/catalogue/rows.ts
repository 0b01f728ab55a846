/** The rows of a file to import: each checked as a body is, and either an animal, or a category, or the reason why it is none. */
import { CommandFailed } from '../failure.ts'
import { CategoryRow } from '../model/category.ts'
import { NewPet } from '../model/pet.ts'
import { createCheck } from '../schema/check.ts'
import { parseInt64 } from '../schema/int64.ts'
import { type Json, type JsonObject, type Parsed, parseJson } from '../schema/json.ts'
import { cellsOf, cellText } from './csv.ts'
import { Cutter, type Format, type TextRecord } from './records.ts'
import { isForeign } from './source.ts'

export interface Row {
  /** The line of the file on which it begins. */
  readonly line: number
  readonly text: string
  /** Of a category, its name and id. */
  readonly pet: Required<NewPet> | undefined
  /** The member `id`, which POST ignores. */
  readonly id: Json | undefined
  /** Why it is not an animal. */
  readonly reason: string
}

export interface Rows {
  /**
   * Passes on the rows that are complete; `isLast` says that no text follows. Throws CommandFailed if the file as a whole
   * is not in the format.
   */
  read(text: string, isLast: boolean, each: (row: Row) => void): void
  /** The first line of a file of rejected rows. */
  rejectsHead(): string
  /** A rejected row as a line of such a file, which can be imported once it is mended. */
  reject(row: Row): string
  /** What an operator should know about the file. */
  note(): string
}

/** What the rows of a file are, and the columns that a CSV file must have. */
const kinds = {
  animals: {
    required: ['name', 'categoryId'],
    header: 'name and categoryId, and optionally status',
    check: createCheck(NewPet),
  },
  categories: {
    required: ['name', 'id'],
    header: 'id and name',
    check: createCheck(CategoryRow),
  },
} as const
export type Kind = keyof typeof kinds

/** `parsed` is the reason if it could not be parsed. */
function rowOf({ line, text }: TextRecord, parsed: Parsed | string, kind: Kind): Row {
  let reason = parsed
  if (typeof parsed === 'object') {
    const { value, faults } = kinds[kind].check(parsed) as { value?: Values; faults?: readonly { text: string }[] }
    if (value) {
      const { name, id = 0n, categoryId = id, status = 'available' } = value
      return { line, text, pet: { name, categoryId, status }, id: (parsed.value as JsonObject).get('id'), reason: '' }
    }
    reason = faults?.map((fault) => fault.text).join('; ') ?? ''
  }
  return { line, text, pet: undefined, id: undefined, reason: `${isForeign(text) ? 'not valid UTF-8; ' : ''}${reason}` }
}

type Values = Partial<NewPet> & { readonly name: string; readonly id?: bigint }

export function createRows(format: Format, name: string, kind: Kind): Rows {
  if (format === 'csv') return createCsvRows(name, kind)
  const cutter = new Cutter(format)
  let isFirst = true
  return {
    note: () => '',
    read: (more, isLast, each) =>
      cutter.read(more, isLast, (record) => {
        // Some of its lines may be animals, the others would be rejected.
        if (isFirst && format === 'ndjson' && record.text.startsWith('['))
          throw new CommandFailed(`${name} begins as a JSON array. Use --format json.`)
        isFirst = false
        each(rowOf(record, record.fault ?? parse(record.text), kind))
      }),
    rejectsHead: () => '',
    reject({ line, text, reason }) {
      // Valid JSON has line ends only between its tokens.
      const row = typeof parse(text) === 'object' ? text.replace(/[\r\n]+/g, ' ') : JSON.stringify(text)
      return `{"line":${line},"reason":${JSON.stringify(reason)},"row":${row}}\n`
    },
  }
}

function parse(text: string): Parsed | string {
  try {
    let { value, duplicates } = parseJson(text)
    // The row inside a line of a file of rejected rows, some of which may have been rejected before.
    while (value instanceof Map && value.size === 3 && value.has('line') && value.has('reason') && value.has('row'))
      value = value.get('row') as Json
    return { value, duplicates }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `not valid JSON: ${error.message}`
  }
}

const delimiters = [',', ';', '\t'] as const
const columns = ['name', 'categoryId', 'status', 'id'] as const

/** `Category ID` and `category_id` are the same as `categoryId`. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

function createCsvRows(name: string, kind: Kind): Rows {
  const { required, header: expected } = kinds[kind]
  let header: TextRecord | undefined
  let delimiter: (typeof delimiters)[number] = ','
  /** Of the columns that there are. */
  let places: readonly (readonly [column: (typeof columns)[number], place: number])[] = []
  let others: readonly string[] = []

  const isHeader = (cells: readonly string[]) =>
    required.every((column) => cells.some((cell) => plain(cell) === plain(column)))
  const cutter = new Cutter('csv', (text) => {
    if (!header) delimiter = delimiters.find((each) => isHeader(cellsOf(text, each) ?? [])) ?? ','
    return cellsOf(text, delimiter)
  })

  function begin(record: TextRecord): void {
    if (!isHeader(record.cells)) refuse(record.text)
    const cells = record.cells.map(plain)
    places = columns.map((column) => [column, cells.indexOf(plain(column))] as const).filter(([, place]) => place >= 0)
    const twice = places.find(([column, place]) => cells.lastIndexOf(plain(column)) !== place)
    if (twice) throw new CommandFailed(`${name}: the column ${twice[0]} is given more than once.`)
    others = record.cells.filter((cell, at) => cell !== '' && !places.some(([, place]) => place === at))
    header = record
  }
  function refuse(text = ''): never {
    const advice = text.includes('\r') ? ' Its lines must end in LF or CRLF.' : ''
    throw new CommandFailed(`${name} needs a first line that names its columns: ${expected}.${advice}`)
  }

  function membersOf(cells: readonly string[], width: number): Parsed | string {
    if (cells.length > width && cells.slice(width).some((cell) => cell !== ''))
      return `has ${cells.length} cells, the header has ${width}`
    const value: JsonObject = new Map()
    for (const [column, place] of places) {
      // A spreadsheet cannot tell an empty cell from none.
      const cell = cells[place] ?? ''
      if (cell === '') continue
      if (column === 'name') value.set(column, cell)
      else if (column === 'status') value.set(column, cell.trim())
      else value.set(column, parseInt64(cell.trim()) ?? cell)
    }
    return { value, duplicates: [] }
  }

  return {
    note: () => (others.length > 0 ? `Columns that are not imported: ${others.join(', ')}.\n` : ''),
    read(more, isLast, each) {
      cutter.read(more, isLast, (record) => {
        // Excel writes `sep=;` before the header, and spreadsheets write rows of empty cells.
        if (!header) /^sep=.$/i.test(record.text) || begin(record)
        else if (record.fault || record.cells.some((cell) => cell !== ''))
          each(rowOf(record, record.fault ?? membersOf(record.cells, header.cells.length), kind))
      })
      if (isLast && !header) refuse()
    },
    rejectsHead: () => `line${delimiter}reason${delimiter}${header?.text}\n`,
    reject({ line, text, reason }) {
      const row = cellsOf(text, delimiter) ? text : cellText(text, delimiter)
      return `${[line, cellText(reason, delimiter), row].join(delimiter)}\n`
    },
  }
}
