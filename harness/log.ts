/** Logs for tests: one keeps its lines for the test to read, and one writes nothing. */

import type { LogLevel } from '../src/config/setting-values.ts'
import { createLog, type Log } from '../src/observe/log.ts'
import { systemTime } from '../src/time.ts'

/** Makes a log that passes on its lines as text. */
export const logTo = (keep: (line: string) => void, level: LogLevel = 'info'): Log =>
  createLog(level, systemTime, { write: keep, defer: keep })

/** Makes a log that adds its lines to `lines`, without their time. */
export const logInto = (lines: object[], level: LogLevel = 'info'): Log =>
  logTo((line) => {
    const { time, ...members } = JSON.parse(line)
    lines.push(members)
  }, level)

export const silentLog = logTo(() => {}, 'silent')
