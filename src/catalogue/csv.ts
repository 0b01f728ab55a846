/** The cells of a CSV record, as RFC 4180 has it and as spreadsheets write it. */

/** Undefined if a quote is not closed, or stands inside a cell that does not begin with one. */
export function cellsOf(record: string, delimiter: string): string[] | undefined {
  const hasQuotes = record.includes('"')
  const cells: string[] = []
  for (let at = 0; ; at++) {
    let end = record.indexOf(delimiter, at)
    if (hasQuotes && record[at] === '"') {
      let close = record.indexOf('"', at + 1)
      while (close > 0 && record[close + 1] === '"') close = record.indexOf('"', close + 2)
      end = close + 1
      if (close < 0 || (end < record.length && record[end] !== delimiter)) return undefined
      cells.push(record.slice(at + 1, close).replaceAll('""', '"'))
    } else {
      if (end < 0) end = record.length
      const cell = record.slice(at, end)
      if (hasQuotes && cell.includes('"')) return undefined
      cells.push(cell)
    }
    if (end >= record.length) return cells
    at = end
  }
}

/** A cell as CSV text: in quotes where it has to be. */
export const cellText = (cell: string, delimiter = ','): string =>
  cell.includes(delimiter) || /^\s|["\r\n]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
