/** The shops of a sandbox, by name. */
import { AppError, refuse } from '../errors.ts'
import { every, timeText } from '../time.ts'
import type { ShopOptions } from './service.ts'
import { createShop, type Shop } from './shop.ts'

/** What all shops together may have. Where it is exceeded, the shop goes that was unused for longest. */
const room = {
  shops: 1_000,
  /** Those that were used last are kept ready, which takes 0.65 MB each; one at rest takes 0.15 MB. */
  awake: 100,
  /** What they have besides: rows, and requests in their journals. */
  bytes: 256 * 2 ** 20,
}
const unusedMilliseconds = 60 * 60 * 1000
const lookEveryMilliseconds = 60 * 1000
const restEveryMilliseconds = 1_000
/** How many names of shops that had to go are remembered. */
const removedMax = 10_000

interface Kept {
  readonly shop: Shop
  usedAt: number
  /** As of its last use. */
  bytes: number
}

export type Shops = ReturnType<typeof createShops>

export function createShops(options: ShopOptions, most: Partial<typeof room> = {}) {
  const { shops: shopsMax, awake: awakeMax, bytes: bytesMax } = { ...room, ...most }
  const { time, log } = options
  /** In the order of their last use. */
  const shops = new Map<string, Kept>()
  /** Those that had to make room for others: their next request must learn it, and not meet an empty shop. */
  const removed = new Set<string>()
  let bytes = 0
  let isTold = false

  function remove(name: string, kept: Kept): void {
    shops.delete(name)
    bytes -= kept.bytes
    kept.shop.end()
  }

  const stopLooking = every(time, lookEveryMilliseconds, () => {
    for (const [name, kept] of shops) {
      if (time.ticks() - kept.usedAt < unusedMilliseconds) break
      if (!kept.shop.isBusy()) remove(name, kept)
    }
  })
  // Also those that something due has woken.
  const stopResting = every(time, restEveryMilliseconds, letRest)

  function letRest(): void {
    const awake = [...shops.values()].filter(({ shop }) => shop.isAwake())
    const many = awake.length - awakeMax
    if (many <= 0) return
    for (const { shop } of awake.filter((kept) => !kept.shop.isBusy()).slice(0, many))
      shop.rest().catch((err) => log.warn({ shop: shop.key?.prefix, err }, 'a shop could not rest'))
  }

  /** The one that was unused for longest, of those that no client is connected to. */
  const oldestBut = (name: string) => [...shops].find(([other, { shop }]) => other !== name && !shop.isBusy())

  function makeRoom(name: string): void {
    while (shops.size > shopsMax || bytes > bytesMax) {
      const oldest = oldestBut(name)
      if (!oldest) return
      remove(...oldest)
      if (removed.size >= removedMax) removed.delete(removed.values().next().value as string)
      removed.add(oldest[0])
      if (!isTold) log.warn({ shop: oldest[0], shops: shops.size, bytes }, 'shops are removed to make room for others')
      isTold = true
    }
  }

  function made(name: string): Kept {
    if (shops.size >= shopsMax && !oldestBut(name))
      refuse('unavailable', `All ${shopsMax} shops have an open connection.`, ['Retry-After', '1'])
    removed.delete(name)
    return { shop: createShop(options, name), usedAt: 0, bytes: 0 }
  }

  return {
    /** The shop of a name, made by its first request; if it had to go, only by one that asks for a new one. */
    of(name: string, isNew = false): Shop {
      if (!isNew && removed.has(name)) throw hasGone(name, shopsMax)
      const before = shops.get(name)
      const wasAwake = before?.shop.isAwake()
      const kept = before ?? made(name)
      shops.delete(name)
      shops.set(name, kept)
      const now = kept.shop.bytes()
      bytes += now - kept.bytes
      kept.bytes = now
      kept.usedAt = time.ticks()
      makeRoom(name)
      if (!wasAwake) letRest()
      return kept.shop
    },
    /** One that is there. */
    find: (name: string) => shops.get(name)?.shop,
    /** Those that were used last come first. */
    list: () =>
      [...shops].reverse().map(([name, { shop, usedAt }]) => ({
        name,
        usedAt: timeText(time.now() - (time.ticks() - usedAt)),
        requests: shop.journal.entries().length,
      })),
    delete(name: string): void {
      const kept = shops.get(name)
      if (kept) remove(name, kept)
      removed.delete(name)
    },
    async close(): Promise<void> {
      stopLooking()
      stopResting()
      const ending = [...shops.values()].map(({ shop }) => shop.end())
      shops.clear()
      await Promise.all(ending)
    },
  }
}

const hasGone = (name: string, shopsMax: number) =>
  new AppError(
    'endpoint_removed',
    `The shop ${name} was removed: it was unused for longest when there were ${shopsMax} others, or all had too ` +
      'much. POST /sandbox/reset makes it as new.',
  )
