/** Several processes on one port: starts them, replaces one that dies, and stops them together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { type Config, defaultPublicUrl, workerEnvironment } from '../config.ts'
import { openStore } from '../store/open.ts'
import { bind } from './bind.ts'
import type { Service } from './service.ts'

const replaceMilliseconds = 1_000

export async function startWorkers(config: Config, _clock: Clock, log: Logger): Promise<Service> {
  // Opened here first, so that one process and not each of them brings the database up to date.
  const store = await openStore(config.database)
  const port = await choosePort(config).catch(async (error) => {
    await store.close()
    throw error
  })
  const workers = new Set<ChildProcess>()
  let stopping = false

  async function startWorker(): Promise<void> {
    const [, program = '', command = ''] = process.argv
    const worker = spawn(process.execPath, [...process.execArgv, program, command], {
      env: workerEnvironment(port),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    workers.add(worker)
    worker.once('exit', (code, signal) => {
      workers.delete(worker)
      if (stopping) return
      log.error({ code, signal }, 'a worker has died; another takes its place')
      setTimeout(() => stopping || startWorker(), replaceMilliseconds)
    })
    await once(worker, 'message')
  }

  await Promise.all(Array.from({ length: config.workers }, startWorker))
  return {
    port,
    publicUrl: config.publicUrl ?? defaultPublicUrl(config.host, port),
    store,
    async stop() {
      stopping = true
      await Promise.all(
        [...workers].map((worker) => {
          const exited = once(worker, 'exit')
          worker.kill('SIGTERM')
          return exited
        }),
      )
      await store.close()
    },
  }
}

/** Finds out whether the port is free, and which one is where any will do; the workers bind it themselves. */
async function choosePort(config: Config): Promise<number> {
  const probe = await bind(config, false)
  await probe.close(0)
  return probe.port
}
