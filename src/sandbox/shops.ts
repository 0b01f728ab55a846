/** The shops of a sandbox, by key. */
import { every } from '../time.ts'
import type { ShopOptions } from './service.ts'
import { createShop, type Shop } from './shop.ts'

/** Shops beyond these go, the one first that was used least recently. */
const shopsMax = 10_000
/** Shops that are held ready for use take 0.6 MB each; at rest, one takes 50 KB, and 3 ms to wake. */
const awakeMax = 32
const unusedMilliseconds = 60 * 60 * 1000
const lookEveryMilliseconds = 60 * 1000

export type Shops = ReturnType<typeof createShops>

export function createShops(options: ShopOptions, shopsAtMost = shopsMax) {
  const { time } = options
  /** In the order of their last use. */
  const shops = new Map<string, { readonly shop: Shop; usedAt: number }>()

  function remove(token: string): void {
    const { shop } = shops.get(token) as { shop: Shop }
    shops.delete(token)
    shop.end()
  }

  const stopLooking = every(time, lookEveryMilliseconds, () => {
    for (const [token, { usedAt }] of shops) {
      if (time.ticks() - usedAt < unusedMilliseconds) break
      remove(token)
    }
  })

  function letRest(): void {
    const awake = [...shops.values()].filter(({ shop }) => shop.isAwake())
    for (const { shop } of awake.slice(0, -awakeMax)) shop.rest()
  }

  return {
    /** The shop of a key; the first request makes it. */
    of(token: string): Shop {
      const known = shops.get(token)
      const shop = known?.shop ?? createShop(options, token)
      shops.delete(token)
      shops.set(token, { shop, usedAt: time.ticks() })
      if (!known && shops.size > shopsAtMost) remove(shops.keys().next().value as string)
      if (!shop.isAwake()) letRest()
      return shop
    },
    async close(): Promise<void> {
      stopLooking()
      await Promise.all([...shops.values()].map(({ shop }) => shop.end()))
    },
  }
}
