/**
 * Writes names for spreadsheets, and compares names of categories. The page for staff uses it, so it imports nothing.
 */

/**
 * Where a spreadsheet may see a formula in a cell. Some spreadsheets end a cell at other characters than the comma,
 * even within quotes, so one name may have several such places.
 */
const formulaStart = /(?<=^|[,;|\t\r\n])(?=[\s"]*[=+@＝＋－＠-])/g

/** The text of a cell in which no spreadsheet sees a formula. */
export const withoutFormulas = (cell: string): string =>
  /^-?[0-9]+$/.test(cell) ? cell : cell.replace(formulaStart, "'")

/** The same for names of categories that differ only in case, width and spaces. */
export const foldedName = (name: string): string => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
