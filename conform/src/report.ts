/** The result of a run as a file: JSON or JUnit. */
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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

/** SQLite keeps files beside a database that is in use: they have its name and one of these endings. */
const databaseFiles = ['-wal', '-shm', '-journal']

/** Why no report can be written there; undefined if it can. Asked before a run, which takes a while. */
export function reportFault(path: string, isForced: boolean): string | undefined {
  try {
    const existing = statSync(path, { throwIfNoEntry: false })
    if (!existing && lstatSync(path, { throwIfNoEntry: false }))
      return `${path} is a symbolic link to a file that does not exist. Name that file.`
    if (existing?.isDirectory()) return `${path} is a folder. Name a file in it.`
    if (existing && !existing.isFile()) return `${path} is not a file. Name another.`
    if (existing && !isForced) return `${path} exists. Name another file, or replace it with --force.`
    if (!existsSync(dirname(path))) return `There is no folder ${dirname(path)}. Create it first.`
    const real = realPathOf(path)
    if (databaseFiles.some((end) => existsSync(real + end)))
      return `${path} belongs to a database in use. Name another file.`
    accessSync(dirname(real), constants.W_OK)
    // To replace a file takes no right to write to it, but whoever took that right away meant it to stay.
    if (existing) closeSync(openSync(real, 'r+'))
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
  const real = realPathOf(path)
  const partial = `${real}.partial-${process.pid}`
  try {
    writeFileSync(partial, text)
    keepRights(real, partial)
    renameSync(partial, real)
    return undefined
  } catch (error) {
    rmSync(partial, { force: true })
    return `Cannot write ${path}: ${fileFault(error)}.`
  }
}

const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** Gives the new file the mode of the one that it replaces and, for root, the owner. */
function keepRights(replaced: string, file: string): void {
  const existing = statSync(replaced, { throwIfNoEntry: false })
  if (!existing) return
  chmodSync(file, existing.mode & 0o777)
  if (process.getuid?.() === 0) chownSync(file, existing.uid, existing.gid)
}

/** The reason in a message such as "ENOENT: no such file or directory, open 'PATH'". */
export const fileFault = (error: unknown): string => (error as Error).message.replace(/^E[A-Z]+: ([^,]+).*$/s, '$1')
