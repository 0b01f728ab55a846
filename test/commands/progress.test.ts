/** The progress of a long command, at a terminal and elsewhere. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createProgress } from '../../src/commands/progress.ts'

function progressOf(isTTY: boolean, label = '', bytesMax: number | undefined = 1_000) {
  const said: string[] = []
  let time = 0
  const progress = createProgress({ isTTY, write: (text) => said.push(text) }, label, bytesMax, () => time)
  const step = (milliseconds: number, bytes: number, rows: number) => {
    time += milliseconds
    progress.show(bytes, rows)
  }
  return { said, progress, step }
}

describe('progress', () => {
  test('is a bar with rate and time left at a terminal, drawn at most ten times a second, and cleared at the end', () => {
    const { said, progress, step } = progressOf(true)
    step(99, 10, 100)
    step(901, 250, 2_000)
    step(50, 260, 2_100)
    step(950, 1_000, 123_456)
    progress.end()
    assert.deepEqual(said, [
      '\r[#######.......................] 25 %, 2,000 rows, 2,000 per second, 3 s left',
      '\r[##############################] 100 %, 123,456 rows, 61,728 per second, 0 s left',
      `\r${' '.repeat(81)}\r`,
    ])
  })

  test('is a line every five seconds elsewhere', () => {
    const { said, progress, step } = progressOf(false)
    step(4_999, 100, 100)
    step(1, 500, 10_000)
    step(4_999, 600, 11_000)
    step(1, 750, 20_000)
    progress.end()
    assert.deepEqual(said, [
      '50 %, 10,000 rows, 2,000 per second, 5 s left\n',
      '75 %, 20,000 rows, 2,000 per second, 4 s left\n',
    ])
  })

  test('has no bar where it is not known how much there is', () => {
    const { said, step } = progressOf(true, 'Reading: ', 0)
    step(1_000, 0, 2_000)
    assert.deepEqual(said, ['\rReading: 2,000 rows, 2,000 per second'])
  })
})
