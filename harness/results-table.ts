/** Writes tables of results into the docs, directly from the run that has seen the results. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.ts'

const nameIn = (line: string): string => line.split('|')[1]?.trim() ?? ''

/**
 * Puts rows into the table between `<!-- MARK -->` and `<!-- /MARK -->`. A new row replaces the row with the same first
 * cell, and other rows stay if their first cell is one of `names`. `head` stands before the first row.
 */
export function putRows(
  path: string,
  mark: string,
  head: string,
  rows: readonly string[],
  names: readonly string[],
): void {
  const file = join(root, path)
  const text = readFileSync(file, 'utf8')
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${path} has no ${begin} … ${end}`)
  const old = text.slice(from, to).split('\n')
  const kept = new Map(old.filter((line) => names.includes(nameIn(line))).map((line) => [nameIn(line), line]))
  for (const row of rows) kept.set(nameIn(row), row)
  writeFileSync(file, `${text.slice(0, from)}${begin}\n${[head, ...kept.values()].join('\n')}\n${text.slice(to)}`)
}
