/** The current service of a shop, and the requests that are under way in it. A reset shop gets another service. */
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
    // Whoever uses the service gets the error.
    () => {},
  )
  return {
    /** Resolves when the service is to end, which ends delays. */
    ending: ending.promise,
    isBusy: () => underWay.size > 0,
    /** The memory that the rows take. */
    bytes: () => store?.bytes() ?? 0,
    /** The service does not end while `work` runs. */
    use<T>(work: (service: ShopService) => Promise<T>): Promise<T> {
      const working = opening.then(work)
      underWay.add(working)
      return working.finally(() => underWay.delete(working))
    },
    /** Ends the service as soon as nothing uses it. */
    async end(): Promise<void> {
      ending.resolve()
      await Promise.allSettled(underWay)
      store = undefined
      await (await opening).end()
    },
  }
}
