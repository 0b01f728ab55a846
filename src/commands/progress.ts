/** How far a long command has come: a bar at a terminal, otherwise a line every few seconds. */
import type { Output } from './command.ts'

const barWidth = 30
const barMilliseconds = 100
const lineMilliseconds = 5_000

export const count = (value: number): string => Math.round(value).toLocaleString('en-US')

export const counted = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`

/** Without `bytesMax`, how much is left is not known; a command that knows rows gives those for bytes. */
export function createProgress(
  output: Output,
  label: string,
  bytesMax?: number,
  now: () => number = () => performance.now(),
) {
  const start = now()
  let shownAt = start
  let width = 0
  const seconds = () => (now() - start) / 1_000
  const draw = (line: string) => {
    output.write(`\r${line.padEnd(width)}${line === '' ? '\r' : ''}`)
    width = line.length
  }
  return {
    seconds,
    show(bytes: number, rows: number): void {
      if (now() - shownAt < (output.isTTY ? barMilliseconds : lineMilliseconds)) return
      shownAt = now()
      const done = `${count(rows)} rows, ${count(rows / seconds())} per second`
      const part = bytesMax ? bytes / bytesMax : undefined
      const text =
        part === undefined
          ? done
          : `${Math.floor(100 * part)} %, ${done}, ${Math.ceil((seconds() * (1 - part)) / part)} s left`
      const bar = part === undefined ? '' : `[${'#'.repeat(Math.floor(part * barWidth)).padEnd(barWidth, '.')}] `
      if (output.isTTY) draw(`${label}${bar}${text}`)
      else output.write(`${label}${text}\n`)
    },
    /** Clears the bar. */
    end(): void {
      if (width > 0) draw('')
    },
  }
}
