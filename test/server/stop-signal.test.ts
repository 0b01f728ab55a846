/** The first signal to stop is obeyed in order, a second one at once; one that npm passes on is still one. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { stopSignal } from '../../src/server/service.ts'

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** A process that gets signals at given times, and the code it was ended with. */
class Signalled extends EventEmitter {
  code: number | undefined
  readonly stopped: Promise<NodeJS.Signals>
  #now = 0

  constructor() {
    super()
    this.stopped = stopSignal(this, () => this.#now)
  }

  exit(code: number): void {
    this.code ??= code
  }

  at(milliseconds: number, signal: keyof typeof numbers): this {
    this.#now = milliseconds
    this.emit(signal, signal, numbers[signal])
    return this
  }
}

describe('signals to stop', () => {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
    test(`one ${signal} stops it gracefully`, async () => {
      const program = new Signalled().at(5_000, signal)
      assert.equal(await program.stopped, signal)
      assert.equal(program.code, undefined)
    })

  test('two SIGINT within 100 ms are one key press [D177]', () => {
    assert.equal(new Signalled().at(5_000, 'SIGINT').at(5_100, 'SIGINT').code, undefined)
  })

  test('a SIGINT after that ends it at once with 130', () => {
    assert.equal(new Signalled().at(5_000, 'SIGINT').at(5_050, 'SIGINT').at(5_101, 'SIGINT').code, 128 + 2)
  })

  test('a second SIGTERM ends it at once with 143, unless npm has passed on the first: two within 100 ms are one [D177]', () => {
    const program = new Signalled().at(5_000, 'SIGTERM').at(5_100, 'SIGTERM')
    assert.equal(program.code, undefined)
    assert.equal(program.at(5_101, 'SIGTERM').code, 128 + 15)
  })

  test('another signal ends it at once, however soon [D177]', () => {
    assert.equal(new Signalled().at(5_000, 'SIGINT').at(5_000, 'SIGTERM').code, 128 + 15)
  })
})
