/** Names in spreadsheets. The page for staff uses it, so it imports nothing. */

/**
 * Where a spreadsheet may see a formula in a cell. Some spreadsheets end a cell at other characters than the comma,
 * even within quotes, so one name may have several such places.
 */
const formulaStart = /(?<=^|[,;|\t\r\n])(?=[\s"]*[=+@＝＋－＠-])/g

/** The text of a cell in which no spreadsheet sees a formula. */
export const withoutFormulas = (cell: string): string =>
  /^-?[0-9]+$/.test(cell) ? cell : cell.replace(formulaStart, "'")

/** Whether a text looks like a number, such as 1.5 or 1e3. As the category in a file to import, it means a number. */
export const isLikeNumber = (text: string): boolean => /^[+-]?[\d.,]+(?:e[+-]?\d+)?$/i.test(text.trim())
