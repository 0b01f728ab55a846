/** Reads the rows of a file to import. Each row is an animal or a category, and is checked like a request body. */
import { CommandFailed } from '../errors.ts'
import { CategoryRow, NewPet } from '../model/pet.ts'
import { isLikeNumber } from '../model/text.ts'
import { type Json, type JsonObject, type Parsed, parseJson } from '../schema/json.ts'
import { createBodyCheck, parseInt64, problemsText } from '../schema/schema.ts'
import { CsvReader, firstRow } from './csv.ts'
import { LineReader } from './lines.ts'

type Row = AcceptedRow | RejectedRow

interface AcceptedRow {
  /** The name and the id of a category. */
  readonly pet: Required<NewPet>
  /** The name of the category, if the file contains names instead of ids. */
  readonly category: string | undefined
}

export interface RejectedRow {
  readonly pet?: undefined
  readonly line: number
  readonly reason: string
}

export interface RowReader {
  /** Calls `onRow` for each complete row. `isLast` says that no text follows. */
  read(text: string, isLast: boolean, onRow: (row: Row) => void): void
  /** Whether the animals of the file name their categories instead of using ids. */
  readonly namesCategories: boolean
  /** What an operator should know about the file. */
  readonly note: string
}

/** What a row of the file is, and the columns that a CSV file must contain: one of each list. */
const kinds = {
  animals: {
    required: [['name'], ['categoryId', 'category']],
    header: 'name and category (or categoryId), and optionally status',
    check: createBodyCheck(NewPet),
  },
  categories: { required: [['name'], ['id']], header: 'id and name', check: createBodyCheck(CategoryRow) },
} as const
export type RowKind = keyof typeof kinds

/** The id of a category by its name, or why there is none. */
export type CategoryOf = (name: string) => bigint | string

/** Throws CommandFailed if the file, of which `start` is the beginning, has no rows of this kind. */
export function createRowReader(name: string, start: string, kind: RowKind, categoryOf: CategoryOf): RowReader {
  const [first] = start.trimStart()
  if (first === '[')
    throw new CommandFailed(
      `${name} is a JSON array. Write one object per line, with: jq -c '.[]' FILE | petstore import -`,
    )
  return first === '{' ? createJsonReader(kind) : createCsvReader(name, start, kind, categoryOf)
}

/** The row, or the reason to reject it. `parsed` may already be the reason. */
function checked(parsed: Parsed | string, kind: RowKind): AcceptedRow | string {
  if (typeof parsed === 'string') return parsed
  const result = kinds[kind].check(parsed)
  if (result.problems) return problemsText(result)
  const { name, id = 0n, categoryId = id, status = 'available' }: Values = result.value
  return { pet: { name, categoryId, status }, category: undefined }
}

type Values = Partial<NewPet> & { readonly name: string; readonly id?: bigint }

function createJsonReader(kind: RowKind): RowReader {
  const reader = new LineReader()
  return {
    note: '',
    namesCategories: false,
    read: (text, isLast, onRow) =>
      reader.read(text, isLast, (line, number, problem) => {
        if (problem === undefined && line.trim() === '') return
        const result = checked(problem ?? parse(line.replace(/\r?\n$/, '')), kind)
        onRow(typeof result === 'object' ? result : { line: number, reason: result })
      }),
  }
}

function parse(text: string): Parsed | string {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `not valid JSON: ${error.message}`
  }
}

/** Texts that look like a number are excluded, because they were meant as an id. */
const isCategoryName = (text: string): boolean =>
  !isLikeNumber(text) &&
  kinds.categories.check({
    value: new Map<string, Json>([
      ['id', 0n],
      ['name', text],
    ]),
    duplicates: [],
  }).problems === undefined

const delimiters = [',', ';', '\t'] as const
const columns = ['name', 'categoryId', 'category', 'status', 'id'] as const
type Column = (typeof columns)[number]

