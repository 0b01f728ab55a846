/** Several processes on one port: starts them, replaces one that dies, and stops them together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { type Config, defaultPublicUrl, workerEnvironment } from '../config.ts'
import { CommandFailed } from '../failure.ts'
import { openStore } from '../store/open.ts'
import { bind } from './bind.ts'
import type { Service } from './service.ts'

/** Before a worker that died is replaced; twice as long for each that died before it was ready, in a row. */
const replaceMilliseconds = 100
const replaceMillisecondsMax = 30_000
/** Deaths in a row, with no worker ready in between, after which it is no accident. */
const failuresMax = 5

/** Longer than a worker takes by itself; one that is stuck must not keep the others. */
const stopMilliseconds = 10_000

interface Worker {
  readonly child: ChildProcess
  isReady: boolean
}

/** `stopping` ends the wait for the workers to come up. */
export async function startWorkers(
  config: Config,
  _clock: Clock,
  log: Logger,
  stopping: Promise<unknown>,
): Promise<Service> {
  // Opened here first, so that one process and not each of them brings the database up to date.
  const store = await openStore(config.database)
  const port = await choosePort(config).catch(async (error) => {
    await store.close()
    throw error
  })
  const workers = new Set<Worker>()
  let isStopping = false
  let failures = 0
  const readyCount = () => [...workers].filter(({ isReady }) => isReady).length
  const ready = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<never>()

  function startWorker(): void {
    if (isStopping) return
    const [, program = '', command = ''] = process.argv
    const child = spawn(process.execPath, [...process.execArgv, program, command], {
      env: workerEnvironment(port),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const worker: Worker = { child, isReady: false }
    workers.add(worker)
    child.once('message', () => {
      worker.isReady = true
      failures = 0
      if (readyCount() === config.workers) ready.resolve()
    })
    child.once('exit', (code, signal) => {
      workers.delete(worker)
      if (isStopping) return
      if (!worker.isReady) failures++
      if (failures >= failuresMax && readyCount() === 0) {
        failed.reject(new CommandFailed(`No worker comes up: ${failures} in a row have ended before they were ready.`))
        return
      }
      const delay = Math.min(replaceMilliseconds * 2 ** failures, replaceMillisecondsMax)
      log.error({ code, signal, delayMs: delay }, 'a worker has died; another takes its place')
      setTimeout(startWorker, delay)
    })
  }

  // However this process ends, also at a second signal or by a failure, no worker stays behind.
  process.once('exit', () => {
    for (const { child } of workers) child.kill('SIGKILL')
  })

  async function stop(): Promise<void> {
    isStopping = true
    await Promise.all(
      [...workers].map(async ({ child, isReady }) => {
        const exited = once(child, 'exit')
        // Tells it to stop. A signal would be its second where the whole group got one, and end it at once.
        if (isReady && child.connected) child.disconnect()
        // One that is not ready has nothing under way.
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

/** Finds out whether the port is free, and which one is where any will do; the workers bind it themselves. */
async function choosePort(config: Config): Promise<number> {
  const probe = await bind(config, false)
  await probe.close(0)
  return probe.port
}
