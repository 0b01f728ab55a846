/** The service that a shop has at a time, and what is under way in it; a shop that is made as new gets another. */
import { openShop, type Parts, type ShopOptions, type ShopService } from './service.ts'

export type Opened = ReturnType<typeof openService>

export function openService(options: ShopOptions, parts: Omit<Parts, 'ending'>) {
  const ending = Promise.withResolvers<void>()
  const opening = openShop(options, { ...parts, ending: ending.promise })
  const underWay = new Set<Promise<unknown>>()
  /** While it is open. */
  let store: ShopService['store'] | undefined
  opening.then(
    (service) => {
      store = service.store
    },
    // Whoever uses it learns why.
    () => {},
  )
  return {
    /** Resolves once it is to end: delays end then. */
    ending: ending.promise,
    isBusy: () => underWay.size > 0,
    /** What its rows take. */
    bytes: () => store?.bytes() ?? 0,
    /** While `work` runs, it does not end. */
    use<T>(work: (service: ShopService) => Promise<T>): Promise<T> {
      const working = opening.then(work)
      underWay.add(working)
      return working.finally(() => underWay.delete(working))
    },
    /** Ends it once it is unused. */
    async end(): Promise<void> {
      ending.resolve()
      await Promise.allSettled(underWay)
      store = undefined
      await (await opening).end()
    },
  }
}
