/** The result of a run as a file: JSON or JUnit. */
import { accessSync, constants, existsSync, lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Level } from './rule.ts'
import type { Check } from './run.ts'

interface Result {
  readonly url: string
  readonly level: Level
  readonly checks: readonly Check[]
}

export const numbersOf = (checks: readonly Check[]) => {
  const number = (status: Check['status']) => checks.filter((check) => check.status === status).length
  return { passed: number('pass'), failed: number('fail'), skipped: number('skip') }
}

/** By the ending of a file's name. */
export const formats: Readonly<Record<string, (result: Result) => string>> = {
  '.json': ({ url, level, checks }) => `${JSON.stringify({ url, level, ...numbersOf(checks), checks }, null, 2)}\n`,
  '.xml': ({ checks }) => {
    const { failed, skipped } = numbersOf(checks)
    const cases = checks.map(({ id, level, title, status, expected, actual, curl }) => {
      const detail = escaped(`expected: ${expected}\nactual: ${actual}\n${curl}`)
      const inner = {
        pass: '',
        skip: `<skipped message="${escaped(actual)}"/>`,
        fail: `<failure message="${escaped(expected)}">${detail}</failure>`,
      }
      const name = escaped(`${id}: ${title}`)
      return `  <testcase classname="conform.${level}" name="${name}">${inner[status]}</testcase>\n`
    })
    const numbers = `tests="${checks.length}" failures="${failed}" skipped="${skipped}"`
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="petstore conform" ${numbers}>
${cases.join('')}</testsuite>
`
  },
}

/** What XML cannot have is left out. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd]/gu, (c) => (c.length > 1 ? c : '�'))
    .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string)

/** What SQLite keeps beside a database has its name and one of these. */
const databaseFiles = ['-wal', '-shm', '-journal']

/** Why no report can be written there; undefined if it can. Asked before a run, which takes a while. */
export function reportFault(path: string, isForced: boolean): string | undefined {
  try {
    const existing = lstatSync(path, { throwIfNoEntry: false })
    if (existing?.isSymbolicLink() && !existsSync(path))
      return `${path} is a symbolic link to a file that does not exist. Name that file.`
    if (existing?.isDirectory()) return `${path} is a folder. Name a file in it.`
    if (existing && !isForced) return `${path} exists. Name another file, or replace it with --force.`
    if (databaseFiles.some((end) => existsSync(path + end)))
      return `${path} belongs to a database in use. Name another file.`
    accessSync(dirname(path), constants.W_OK)
    return undefined
  } catch (error) {
    return `Cannot write ${path}: ${fileFault(error)}.`
  }
}

/** Writes the whole report, or leaves an earlier one as it is; returns why it could not. */
export function writeReport(path: string, isForced: boolean, text: string): string | undefined {
  // The file may have been created since.
  const fault = reportFault(path, isForced)
  if (fault) return fault
  // Behind symbolic links.
  const whole = existsSync(path) ? realpathSync(path) : path
  const part = `${whole}.${process.pid}.part`
  try {
    writeFileSync(part, text)
    renameSync(part, whole)
    return undefined
  } catch (error) {
    rmSync(part, { force: true })
    return `Cannot write ${path}: ${fileFault(error)}.`
  }
}

/** The reason in a message such as "ENOENT: no such file or directory, open 'PATH'". */
export const fileFault = (error: unknown): string => (error as Error).message.replace(/^E[A-Z]+: ([^,]+).*$/s, '$1')
