/** Instances tell each other of commits by NOTIFY. It is a hint only, as a pgbouncer in transaction mode does not pass it on. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readTarget } from '../../database-url.ts'
import { type Connection, openConnection } from './client.ts'
import type { Pool, PoolOptions } from './pool.ts'

const channel = 'petstore_events'
/** At most this often: the commits of transactions that notify wait for each other, in the whole server. */
const pauseMilliseconds = 50
const againMilliseconds = 1_000

export interface Notices {
  /** Calls `onChange` after commits of this instance and, as far as they are heard of, of others; returns how to stop. */
  watch(onChange: () => void): () => void
  end(): Promise<void>
}

export function createNotices(pool: Pool, { url, timeoutMilliseconds, prepare = true }: PoolOptions): Notices {
  const { commits } = pool.stats
  const target = readTarget(url)
  /** By which an instance knows its own notices. */
  const own = randomUUID()
  const watchers = new Set<() => void>()
  const isOver = new AbortController()
  let connection: Connection | undefined
  let isListening = false
  let announcing: NodeJS.Timeout | undefined
  let announcedAt = 0

  /** In a statement of its own after the commit, which so waits for nobody. */
  function announce(): void {
    announcing ??= setTimeout(
      () => {
        announcing = undefined
        announcedAt = performance.now()
        if (!pool.isCrowded()) pool.query(`SELECT pg_notify('${channel}', '${own}')`).catch(() => {})
      },
      Math.max(0, announcedAt + pauseMilliseconds - performance.now()),
    ).unref()
  }
  commits.watch(announce)

  const onNotify = (sender: string | undefined) => {
    if (sender !== own) for (const onChange of watchers) onChange()
  }

  /** On a connection of its own, as long as anybody watches. */
  async function listen(): Promise<void> {
    isListening = true
    const { signal } = isOver
    for (let tries = 0; watchers.size > 0 && !signal.aborted; tries++) {
      const address = target.addresses[tries % Math.max(1, target.addresses.length)]
      const settings = { target, address, milliseconds: timeoutMilliseconds, session: {}, onNotify, signal }
      try {
        connection = await openConnection(settings)
        await connection.send(`LISTEN ${channel}`)
        if (watchers.size === 0) connection.close()
        await connection.ended
      } catch {
        connection?.close()
      }
      await sleep(againMilliseconds, undefined, { signal }).catch(() => {})
    }
    isListening = false
  }

  return {
    watch(onChange) {
      const stop = commits.watch(onChange)
      watchers.add(onChange)
      if (prepare && !isListening) listen()
      return () => {
        stop()
        watchers.delete(onChange)
        if (watchers.size === 0) connection?.close()
      }
    },
    async end() {
      isOver.abort()
      clearTimeout(announcing)
      await connection?.close()
    },
  }
}
