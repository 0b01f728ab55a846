/** The running service: a store, a bound port, and the app that serves it. */
import { createApp, healthChecks } from '../app.ts'
import { type Config, defaultPublicUrl, serversOf } from '../config/config.ts'
import { CommandFailed } from '../errors.ts'
import { createHub } from '../events/hub.ts'
import { createAdmission } from '../http/admission.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { limits } from '../limits.ts'
import { createProcessMetrics } from '../observe/exposition.ts'
import type { Log } from '../observe/log.ts'
import type { Collect } from '../observe/metrics.ts'
import { startExpiry } from '../orders/expiry.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { every, sleep, type Time } from '../time.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { createSender } from '../webhooks/send.ts'
import { createClockCheck } from './clock-check.ts'
import type { Listener, ListenOptions, Timeouts } from './listener.ts'

/** Leaves time for closing the store within the promised 10 seconds. */
export const graceMilliseconds = 9_000
/** The time the store always gets to close, even if the requests have used up theirs. */
const closeMilliseconds = 500
/** How long deliveries of webhooks may still take; then they are broken off, and another process sends them again. */
const deliverMilliseconds = 3_000
const purgeEveryMilliseconds = 60 * 60 * 1000
const compareClocksEveryMilliseconds = 60 * 1000
const dayMilliseconds = 24 * 60 * 60 * 1000

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
  const tracing = config.tracing && (await import('../observe/tracing.ts')).createTracing(config.tracing, time, log)
  const store = await openStore({ ...config.database, schema: 'migrate', time })
  const listener = await bind(config, time).catch(async (error) => {
    await store.close()
    throw error
  })
  const publicUrl = config.publicUrl ?? defaultPublicUrl(config.host, listener.port)
  const rates = createRateLimits({ fallback: config.rateLimit, time, log, share: store.shareRates })
  const clocks = createClockCheck(store, time, log)
  const webhooks = createSender({ time, allowed: config.webhooksAllow })
  const deliverer = createDeliverer({ store, time: clocks.databaseTime, random: Math.random, sender: webhooks, log })
  const admission = createAdmission(config.requestsMax)
  const stopTimer = every(time, 1_000, () => {
    rates.share()
    deliverer.tick()
    admission.logRefused(log)
    tracing?.tick()
  })
  const expiry = startExpiry({ ...store, time, log })
  const processMetrics = createProcessMetrics(time)
  const streams = createHub({ ...store, time, log })
  let draining = false
  listener.serve(
    createApp({
      ...config,
      publicUrl,
      servers: serversOf(config, publicUrl),
      store,
      time,
      log,
      rates,
      admission,
      streams,
      webhooks,
      isDraining: () => draining,
      sources: [
        ...sources,
        processMetrics.samples,
        streams.samples,
        deliverer.samples,
        expiry.samples,
        clocks.samples,
        ...(tracing ? [tracing.samples] : []),
      ],
      tracing,
    }),
    healthChecks,
  )

  /** A failure while the service stops is not logged: the next process removes them. */
  const logNotRemoved = (what: string) => (err: unknown) => {
    if (!draining) log.warn({ err }, `old ${what} were not removed`)
  }
  /** Nothing is removed while the clocks differ: that of the database may be the wrong one. */
  const purge = async () => {
    if (!(await clocks.agree())) return
    store.purgeIdempotencyRecords(limits.idempotencyTime.milliseconds).catch(logNotRemoved('idempotency records'))
    store.events.purge(config.eventsDays * dayMilliseconds).catch(logNotRemoved('events'))
  }
  const tryPurge = () => void purge().catch(logNotRemoved('events and idempotency records'))
  tryPurge()
  const stopPurging = every(time, purgeEveryMilliseconds, tryPurge)
  const stopComparing = every(time, compareClocksEveryMilliseconds, () => void clocks.agree().catch(() => {}))

  return {
    port: listener.port,
    publicUrl,
    store,
    async stop() {
      stopPurging()
      stopComparing()
      draining = true
      if (config.drainSeconds > 0) await sleep(time, config.drainSeconds * 1000)
      const stoppedAt = time.ticks()
      streams.close()
      const delivered = deliverer.stop(deliverMilliseconds)
      await listener.close(graceMilliseconds)
      stopTimer()
      processMetrics.stop()
      // A database that does not respond must not block the exit; acknowledged writes are already on its disk.
      const left = Math.max(closeMilliseconds, graceMilliseconds - (time.ticks() - stoppedAt))
      const closed = Promise.all([delivered, expiry.stop()]).then(() => store.close())
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const cancel = time.after(left, resolve)
      await Promise.race([Promise.all([closed, tracing?.close()]), late]).finally(cancel)
    },
  }
}

/** Binds the configured port on the current runtime, or fails with a one-line reason. */
export async function bind({ host, port }: Config, time: Time, timeouts?: Timeouts): Promise<Listener> {
  try {
    return await listen({ host, port, time, ...(timeouts && { timeouts }) })
  } catch (error) {
    throw new CommandFailed(faultOf(error as NodeJS.ErrnoException, host, port))
  }
}

async function listen(options: ListenOptions): Promise<Listener> {
  if (process.versions.bun) return (await import('./listen-bun.ts')).listenOnBun(options)
  return (await import('./listen-node.ts')).listenOnNode(options)
}

function faultOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the other program, or set PORT to another.`
  if (error.code === 'EACCES') return `This user may not listen on port ${port}. Set PORT to one above 1023.`
  return `Cannot listen on ${host}, port ${port}: ${error.message}`
}
