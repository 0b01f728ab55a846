/** The file that a report is written to: it replaces an earlier report or an empty file, and nothing else. */
import { closeSync, lstatSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** How the files of report.ts begin. */
const starts = [
  /^\{\s*"url": "/,
  /^<\?xml [^>]+>\s*<testsuite name="petstore conform"/,
  /^TAP version 14\n1\.\./,
  /^<!doctype html>[\s\S]+<title>\d+ of \d+ checks failed/,
]

/** Why no report can be written there, and what to change; undefined if it can. */
export function reportFault(path: string): string | undefined {
  try {
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing?.isDirectory()) return `${path} is a folder. Name a file in it.`
    if (existing?.isFile() && !isReplaceable(path))
      return `${path} is there and is not a report of conform. Remove it, or name another file.`
    if (existing) return undefined
    if (lstatSync(path, { throwIfNoEntry: false }))
      return `${path} is a symbolic link to a file that does not exist. Name that file.`
    closeSync(openSync(path, 'wx'))
    rmSync(path)
  } catch (error) {
    return `Cannot write ${path}: ${fileFault(error)}.`
  }
}

/** Returns why it could not, as `reportFault` does. */
export function writeReport(path: string, text: string): string | undefined {
  // Asked again: the file may have been created since.
  const fault = reportFault(path)
  if (fault) return fault
  try {
    writeFileSync(path, text)
  } catch (error) {
    return `Cannot write ${path}: ${fileFault(error)}.`
  }
}

function isReplaceable(path: string): boolean {
  // For writing as well: throws where that is not allowed.
  const file = openSync(path, 'r+')
  try {
    const start = Buffer.alloc(256)
    const text = start.toString('utf8', 0, readSync(file, start))
    return text === '' || starts.some((each) => each.test(text))
  } finally {
    closeSync(file)
  }
}

/** The reason in a message such as "ENOENT: no such file or directory, open 'PATH'". */
export const fileFault = (error: unknown): string => (error as Error).message.replace(/^E[A-Z]+: ([^,]+).*$/s, '$1')
