/** The results of the long run as a table, on the terminal and in docs/reliability.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, type } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/project.ts'
import type { ItemResult } from './item.ts'

export interface Row extends ItemResult {
  readonly name: string
  readonly scale: number
  readonly seed: number
  readonly seconds: number
}

const file = join(root, 'docs/reliability.md')
const [begin, end] = ['<!-- test:long -->', '<!-- /test:long -->']
const head = '| item | seen | scale | seed | seconds | date |\n|---|---|---|---|---|---|'

function lineOf({ name, figure, ok, scale, seed, seconds }: Row): string {
  const date = new Date().toISOString().slice(0, 10)
  return `| ${name} | ${ok ? '' : '**failed**: '}${figure} | ${scale} | ${seed} | ${seconds} | ${date} |`
}

export const table = (rows: readonly Row[]): string => [head, ...rows.map(lineOf)].join('\n')

/** Puts each result in place of the one before; items that were not run keep theirs. */
export function writeTable(rows: readonly Row[]): void {
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  const kept = text
    .slice(from, to)
    .split('\n')
    .filter((line) => /^\| [\w-]+ \|/.test(line) && !line.startsWith('| item'))
  const lines = new Map(kept.map((line) => [line.split('|')[1]?.trim() ?? '', line]))
  for (const row of rows) lines.set(row.name, lineOf(row))
  const machine = `${cpus().length} cores of ${cpus()[0]?.model}, ${type()} ${release()}, Node ${process.version}:`
  const section = [begin, machine, '', head, ...lines.values(), ''].join('\n')
  writeFileSync(file, text.slice(0, from) + section + text.slice(to))
}
