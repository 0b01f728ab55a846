/** An item of the long run, and how it reports its progress. */

export interface ItemOptions {
  readonly seed: number
  /** The factor for every number. It is 1 for the figures in docs/reliability.md. */
  readonly scale: number
  /** How many seeds the simulation runs, whatever the scale. */
  readonly seeds?: number | undefined
  /** Receives how much of the work is done. Throws when the time of the item is over. */
  progress(done: number, total: number): void
}

export interface ItemResult {
  /** What was seen, in one line. */
  readonly figure: string
  readonly ok: boolean
}

export type Item = (options: ItemOptions) => Promise<ItemResult>

/** Returns a number of the full run at the given scale. */
export const scaled = (full: number, scale: number): number => Math.max(1, Math.round(full * scale))

export const shown = (number: number): string => Math.round(number).toLocaleString('en')

const secondsBetweenLines = 5

/** A line that stays current on a terminal. Elsewhere, a line is written every few seconds. */
export class Progress {
  readonly #name: string
  readonly #deadline: number
  #lastLine = performance.now()

  constructor(name: string, minutes: number) {
    this.#name = name
    this.#deadline = performance.now() + minutes * 60_000
  }

  readonly tell = (done: number, total: number): void => {
    const now = performance.now()
    if (now > this.#deadline) throw new Error(`the time was over at ${shown(done)} of ${shown(total)}`)
    const { isTTY } = process.stderr
    if (now - this.#lastLine < (isTTY ? 100 : secondsBetweenLines * 1000)) return
    this.#lastLine = now
    const text = `${this.#name}: ${shown(done)} of ${shown(total)} (${Math.floor((100 * done) / total)} %)`
    process.stderr.write(isTTY ? `\r\x1b[2K${text}` : `${text}\n`)
  }

  end(text: string): void {
    process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}${text}\n`)
  }
}
