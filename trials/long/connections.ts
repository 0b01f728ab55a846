/**
 * Long trials of connections: instances that are restarted one after another under load, and clients that never finish
 * a request.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Folder, makeKey, Served } from '../../harness/process.ts'
import { RawConnection, request } from '../../harness/raw.ts'
import { TestService } from '../../harness/service.ts'
import { type Item, scaled, shown } from './item.ts'

const get = (port: number, key: string): string =>
  request('GET /v1/pets HTTP/1.1', [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${key}`])

/** Clients that keep their connections, and open another one only after the service said that it closes one. */
class SteadyClients {
  answered = 0
  readonly failed: string[] = []
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(pick: () => number, key: string, count: number) {
    this.#clients = Array.from({ length: count }, () => this.#ask(pick, key))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #ask(pick: () => number, key: string): Promise<void> {
    while (!this.#isOver)
      try {
        const port = pick()
        const connection = await RawConnection.open(port)
        for (let isLast = false; !isLast && !this.#isOver; ) {
          connection.send(get(port, key))
          const answer = await connection.answer()
          if (answer?.status === 200) this.answered++
          else this.failed.push(`${answer?.status ?? 'no answer'}`)
          isLast = answer?.headers.get('connection') !== 'keep-alive'
        }
        connection.close()
      } catch (error) {
        this.failed.push(String(error))
      }
  }
}

/**
 * Two instances on one file. Each in turn gets no new connections, like from a proxy that drains it, and is stopped and
 * started again.
 */
export const rollingRestarts: Item = async ({ scale, progress }) => {
  const [restarts, requests] = [scaled(100, scale), scaled(100_000, scale)]
  using folder = new Folder()
  const key = await makeKey(folder.env)
  // In this second, a proxy notices /readyz and sends new connections to the other instance.
  const env = { ...folder.env, LOG_SAMPLE: '0', DRAIN_SECONDS: '1' }
  const instances = [await Served.start(env), await Served.start(env)]
  let resting = -1
  let picks = 0
  const pick = (): number => {
    const open = instances.filter((_, i) => i !== resting)
    return (open[picks++ % open.length] as Served).port
  }
  const clients = new SteadyClients(pick, key, 8)
  try {
    for (let done = 0; done < restarts; done++) {
      resting = done % 2
      await (instances[resting] as Served).end('SIGTERM')
      instances[resting] = await Served.start(env)
      resting = -1
      progress(done, restarts)
    }
    while (clients.answered < requests) {
      await sleep(50)
      progress(clients.answered, requests)
    }
  } finally {
    await clients.stop()
    for (const instance of instances) await instance.end('SIGTERM')
  }
  for (const failure of new Set(clients.failed)) process.stderr.write(`${failure}\n`)
  const figure = `${shown(restarts)} restarts, ${shown(clients.answered)} requests, ${clients.failed.length} failed`
  return { figure, ok: clients.failed.length === 0 }
}

const secondsMax = 17
const p99Max = 50

/**
 * Half of the clients stop within their headers, which have 10 seconds, and the others within their body, which has 15
 * seconds in total.
 */
export const slowClients: Item = async ({ scale, progress }) => {
  const count = scaled(2_000, scale)
  using folder = new Folder()
  const service = await TestService.start({ ...folder.env, LOG_LEVEL: 'error' })
  const { port, key } = service
  const lines = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${key}`, 'Content-Type: application/json']
  const whole = request('POST /v1/pets HTTP/1.1', [...lines, 'Content-Length: 100'], '{"name":')
  let closed = 0
  async function dawdle(number: number): Promise<number> {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume()
    await once(socket, 'connect')
    const began = performance.now()
    socket.write(number % 2 ? whole : whole.slice(0, 60))
    await new Promise((resolve) => socket.once('close', resolve))
    closed++
    return (performance.now() - began) / 1000
  }
  const dawdling = Promise.all(Array.from({ length: count }, (_, number) => dawdle(number)))

  const times: number[] = []
  const connection = await RawConnection.open(port)
  try {
    while (closed < count) {
      const began = performance.now()
      connection.send(get(port, key))
      assert.equal((await connection.answer())?.status, 200, 'an honest request failed')
      times.push(performance.now() - began)
      progress(closed, count)
      await sleep(5)
    }
  } finally {
    connection.close()
    await service.kill()
  }
  const slowest = Math.max(...(await dawdling))
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number
  const figure =
    `${shown(count)} half-open connections, all closed within ${slowest.toFixed(1)} s; ` +
    `${shown(times.length)} honest requests meanwhile, p99 ${p99.toFixed(1)} ms`
  return { figure, ok: slowest <= secondsMax && p99 < p99Max }
}
