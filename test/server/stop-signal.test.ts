/** The first signal to stop is obeyed in order, a second one at once; one that npm passes on is still one. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { stopSignal } from '../../src/server/stop-signal.ts'

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** A process that gets signals at given times, and the code it was ended with. */
class Signalled extends EventEmitter {
  code: number | undefined
  readonly stopped: Promise<NodeJS.Signals | 'disconnect'>
  readonly connected: boolean
  #now = 0

  constructor(isWorker = false, connected = true) {
    super()
    this.connected = connected
    this.stopped = stopSignal(isWorker, this, () => this.#now)
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

  test('two SIGINT within 100 ms are one key press', () => {
    assert.equal(new Signalled().at(5_000, 'SIGINT').at(5_100, 'SIGINT').code, undefined)
  })

  test('a SIGINT after that ends it at once with 130', () => {
    assert.equal(new Signalled().at(5_000, 'SIGINT').at(5_050, 'SIGINT').at(5_101, 'SIGINT').code, 128 + 2)
  })

  test('a second SIGTERM ends it at once with 143, unless npm has passed on the first: two within 100 ms are one', () => {
    const program = new Signalled().at(5_000, 'SIGTERM').at(5_100, 'SIGTERM')
    assert.equal(program.code, undefined)
    assert.equal(program.at(5_101, 'SIGTERM').code, 128 + 15)
  })

  test('another signal ends it at once, however soon', () => {
    assert.equal(new Signalled().at(5_000, 'SIGINT').at(5_000, 'SIGTERM').code, 128 + 15)
  })

  test('a worker leaves SIGINT and SIGHUP to its parent, and obeys SIGTERM', async () => {
    const worker = new Signalled(true).at(5_000, 'SIGINT').at(6_000, 'SIGHUP').at(7_000, 'SIGTERM')
    assert.equal(await worker.stopped, 'SIGTERM')
    assert.equal(worker.code, undefined)
  })

  test('a worker stops gracefully when its parent disconnects, also before it could listen or after a signal', async () => {
    const released = new Signalled(true)
    released.emit('disconnect')
    assert.equal(await released.stopped, 'disconnect')
    assert.equal(await new Signalled(true, false).stopped, 'disconnect')
    const signalled = new Signalled(true).at(5_000, 'SIGTERM')
    signalled.emit('disconnect')
    assert.equal(await signalled.stopped, 'SIGTERM')
    assert.equal(signalled.code, undefined)
  })

  test('a worker that gets SIGTERM after its parent has disconnected ends at once', () => {
    const worker = new Signalled(true)
    worker.emit('disconnect')
    assert.equal(worker.at(5_000, 'SIGTERM').code, 128 + 15)
  })

  test('a worker that gets SIGTERM in the moment in which its parent disconnects is stopped once, and gracefully', () => {
    const worker = new Signalled(true)
    worker.emit('disconnect')
    assert.equal(worker.at(100, 'SIGTERM').code, undefined)
    assert.equal(worker.at(101, 'SIGTERM').code, 128 + 15)
  })
})
