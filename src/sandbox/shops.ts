/** The shops of a sandbox, by name. */
import { AppError, refuse } from '../errors.ts'
import { every, timeText } from '../time.ts'
import type { ShopOptions } from './service.ts'
import { createShop, type Shop } from './shop.ts'

/**
 * The memory that all shops together may take. If it is exceeded, the shop that was unused for longest is removed. With
 * this limit the process stays below 400 MB, even while many shops are created and removed (366 MB were seen with 1,001
 * shops within 11 seconds).
 */
const room = {
  shops: 1_000,
  bytes: 112 * 2 ** 20,
  /**
   * The memory that a shop takes besides its rows and journal. SQLite needs most of it, for the schema and its
   * statements.
   */
  empty: 560 * 2 ** 10,
}
const unusedMilliseconds = 60 * 60 * 1000
const lookEveryMilliseconds = 5_000
/** How many names of removed shops are remembered. */
const removedMax = 10_000

interface Kept {
  readonly shop: Shop
  usedAt: number
}

export type Shops = ReturnType<typeof createShops>

export function createShops(options: ShopOptions, most: Partial<typeof room> = {}) {
  const { shops: shopsMax, bytes: bytesMax, empty: emptyBytes } = { ...room, ...most }
  const { time, log } = options
  /** The shops in the order of their last use. */
  const shops = new Map<string, Kept>()
  /**
   * The shops that were removed to make room for others. The next request to such a shop must get an error, not an
   * empty shop.
   */
  const removed = new Set<string>()
  let isReported = false

  function remove(name: string, { shop }: Kept): void {
    shops.delete(name)
    shop.end()
  }

  const stopLooking = every(time, lookEveryMilliseconds, () => {
    for (const [name, kept] of shops) {
      if (time.ticks() - kept.usedAt < unusedMilliseconds) break
      if (!kept.shop.isBusy()) remove(name, kept)
    }
    for (const { shop } of shops.values()) shop.measure()
    makeRoom()
  })

  function bytes(): number {
    let sum = 0
    for (const { shop } of shops.values()) sum += emptyBytes + shop.bytes()
    return sum
  }

  /** Returns the least recently used of the shops without a connected client. */
  const oldestBut = (name?: string) => [...shops].find(([other, { shop }]) => other !== name && !shop.isBusy())

  function makeRoom(name?: string): void {
    while (shops.size > shopsMax || bytes() > bytesMax) {
      const oldest = oldestBut(name)
      if (!oldest) return
      remove(...oldest)
      if (removed.size >= removedMax) removed.delete(removed.values().next().value as string)
      removed.add(oldest[0])
      if (!isReported)
        log.warn(
          { shop: oldest[0], shops: shops.size },
          'the shops that were unused for longest are removed to make room for new ones',
        )
      isReported = true
    }
  }

  function made(name: string): Kept {
    if ((shops.size >= shopsMax || bytes() + emptyBytes > bytesMax) && shops.size > 0 && !oldestBut(name))
      refuse(
        'unavailable',
        `All ${shops.size} shops have an open connection, so no further shop can be created. Close a connection ` +
          'first.',
        ['Retry-After', '1'],
      )
    removed.delete(name)
    return { shop: createShop(options, name), usedAt: 0 }
  }

  return {
    /**
     * The shop of a name, which the first request creates. If the shop was removed to make room, only a reset creates
     * it again.
     */
    of(name: string, isNew = false): Shop {
      if (!isNew && removed.has(name)) throw hasGone(name)
      const kept = shops.get(name) ?? made(name)
      shops.delete(name)
      shops.set(name, kept)
      kept.usedAt = time.ticks()
      makeRoom(name)
      return kept.shop
    },
    /** The shop of a name, if it exists. */
    find: (name: string) => shops.get(name)?.shop,
    /** The shops, the one that was used last first. */
    list: () =>
      [...shops].reverse().map(([name, { shop, usedAt }]) => ({
        name,
        usedAt: timeText(time.now() - (time.ticks() - usedAt)),
        requests: shop.journal.count(),
      })),
    delete(name: string): void {
      const kept = shops.get(name)
      if (kept) remove(name, kept)
      removed.delete(name)
    },
    async close(): Promise<void> {
      stopLooking()
      const ending = [...shops.values()].map(({ shop }) => shop.end())
      shops.clear()
      await Promise.all(ending)
    },
  }
}

const hasGone = (name: string) =>
  new AppError(
    'endpoint_removed',
    `The shop ${name} was removed to make room, because it was the one that had been unused for longest. Create ` +
      'it again with POST /sandbox/reset.',
  )
