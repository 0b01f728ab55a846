/** One run from one seed. There is trouble for a while, then calm, and in the end everything must be right. */

import { faultsIn } from '../faults.ts'
import { Actors } from './actors.ts'
import { stringify } from './exact-json.ts'
import { FeedFollower, type Follower, StreamFollower } from './followers.ts'
import { Receivers } from './receivers.ts'
import { type Plan, Troubles } from './troubles.ts'
import { daySales } from './views.ts'
import { VirtualShop } from './virtual-shop.ts'
import { VirtualWorld, type WorldOptions } from './virtual-world.ts'
import { Violation } from './world.ts'

export interface Outcome {
  readonly seed: number
  readonly hash: string
  readonly steps: number
  readonly requests: number
  readonly crashes: number
  readonly events: number
  readonly deliveries: number
  /** The virtual time in seconds. */
  readonly seconds: number
  readonly failure: Error | undefined
  /** The last lines of the trace. */
  readonly lines: readonly string[]
}

/** The time zone of the machine, on which nothing may depend. This form needs no file with zones. */
const zone = 'HST10'
/** This is longer than a lock that a wrong clock has caused, plus an attempt. */
const calmMilliseconds = 60_000
/** This is longer than an attempt. */
const tryMilliseconds = 25_000
/** This is longer than the pauses between two attempts. */
const hours = 31 * 60 * 60 * 1000

/** Most runs are short, because many seeds find most faults. */
function planOf(world: VirtualWorld): Plan {
  const [minutes, pause] = world.pick([
    [0.1, 300],
    [0.4, 2_000],
    [1, 6_000],
  ] as const)
  return {
    minutes,
    pause,
    staff: world.whole(1, 4),
    buyers: world.whole(1, 5),
    crashes: world.pick([0, 1, 2, 5]),
    stops: world.pick([0, 0, 1, 2]),
    fullDisks: world.pick([0, 0, 1, 3]),
    locks: world.pick([0, 0, 0, 1, 3]),
    crowds: world.pick([0, 0, 1, 2]),
    clockJumps: world.pick([0, 0, 1, 4]),
    nights: world.pick([0, 0, 1]),
    imports: world.whole(1, 3),
  }
}

