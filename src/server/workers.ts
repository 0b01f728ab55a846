/** Several processes on one port: starts them, replaces any that dies, and stops them together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { monotonicClock } from '../clock.ts'
import { type Config, defaultPublicUrl, type Environment, workerEnvironment } from '../config.ts'
import { CommandFailed } from '../failure.ts'
import { createSharedRates } from '../keys/rate-limits.ts'
import type { Sample } from '../metrics.ts'
import type { Log } from '../observe/log.ts'
import { programLine } from '../program.ts'
import { openStore } from '../store/open.ts'
import { bind } from './bind.ts'
import { type Channel, openChannel } from './channel.ts'
import type { Service } from './service.ts'
import { MetricsExchange } from './worker-metrics.ts'

/** The delay before a dead worker is replaced; doubled for each consecutive one that died before it was ready. */
const replaceMilliseconds = 100
const replaceMillisecondsMax = 30_000
/** Consecutive deaths, with no worker ready in between, after which the parent gives up. */
const failuresMax = 5

/** Longer than a worker needs to stop; one that hangs must not block the shutdown. */
const stopMilliseconds = 10_000

interface Worker {
  readonly child: ChildProcess
  readonly channel: Channel
  isReady: boolean
}

/** `environment` is that of the workers; `stopping` ends the wait for them to become ready. */
export async function startWorkers(
  config: Config,
  environment: Environment,
  log: Log,
  stopping: Promise<unknown>,
): Promise<Service> {
  // Opened here first, so that one process migrates the database instead of each worker.
  const store = await openStore(config.database)
  const port = await choosePort(config).catch(async (error) => {
    await store.close()
    throw error
  })
  const workers = new Set<Worker>()
  const addUses = createSharedRates(monotonicClock)
  let isStopping = false
  let failures = 0
  const metrics = new MetricsExchange(() => [...workers].filter(({ isReady }) => isReady))
  const readyCount = () => [...workers].filter(({ isReady }) => isReady).length
  const ready = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<never>()

  function startWorker(): void {
    if (isStopping) return
    const child = spawnWorker()
    if (!child) return
    const answers = { rates: addUses, metrics: (samples: readonly Sample[]) => metrics.sum(worker, samples) }
    const worker: Worker = { child, channel: openChannel(child, answers), isReady: false }
    workers.add(worker)
    child.on('message', (message) => {
      if (message !== 'ready') return
      worker.isReady = true
      failures = 0
      if (readyCount() === config.workers) ready.resolve()
    })
    child.once('exit', (code, signal) => replace({ code, signal }, worker))
    // Where the system cannot start it, as when a new version is being put in place, it never exits.
    child.on('error', (err) => child.pid === undefined && replace({ err }, worker))
  }

  /** Some failures of the system, such as an environment that is too large, are thrown; others are an event. */
  function spawnWorker(): ChildProcess | undefined {
    const [file = '', ...args] = programLine()
    try {
      return spawn(file, [...args, 'serve'], {
        env: workerEnvironment(environment, port),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
    } catch (err) {
      replace({ err })
      return undefined
    }
  }

  function replace(how: object, worker?: Worker): void {
    if (worker) {
      workers.delete(worker)
      metrics.forget(worker)
    }
    if (isStopping) return
    if (!worker?.isReady) failures++
    if (failures >= failuresMax && readyCount() === 0) {
      failed.reject(new CommandFailed(`No worker starts: ${failures} in a row ended before they were ready.`))
      return
    }
    const delay = Math.min(replaceMilliseconds * 2 ** failures, replaceMillisecondsMax)
    log.error({ ...how, delayMs: delay }, 'a worker has died and will be replaced')
    setTimeout(startWorker, delay)
  }

  // However this process ends, even at a second signal or after a failure, no worker outlives it.
  process.once('exit', () => {
    for (const { child } of workers) child.kill('SIGKILL')
  })

  async function stop(): Promise<void> {
    isStopping = true
    await Promise.all(
      [...workers].map(async ({ child, isReady }) => {
        const exited = once(child, 'exit')
        // Tells it to stop. If the whole process group got a signal, another would be its second, and end it at once.
        if (isReady && child.connected) child.disconnect()
        // One that is not ready has no requests.
        else child.kill('SIGKILL')
        const late = setTimeout(() => child.kill('SIGKILL'), config.drainSeconds * 1000 + stopMilliseconds)
        await exited
        clearTimeout(late)
      }),
    )
    await store.close()
  }

  for (let i = 0; i < config.workers; i++) startWorker()
  failed.promise.catch(() => {})
  await Promise.race([ready.promise, failed.promise, stopping]).catch(async (error) => {
    await stop()
    throw error
  })
  return {
    port,
    publicUrl: config.publicUrl ?? defaultPublicUrl(config.host, port),
    store,
    failed: failed.promise,
    stop,
  }
}

/** Checks that the port is free, or picks one for port 0; the workers bind it themselves. */
async function choosePort(config: Config): Promise<number> {
  const probe = await bind(config, false)
  await probe.close(0)
  return probe.port
}