/** `Category ID` and `category_id` are the same as `categoryId`. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

interface Header {
  readonly delimiter: string
  readonly cells: readonly string[]
}

/** The delimiter depends on the country: it is the one with which the first row has the required columns. */
function headerOf(name: string, start: string, kind: RowKind): Header {
  const { required, header } = kinds[kind]
  const found = delimiters.map((delimiter): Header => ({ delimiter, cells: firstRow(start, delimiter) }))
  const isWhole = ({ cells }: Header) =>
    required.every((names) => cells.some((cell) => names.some((column) => plain(cell) === plain(column))))
  const best = found.find(isWhole)
  if (best) return best
  const [most] = found.sort((a, b) => b.cells.length - a.cells.length) as [Header]
  const seen = most.cells.filter((cell) => cell.trim() !== '').join(', ')
  throw new CommandFailed(
    `${name} needs a first line that names its columns: ${header}. It has: ${printable(seen) || 'none'}.`,
  )
}

/** Shortens a text to 200 characters, without control characters, which could be commands to the terminal. */
const printable = (text: string): string => text.replace(/\p{C}/gu, '').replace(/^(.{200}).+/su, '$1…')

function createCsvReader(name: string, start: string, kind: RowKind, categoryOf: CategoryOf): RowReader {
  const { delimiter, cells: names } = headerOf(name, start, kind)
  const width = names.length
  const known = names.map(plain)
  // If the file contains both columns, the id of the category counts.
  const used = columns.filter((column) =>
    column === 'id' ? kind === 'categories' : column !== 'category' || !known.includes('categoryid'),
  )
  const found = used.flatMap((column): (readonly [Column, number])[] => {
    const index = known.indexOf(plain(column))
    if (index !== known.lastIndexOf(plain(column)))
      throw new CommandFailed(`${name}: the column ${column} is given more than once.`)
    return index < 0 ? [] : [[column, index]]
  })
  const namesCategories = kind === 'animals' && found.some(([column]) => column === 'category')
  const others = names.filter((_, at) => known[at] !== '' && !found.some(([, index]) => index === at))
  const reader = new CsvReader(delimiter)
  let isHeader = true

  function rowOf(cells: readonly string[]): AcceptedRow | string {
    if (cells.length > width && cells.slice(width).some((cell) => cell !== ''))
      return `has ${cells.length} cells, the header has ${width}`
    const value: JsonObject = new Map()
    let category: string | undefined
    for (const [column, index] of found) {
      // A spreadsheet cannot distinguish an empty cell from a missing one.
      const cell = cells[index] ?? ''
      if (cell === '') continue
      if (column === 'name') value.set(column, cell)
      else if (column === 'status') value.set(column, cell.trim().toLowerCase())
      else if (column !== 'category' || !namesCategories) value.set(column, parseInt64(cell.trim()) ?? cell)
      else {
        const id = parseInt64(cell.trim())
        if (id === undefined && isCategoryName(cell.trim())) category = cell.trim()
        value.set('categoryId', category === undefined ? (id ?? cell) : 0n)
      }
    }
    const result = checked({ value, duplicates: [] }, kind)
    if (typeof result === 'string') {
      if (namesCategories)
        return result.replace('categoryId: must be', 'category: must be a name, or').replace('categoryId:', 'category:')
      const id = value.get('categoryId')
      const isName = typeof id === 'string' && isCategoryName(id.trim())
      return isName ? result.replace(/categoryId: must be [^;]+/, '$& (for names, call the column category)') : result
    }
    if (category === undefined) return result
    const categoryId = categoryOf(category)
    return typeof categoryId === 'string'
      ? `category: ${categoryId}`
      : { ...result, pet: { ...result.pet, categoryId }, category }
  }

  return {
    namesCategories,
    note: others.length > 0 ? `Columns that are not imported: ${printable(others.join(', '))}.\n` : '',
    read: (text, isLast, onRow) =>
      reader.read(text, isLast, (cells, line, problem) => {
        if (isHeader) return void (isHeader = false)
        const result = problem ?? rowOf(cells)
        onRow(typeof result === 'object' ? result : { line, reason: result })
      }),
  }
}
