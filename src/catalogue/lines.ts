/** Splits the text of a file, which arrives in blocks, into its lines. */
import { limits } from '../limits.ts'

/**
 * Called with a line, including its line break, and its number. A line that is too long is omitted and reported as a
 * problem.
 */
type OnLine = (line: string, number: number, problem?: string) => void

/** The same limit as for the body of a POST, because a row is also one animal. */
export const lengthMax = limits.bodySize.bytes
const tooLong = `longer than ${lengthMax} characters`

export class LineReader {
  /** The beginning of a line whose end has not arrived yet. */
  #rest = ''
  #number = 1
  /** Whether the next text belongs to a line that was rejected as too long. */
  #isSkipping = false

  /** Calls `onLine` for each complete line. `isLast` says that no text follows. */
  read(block: string, isLast: boolean, onLine: OnLine): void {
    const text = this.#rest + block
    let from = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#end(text.slice(from, at + 1), onLine)
      from = at + 1
    }
    this.#rest = text.slice(from)
    if (isLast && this.#rest !== '') this.#end(this.#rest, onLine)
    else if (this.#isSkipping || isTooLong(this.#rest)) {
      if (!this.#isSkipping) onLine('', this.#number, tooLong)
      this.#isSkipping = true
      this.#rest = ''
    }
  }

  /** `line` is a whole line, or the end of one that is skipped. */
  #end(line: string, onLine: OnLine): void {
    if (!this.#isSkipping && isTooLong(line)) onLine('', this.#number, tooLong)
    else if (!this.#isSkipping) onLine(line, this.#number)
    this.#isSkipping = false
    this.#number++
  }
}

/** A line break does not count. */
const isTooLong = (line: string): boolean =>
  line.length > lengthMax && line.replace(/\n$/, '').replace(/\r$/, '').length > lengthMax
