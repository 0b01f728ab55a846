/** The rows of cases as tables of docs/failover.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../harness/project.ts'
import { cases, modes, type Row } from './cases.ts'
import { ways } from './cluster.ts'

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0)

export function lineOf(what: string, rows: readonly Row[]): string {
  const lost = sum(rows, (row) => row.lost)
  const seconds = ({ gapSeconds, firstWriteSeconds }: Row) =>
    gapSeconds.toFixed(1) + (firstWriteSeconds === undefined ? '' : `, ${firstWriteSeconds.toFixed(1)}`)
  const cells = [
    what,
    sum(rows, (row) => row.acknowledged),
    lost > 0 && rows.some(({ isTold }) => isTold) ? `${lost}, told by 410` : lost,
    sum(rows, (row) => row.doubled + row.eventsWrong + row.webhooksMissed + Number(!row.isSound)),
    ...Object.keys(ways).map((way) => rows.filter((row) => row.way === way).map(seconds)),
  ]
  return `| ${cells.join(' | ')} |`
}

/** A line for each case; how long it took is told for each way. */
const tableOf = (title: string, all: readonly Row[]): string => {
  const titles = [title, 'acknowledged', 'lost', 'other faults', ...Object.keys(ways)]
  const lines = Object.keys(cases)
    .map((what) => ({ what, rows: all.filter((row) => row.what === what) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ what, rows }) => lineOf(what, rows))
  return `\n| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}\n${lines.join('\n')}\n`
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
