/** The running service: a store, a bound port, and the app that serves it. */
import { healthChecks } from '../app.ts'
import { type Config, defaultPublicUrl } from '../config/config.ts'
import { CommandFailed } from '../errors.ts'
import { pathPrefixOf } from '../http/urls.ts'
import { createProcessMetrics } from '../observe/exposition.ts'
import type { Log } from '../observe/log.ts'
import type { Collect } from '../observe/metrics.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { sleep, type Time } from '../time.ts'
import { listen } from './listen.ts'
import type { Listener, Timeouts } from './listener.ts'
import { runService } from './running.ts'

/** This leaves time for closing the store within the promised 10 seconds. */
export const graceMilliseconds = 9_000
/** The time the store always gets to close, even if the requests have used up theirs. */
const closeMilliseconds = 500

export interface Service {
  readonly port: number
  readonly publicUrl: string
  readonly store: Store
  stop(): Promise<void>
}

interface ServiceOptions {
  /** Further metrics, besides those of the service and its process. */
  readonly sources?: readonly Collect[]
}

export async function startService(
  config: Config,
  time: Time,
  log: Log,
  { sources = [] }: ServiceOptions = {},
): Promise<Service> {
  const warn = (message: string) => log.warn(message)
  const store = await openStore({ ...config.database, schema: 'migrate', time, warn })
  const listener = await bind(config, time).catch(async (error) => {
    await store.close()
    throw error
  })
  const publicUrl = config.publicUrl ?? defaultPublicUrl(config.host, listener.port)
  const processMetrics = createProcessMetrics(time)
  const running = runService({
    config,
    publicUrl,
    store,
    time,
    log,
    random: Math.random,
    sources: [...sources, processMetrics.samples],
  })
  // A proxy may leave the prefix of PUBLIC_URL in front of the path.
  const prefix = pathPrefixOf(publicUrl)
  listener.serve(running.handler, new Set([...healthChecks].flatMap((path) => [path, prefix + path])))

  return {
    port: listener.port,
    publicUrl,
    store,
    async stop() {
      running.drain()
      if (config.drainSeconds > 0) await sleep(time, config.drainSeconds * 1000)
      const stoppedAt = time.ticks()
      const ended = running.end()
      await listener.close(graceMilliseconds)
      const stopped = running.close()
      processMetrics.stop()
      // A database that does not respond must not block the exit; acknowledged writes are already on its disk.
      const left = Math.max(closeMilliseconds, graceMilliseconds - (time.ticks() - stoppedAt))
      const closed = Promise.all([ended, stopped]).then(() => store.close())
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const cancel = time.after(left, resolve)
      await Promise.race([closed, late]).finally(cancel)
    },
  }
}

/** Binds the configured port, or fails with a one-line reason. */
export async function bind({ host, port }: Config, time: Time, timeouts?: Timeouts): Promise<Listener> {
  try {
    return await listen({ host, port, time, ...(timeouts && { timeouts }) })
  } catch (error) {
    throw new CommandFailed(faultOf(error as NodeJS.ErrnoException, host, port))
  }
}

function faultOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the other program, or set PORT to another.`
  if (error.code === 'EACCES') return `This user may not listen on port ${port}. Set PORT to one above 1023.`
  return `Cannot listen on ${host}, port ${port}: ${error.message}`
}
