/** The same actors, ledger and model in real time, against processes that are killed, on both databases. */

import { onStore } from '../catalogue.ts'
import type { Database } from '../databases.ts'
import { faultsIn } from '../faults.ts'
import { eventually } from '../patience.ts'
import { openedDatabase } from '../postgres.ts'
import { Actors } from './actors.ts'
import { FeedFollower, type Follower, StreamFollower } from './followers.ts'
import { observePostgres, observeSqlite } from './observer.ts'
import { Office } from './office.ts'
import { patience, RealShop } from './real-shop.ts'
import { RealWorld } from './real-world.ts'
import { TroubledNetwork } from './troubled-network.ts'
import { Violation } from './world.ts'

interface RealPlan {
  readonly seed: number
  readonly kills: number
  /** The number of requests that are answered after the last kill. */
  readonly answers?: number | undefined
  readonly onLine?: ((line: string) => unknown) | undefined
  readonly progress?: ((kills: number) => void) | undefined
}

/** What a run has experienced. */
export interface Met {
  readonly requests: number
  readonly answers: number
  readonly events: number
  /** The number of network troubles of each kind. */
  readonly troubles: ReadonlyMap<string, number>
}

const manner = { pause: 60, retry: 100, isClockRight: true }
/** How long a follower stays away, in milliseconds. */
const absence = 1_000
/** The least and the greatest number of answers between two kills. */
const betweenKills = [20, 120] as const

/** Runs until this many kills have happened. Throws at the first broken promise, with the last lines of the trace. */
export async function runReal(
  database: Database,
  { seed, onLine, kills, progress, answers: last = betweenKills[1] }: RealPlan,
): Promise<Met> {
  const world = new RealWorld({ seed, onLine })
  const isPostgres = database.name === 'PostgreSQL'
  const { url, remove, connect } = isPostgres
    ? await openedDatabase()
    : { ...(await database.open()), connect: undefined }
  const network = isPostgres ? await TroubledNetwork.to(world, url) : undefined
  // Two processes on one file wait for each other's lock. A single process finds the files as a crash left them.
  const instances = isPostgres ? 3 : world.whole(1, 3)
  try {
    await using shop = new RealShop(world, {
      url: network?.through(url) ?? url,
      directUrl: url,
      instances,
      mayBeUnreachable: isPostgres,
      observe: () => (connect ? observePostgres(connect()) : observeSqlite(url.slice('sqlite:'.length))),
    })
    const trouble = async () => {
      for (let done = 0; done < kills; done++) {
        await shop.more(world.whole(...betweenKills))
        await shop.crash()
        progress?.(done + 1)
      }
      await shop.more(last)
    }
    await world.run(() => underLoad(shop, url, trouble, { mend: () => network?.mend() }))
    const { requests, answers, ledger } = shop
    return { requests, answers, events: ledger.last, troubles: network?.seen ?? new Map() }
  } catch (error) {
    throw new Error(`seed ${seed} on ${database.name} failed: ${world.evidence(error)}`, { cause: error })
  } finally {
    network?.close()
    await remove()
  }
}

/** Somebody who must receive everything before a run ends. */
export interface Waiting {
  readonly name: string
  readonly isUpToDate: boolean
}

/** A shop under load, for a test that breaks something. */
export interface Stage {
  readonly followers: readonly Follower[]
  /** Resolves when the commands of the operator have run. */
  readonly commands: Promise<void>
  /** Stops the actors, and resolves when nobody waits for an answer any more. */
  readonly sendHome: () => Promise<void>
  readonly callBack: () => void
}

/**
 * Puts load on a shop while `happen` runs, and throws if a promise is broken. The load has stopped when this resolves.
 */
export async function underLoad(
  shop: RealShop,
  url: string,
  happen: (stage: Stage) => Promise<void>,
  { mend = () => {}, waiting = [] }: { mend?: () => void; waiting?: readonly Waiting[] } = {},
): Promise<void> {
  const { world } = shop
  await shop.open()
  const actors = new Actors(shop, manner, Number.POSITIVE_INFINITY)
  const { staff, buyers, doomed, expiring } = shop.clients
  const followers = [
    new FeedFollower(shop, staff, 'the feed'),
    new FeedFollower(shop, staff, 'the feed of some', ['pet.updated', 'order.placed']),
    new StreamFollower(shop, buyers, 'the stream'),
    new StreamFollower(shop, buyers, 'the stream of an animal', undefined, world.whole(1, 5)),
  ]
  for (const follower of followers) Object.assign(follower, { pause: manner.pause, absence })
  using office = new Office(shop, url)
  let isOver = false
  const watched = <T>(work: Promise<T>): Promise<T> => {
    work.catch((error) => world.fail(error))
    return work
  }
  const commands = watched(office.run())
  const atWork = [commands]
  const callBack = () => {
    actors.end = Number.POSITIVE_INFINITY
    const busy = [
      actors.staff(staff),
      actors.staff(staff),
      ...Array.from({ length: 3 }, () => actors.buyer(buyers)),
      actors.visitor(staff),
      actors.visitor(doomed),
      actors.visitor(expiring),
    ]
    atWork.push(...busy.map(watched))
  }
  const sendHome = async () => {
    actors.end = 0
    await Promise.all(atWork)
  }
  callBack()
  const following = followers.map((follower) => watched(follower.run(() => isOver)))
  await happen({ followers, commands, sendHome, callBack })
  world.note('calm')
  shop.isFaulty = false
  mend()
  await sendHome()
  await actors.repeatAll()
  await settle(shop, [...followers, ...waiting])
  isOver = true
  await Promise.all(following)
  for (const ask of [{ kind: 'counts' }, { kind: 'orderCounts' }, { kind: 'sales' }, { kind: 'categories' }] as const)
    await actors.untilAnswered(staff, ask)
  await shop.stop()
  await shop.observe()
  shop.model.checkCauses()
  for (const follower of followers) follower.check()
  await checkRows(shop, url)
}

/** Waits until every order that ends soon has ended, and everybody has been told. */
async function settle(shop: RealShop, waiting: readonly Waiting[]): Promise<void> {
  const { world, ledger } = shop
  const soon = world.now() + 60_000
  await eventually(
    async () => {
      await shop.observe()
      const open = ledger.reservations.entries().filter(([, { end }]) => end < soon)
      const late = waiting.flatMap(({ isUpToDate, name }) => (isUpToDate ? [] : [`${name} is not up to date`]))
      return [...open.map(([id, { end }]) => `order ${id} is held until ${end}`), ...late]
    },
    (left) => left.length === 0,
    [],
    patience,
  )
}

async function checkRows({ ledger, observer }: RealShop, url: string): Promise<void> {
  for (const [kind, table] of [
    ['pet', 'pets'],
    ['order', 'orders'],
    ['category', 'categories'],
  ] as const) {
    const [rows, told] = [await observer.rows(table), ledger.rows(kind)]
    const other = rows.findIndex((doc, i) => doc !== told[i])
    if (other >= 0 || rows.length !== told.length)
      throw new Violation('the rows are what the events tell', `${table}: ${rows[other]}, and ${told[other]}`)
  }
  const faults = await onStore(url, faultsIn)
  if (faults.length > 0) throw new Violation('counts equal the rows', faults.join('; '))
}
