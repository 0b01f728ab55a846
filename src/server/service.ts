/** The running service: a store, a bound port, the app that serves it, and the signal that stops it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, isHealthCheck } from '../app.ts'
import { type Clock, monotonicClock, onTimer } from '../clock.ts'
import { type Config, defaultPublicUrl, serversOf } from '../config/config.ts'
import { CommandFailed } from '../errors.ts'
import { createHub, type HubOptions } from '../events/hub.ts'
import { createAdmission } from '../http/admission.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { limits } from '../limits.ts'
import { createProcessMetrics } from '../observe/exposition.ts'
import type { Log } from '../observe/log.ts'
import type { Collect } from '../observe/metrics.ts'
import type { EverySecond } from '../observe/tracing.ts'
import { startExpiry } from '../orders/expiry.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { createSender } from '../webhooks/send.ts'
import { createClockCheck } from './clock-check.ts'
import type { Listener, ListenOptions } from './listener.ts'

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
  /** Measures time, and never goes back. */
  readonly ticks?: Clock
  /** Further metrics, besides those of the service and its process. */
  readonly sources?: readonly Collect[]
  /** Runs the export of traces; a timer unless given. */
  readonly everySecond?: EverySecond
  /** Lets time pass for event streams; a timer unless given. */
  readonly everySecondOfStreams?: HubOptions['everySecond']
}

export async function startService(
  config: Config,
  clock: Clock,
  log: Log,
  { ticks = monotonicClock, sources = [], everySecond, everySecondOfStreams }: ServiceOptions = {},
): Promise<Service> {
  const tracing =
    config.tracing && (await import('../observe/tracing.ts')).createTracing(config.tracing, log, everySecond)
  const store = await openStore({ ...config.database, schema: 'migrate' })
  const listener = await bind(config).catch(async (error) => {
    await store.close()
    throw error
  })
  const publicUrl = config.publicUrl ?? defaultPublicUrl(config.host, listener.port)
  const rates = createRateLimits({ fallback: config.rateLimit, clock: ticks, log, share: store.shareRates })
  const clocks = createClockCheck(store, clock, log)
  const webhooks = createSender({ clock, allowed: config.webhooksAllow })
  const deliverer = createDeliverer({ store, clock: clocks.databaseClock, ticks, sender: webhooks, log })
  const admission = createAdmission(config.requestsMax)
  const stopTimer = onTimer(() => {
    rates.share()
    deliverer.tick()
    admission.logRefused(log)
  })
  const expiry = startExpiry({ ...store, clock, log })
  const processMetrics = createProcessMetrics()
  const streams = createHub({ ...store, clock, log, everySecond: everySecondOfStreams })
  let draining = false
  listener.serve(
    createApp({
      ...config,
      publicUrl,
      servers: serversOf(config, publicUrl),
      store,
      clock,
      ticks,
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
    isHealthCheck,
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
  const purging = setInterval(tryPurge, purgeEveryMilliseconds)
  const comparing = setInterval(() => void clocks.agree().catch(() => {}), compareClocksEveryMilliseconds)

  return {
    port: listener.port,
    publicUrl,
    store,
    async stop() {
      clearInterval(purging)
      clearInterval(comparing)
      draining = true
      if (config.drainSeconds > 0) await sleep(config.drainSeconds * 1000)
      const stoppedAt = performance.now()
      streams.close()
      const delivered = deliverer.stop(deliverMilliseconds)
      await listener.close(graceMilliseconds)
      stopTimer()
      processMetrics.stop()
      // A database that does not respond must not block the exit; acknowledged writes are already on its disk.
      const left = Math.max(closeMilliseconds, graceMilliseconds - (performance.now() - stoppedAt))
      const closed = Promise.all([delivered, expiry.stop()]).then(() => store.close())
      await Promise.race([
        Promise.all([closed, tracing?.close()]),
        new Promise((resolve) => setTimeout(resolve, left).unref()),
      ])
    },
  }
}

/** Binds the configured port on the current runtime, or fails with a one-line reason. */
async function bind({ host, port }: Config): Promise<Listener> {
  try {
    return await listen({ host, port })
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

/** The same signal within this time counts as one: npm forwards a signal that the service has received itself, too. */
const duplicateMilliseconds = 100

/** The part of `process` that is used here. */
interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: (signal: NodeJS.Signals, number: number) => void): unknown
  exit(code: number): unknown
}

/**
 * Resolves at the first stop signal, including SIGHUP from a closed terminal; a second one ends the process at once.
 */
export function stopSignal(
  signals: Signals = process,
  now: () => number = () => performance.now(),
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: { readonly signal: string; readonly time: number } | undefined
    const onSignal = (signal: NodeJS.Signals, number: number) => {
      const time = now()
      if (first === undefined) {
        first = { signal, time }
        resolve(signal)
        return
      }
      if (signal !== first.signal || time - first.time > duplicateMilliseconds) signals.exit(128 + number)
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) signals.on(signal, onSignal)
  })
}
