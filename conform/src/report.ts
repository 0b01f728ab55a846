/** Writes the result of a run to a file, as JSON or JUnit. */
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
import type { Left } from './session.ts'
import { version } from './version.ts'

export interface Result {
  readonly url: string
  readonly level: Level
  /** When the run began and how long it took, by the clock of the machine that runs the kit. */
  readonly startedAt: number
  readonly milliseconds: number
  readonly checks: readonly Check[]
  /** What the run added and could not remove. */
  readonly left: readonly Left[]
}

export const numbersOf = (checks: readonly Check[]) => {
  const number = (status: Check['status']) => checks.filter((check) => check.status === status).length
  return { passed: number('pass'), failed: number('fail'), unchecked: number('unchecked'), skipped: number('skip') }
}

/** Returns the causes that several failures have in common, the most frequent first. */
export function causesOf(checks: readonly Check[]): { cause: string; checks: string[] }[] {
  const byCause = Map.groupBy(
    checks.filter(({ status }) => status === 'fail'),
    ({ cause }) => cause,
  )
  return [...byCause]
    .filter(([, { length }]) => length > 1)
    .map(([cause, failures]) => ({ cause, checks: failures.map(({ id }) => id) }))
    .sort((a, b) => b.checks.length - a.checks.length)
}

const kit = { name: 'petstore-conform', version }
const timeOf = (startedAt: number): string => new Date(startedAt).toISOString()
const secondsOf = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

/** The writer for each ending of a file name. */
export const formats: Readonly<Record<string, (result: Result) => string>> = {
  '.json': ({ startedAt, checks, left, ...run }) => {
    const head = { kit, ...run, startedAt: timeOf(startedAt), ...numbersOf(checks) }
    return `${JSON.stringify({ ...head, causes: causesOf(checks), left, checks }, null, 2)}\n`
  },
  '.xml': ({ url, level, startedAt, milliseconds, checks }) => {
    const { failed, unchecked, skipped } = numbersOf(checks)
    const numbers = `tests="${checks.length}" failures="${failed}" errors="${unchecked}" skipped="${skipped}"`
    const when = `timestamp="${timeOf(startedAt)}" time="${secondsOf(milliseconds)}"`
    const properties = Object.entries({ kit: `${kit.name} ${version}`, url, level }).map(
      ([name, value]) => `    <property name="${name}" value="${escaped(value)}"/>\n`,
    )
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${kit.name}" ${numbers} ${when}>
  <properties>
${properties.join('')}  </properties>
${checks.map(testcase).join('')}</testsuite>
`
  },
}

function testcase({ id, level, title, status, expected, actual, cause, milliseconds, requests }: Check): string {
  const lines = requests.map(
    (request) => `${request.status ?? 'no answer'} (${request.milliseconds} ms) ${request.curl}`,
  )
  const detail = [`expected: ${expected}`, `actual: ${actual}`, 'requests:', ...lines].join('\n')
  const inner = {
    pass: '',
    skip: `<skipped message="${escaped(actual)}"/>`,
    // A dashboard must not count an unchecked rule as passed.
    unchecked: `<error type="not checked" message="${escaped(actual)}"/>`,
    fail: `<failure type="${escaped(cause)}" message="${escaped(expected)}">${escaped(detail)}</failure>`,
  }
  const name = escaped(`${id}: ${title}`)
  const time = secondsOf(milliseconds)
  return `  <testcase classname="conform.${level}" name="${name}" time="${time}">${inner[status]}</testcase>\n`
}

/** Leaves out the characters that XML cannot contain. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd]/gu, (c) => (c.length > 1 ? c : '�'))
    .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string)

/** SQLite keeps files beside a database in use. Their names are that of the database with one of these endings. */
const databaseFiles = ['-wal', '-shm', '-journal']

/**
 * Returns the reason why no report can be written there, or undefined. The command asks before the run, because a run
 * takes a while.
 */
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
    // Replacing a file does not need the right to write to it. But whoever removed that right wants the file to stay.
    if (existing) closeSync(openSync(real, 'r+'))
    return undefined
  } catch (error) {
    return `Cannot write ${path}: ${fileFault(error)}.`
  }
}

/** Writes the whole report, or keeps an earlier one and returns the reason. */
export function writeReport(path: string, isForced: boolean, text: string): string | undefined {
  // The file may have been created since the check before the run.
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

/** Gives the new file the mode of the file that it replaces. For root, it also keeps the owner. */
function keepRights(replaced: string, file: string): void {
  const existing = statSync(replaced, { throwIfNoEntry: false })
  if (!existing) return
  chmodSync(file, existing.mode & 0o777)
  if (process.getuid?.() === 0) chownSync(file, existing.uid, existing.gid)
}

/** The reason in a message such as "ENOENT: no such file or directory, open 'PATH'". */
export const fileFault = (error: unknown): string => (error as Error).message.replace(/^E[A-Z]+: ([^,]+).*$/s, '$1')
