/** Writes the rows of cases as tables of docs/failover.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../harness/project.ts'
import { cases, type Mode, modes, type Row } from './cases.ts'
import { ways } from './cluster.ts'

const titles: Readonly<Record<Mode, string>> = {
  synchronous: 'with a synchronous standby',
  asynchronous: 'without a synchronous standby',
}

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0)
const seconds = (count: number | undefined): string => (count === undefined ? '' : `${count.toFixed(1)} s`)

export function lineOf(what: string, rows: readonly Row[]): string {
  const lost = sum(rows, (row) => row.lost)
  const times = Object.keys(ways).flatMap((way) => {
    const row = rows.find((each) => each.way === way)
    return [seconds(row?.gapSeconds), seconds(row?.firstWriteSeconds)]
  })
  const cells = [
    what,
    sum(rows, (row) => row.acknowledged),
    lost > 0 ? `${lost}, reported by 410` : lost,
    sum(rows, (row) => Number(row.broken !== undefined)),
    ...times,
  ]
  return `| ${cells.join(' | ')} |`
}

/** Makes a line for each case, with two times for each way. */
const tableOf = (mode: Mode, all: readonly Row[]): string => {
  const head = [
    titles[mode],
    'acknowledged writes',
    'lost events',
    'broken promises',
    ...Object.keys(ways).flatMap((way) => [`${way}: without writes`, `${way}: after the promotion`]),
  ]
  const lines = Object.keys(cases)
    .map((what) => ({ what, rows: all.filter((row) => row.what === what) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ what, rows }) => lineOf(what, rows))
  return `\n| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}\n${lines.join('\n')}\n`
}

export const tables = (all: readonly Row[]): string =>
  modes
    .map((mode) => ({ mode, rows: all.filter((row) => row.mode === mode) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ mode, rows }) => tableOf(mode, rows))
    .join('')

export function writeTables(rows: readonly Row[]): void {
  const file = join(root, 'docs/failover.md')
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf('<!-- test:ha -->'), text.indexOf('<!-- /test:ha -->')]
  writeFileSync(file, `${text.slice(0, from)}<!-- test:ha -->\n${tables(rows)}\n${text.slice(to)}`)
}
