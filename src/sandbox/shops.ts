/** The shops of a sandbox, by key. */
import { every } from '../time.ts'
import type { ShopOptions } from './service.ts'
import { createShop, type Shop } from './shop.ts'

/** What all shops together may have. Where it is exceeded, the shop goes that was unused for longest. */
const room = {
  /** Each takes 0.6 MB while it is empty. */
  shops: 1_000,
  /** What they have besides: rows, and requests in their journals. */
  bytes: 256 * 2 ** 20,
}
const unusedMilliseconds = 60 * 60 * 1000
const lookEveryMilliseconds = 60 * 1000

interface Kept {
  readonly shop: Shop
  usedAt: number
  /** As of its last use. */
  bytes: number
}

export type Shops = ReturnType<typeof createShops>

export function createShops(options: ShopOptions, { shops: shopsMax, bytes: bytesMax } = room) {
  const { time, log } = options
  /** In the order of their last use. */
  const shops = new Map<string, Kept>()
  let bytes = 0
  let isTold = false

  function remove(token: string, kept: Kept): void {
    shops.delete(token)
    bytes -= kept.bytes
    kept.shop.end()
  }

  const stopLooking = every(time, lookEveryMilliseconds, () => {
    for (const [token, kept] of shops) {
      if (time.ticks() - kept.usedAt < unusedMilliseconds) break
      if (!kept.shop.isBusy()) remove(token, kept)
    }
  })

  /** The one that was unused for longest, if possible one that no client is connected to. */
  function oldestBut(token: string): [string, Kept] | undefined {
    const others = [...shops].filter(([other]) => other !== token)
    return others.find(([, { shop }]) => !shop.isBusy()) ?? others[0]
  }

  function makeRoom(token: string): void {
    while (shops.size > shopsMax || bytes > bytesMax) {
      const oldest = oldestBut(token)
      if (!oldest) return
      remove(...oldest)
      if (!isTold) log.warn({ shop: oldest[0], shops: shops.size, bytes }, 'shops are removed to make room for others')
      isTold = true
    }
  }

  return {
    /** The shop of a key; the first request makes it. */
    of(token: string): Shop {
      const kept = shops.get(token) ?? { shop: createShop(options, token), usedAt: 0, bytes: 0 }
      shops.delete(token)
      shops.set(token, kept)
      const now = kept.shop.bytes()
      bytes += now - kept.bytes
      kept.bytes = now
      kept.usedAt = time.ticks()
      makeRoom(token)
      return kept.shop
    },
    async close(): Promise<void> {
      stopLooking()
      const ending = [...shops.values()].map(({ shop }) => shop.end())
      shops.clear()
      await Promise.all(ending)
    },
  }
}
