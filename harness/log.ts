/** A log for a test: one that keeps its lines for the test to read, or one that says nothing. */

import type { LogLevel } from '../src/config/setting-values.ts'
import { createLog, type Log } from '../src/observe/log.ts'
import { systemTime } from '../src/time.ts'

/** A log whose lines are handed over as text. */
export const logTo = (keep: (line: string) => void, level: LogLevel = 'info'): Log =>
  createLog(level, systemTime, { write: keep, defer: keep })

/** A log whose lines are added to `lines`, without their time. */
export const logInto = (lines: object[], level: LogLevel = 'info'): Log =>
  logTo((line) => {
    const { time, ...members } = JSON.parse(line)
    lines.push(members)
  }, level)

export const silentLog = logTo(() => {}, 'silent')