export async function simulate(options: WorldOptions, given?: Plan): Promise<Outcome> {
  const world = new VirtualWorld(options)
  let receivers: Receivers | undefined
  const shop = new VirtualShop(world, (of) => (receivers = new Receivers(of)).sender)
  let failure: Error | undefined
  using _disk = shop.disk
  const { TZ } = process.env
  process.env.TZ = zone
  try {
    await world.run(() => day(world, shop, receivers as Receivers, given ?? planOf(world)))
  } catch (error) {
    failure = error as Error
    world.note(`FAILED: ${failure.message}`)
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
  return {
    seed: options.seed,
    hash: world.hash,
    steps: world.steps,
    requests: shop.requests,
    crashes: shop.crashes,
    events: shop.ledger.last,
    deliveries: receivers?.deliveries ?? 0,
    seconds: world.ticks / 1000,
    failure,
    lines: world.lines,
  }
}

async function day(world: VirtualWorld, shop: VirtualShop, receivers: Receivers, plan: Plan): Promise<void> {
  await shop.open()
  const manner = { pause: plan.pause, retry: 4_000, isClockRight: plan.clockJumps === 0 }
  const actors = new Actors(shop, manner, plan.minutes * 60_000)
  const troubles = new Troubles(shop, plan, actors, () => receivers.beforeRemoval())
  const { staff, buyers, limited, doomed, expiring } = shop.clients
  const followers = [
    new FeedFollower(shop, staff, 'the feed'),
    new FeedFollower(shop, staff, 'the feed of some', ['pet.updated', 'order.placed']),
    new StreamFollower(shop, staff, 'the stream'),
    new StreamFollower(shop, staff, 'the stream of some', ['pet.created', 'category.named']),
    new StreamFollower(shop, staff, 'the stream of an animal', undefined, world.whole(1, 5)),
  ]
  const ended = [
    new StreamFollower(shop, doomed, 'the stream of a key that is revoked'),
    new StreamFollower(shop, expiring, 'the stream of a key that expires'),
  ]
  for (const follower of [...followers, ...ended]) follower.pause = Math.max(3_000, plan.pause)
  let isCalm = false
  let isOver = false
  const busy = [
    ...Array.from({ length: plan.staff }, () => actors.staff(staff)),
    ...Array.from({ length: plan.buyers }, () => actors.buyer(buyers)),
    actors.visitor(staff),
    actors.visitor(limited),
    actors.visitor(world.pick([doomed, expiring])),
    troubles.crasher(),
    troubles.operator(),
    troubles.diskFiller(),
    troubles.locker(),
    troubles.crowds(),
    troubles.keyRotation(),
    actors.visitor(shop.clients.rotated),
    troubles.clockSetter(),
    troubles.nights(),
    troubles.office(),
    receivers.admin(staff, plan.pause, () => actors.isOver),
  ]
  const following = [
    ...followers.map((follower) => follower.run(() => isOver)),
    ...ended.map((follower) => follower.run(() => isCalm)),
    watch(world, shop, receivers, () => isOver),
  ]
  for (const each of following) each.catch((error) => world.fail(error))
  await Promise.all(busy)
  isCalm = true
  await calm(shop, troubles, receivers, followers)
  isOver = true
  await Promise.all(following)
  shop.observe()
  shop.model.checkCauses()
  receivers.check()
  for (const follower of followers) follower.check()
  await checkAll(shop)
}

/** Ends the faults and waits for the rest of the work, for as long as that may take. */
async function calm(
  shop: VirtualShop,
  troubles: Troubles,
  receivers: Receivers,
  followers: readonly Follower[],
): Promise<void> {
  const { world } = shop
  world.note('calm')
  shop.isFaulty = false
  shop.calmSince = world.ticks
  shop.disarm()
  shop.emptyDisk()
  while (!shop.isOpen) await world.sleep(1_000)
  // If an order ends while the last followers stop, only some of them receive its event.
  const endsSoon = ({ end }: { end: number }) => end < world.now() + calmMilliseconds
  const isSettled = () =>
    !shop.ledger.reservations.values().some(endsSoon) &&
    receivers.missing().length === 0 &&
    followers.every((follower) => follower.isUpToDate)
  const settle = async (milliseconds: number) => {
    for (const end = world.ticks + milliseconds; world.ticks < end && !isSettled(); ) await world.sleep(1_000)
  }
  // The clock is right again. What a clock that was ahead had postponed is not postponed any longer.
  if (world.clock !== world.start) shop.setClock(world.start)
  troubles.rest()
  await settle(calmMilliseconds)
  // What the longest pause postponed is due after one jump, or after two if a wrong clock had postponed it.
  for (let jump = 1; jump <= 2 && !isSettled(); jump++) {
    shop.setClock(world.start + jump * hours)
    for (const hook of receivers.hooks.values())
      if (hook.removedAt === undefined && hook.mayBeDisabled)
        while (!(await receivers.enable(shop.clients.staff, hook))) await world.sleep(1_000)
    await settle(tryMilliseconds)
  }
}

async function watch(
  world: VirtualWorld,
  shop: VirtualShop,
  receivers: Receivers,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await world.sleep(5_000)
    shop.checkWaiting()
    receivers.checkSteady()
    receivers.checkPauses(shop.calmSince)
    shop.checkReservations()
  }
}

/** Checks that the rows agree with the events, and the counts with the rows. */
async function checkAll(shop: VirtualShop): Promise<void> {
  const { ledger, life } = shop
  shop.purged()
  for (const [kind, table] of [
    ['pet', 'pets'],
    ['order', 'orders'],
    ['category', 'categories'],
  ] as const) {
    const rows = life.observer.prepare(`SELECT doc FROM ${table} ORDER BY id`).all() as { doc: string }[]
    const told = ledger.rows(kind)
    const other = rows.findIndex(({ doc }, i) => doc !== told[i])
    if (other >= 0 || rows.length !== told.length)
      throw new Violation('the rows are what the events tell', `${table}: ${rows[other]?.doc}, and ${told[other]}`)
  }
  const sales = life.observer.prepare('SELECT day, added, sold, returned FROM sales').all() as { day: string }[]
  for (const row of sales)
    if (stringify(row) !== stringify(daySales(ledger, row.day)))
      throw new Violation('counts equal the rows', `${stringify(row)}, and ${stringify(daySales(ledger, row.day))}`)
  for (const ask of [{ kind: 'counts' }, { kind: 'orderCounts' }, { kind: 'list', limit: 100 }] as const)
    await shop.ask(shop.clients.staff, ask)
  const faults = await faultsIn(life.store)
  if (faults.length > 0) throw new Violation('counts equal the rows', faults.join('; '))
}
