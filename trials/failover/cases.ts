/** What fails under load, and what must hold nevertheless. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { eventually } from '../../harness/patience.ts'
import { FeedFollower } from '../../harness/simulation/followers.ts'
import type { Stage } from '../../harness/simulation/real.ts'
import { patience, type RealShop } from '../../harness/simulation/real-shop.ts'
import { wordsOf } from '../../src/model/words.ts'
import type { Cluster, Node, Way } from './cluster.ts'

export const modes = ['synchronous', 'asynchronous'] as const
export type Mode = (typeof modes)[number]

interface Scene extends Stage {
  readonly cluster: Cluster
  readonly shop: RealShop
  readonly primary: Node
  /** The standby that commits wait for, if they wait for one. */
  readonly standby: Node
  /** The database of the shop, on the primary. */
  readonly sql: Sql
}

interface Failure {
  readonly begin: (at: Scene) => unknown
  readonly mend?: (at: Scene) => unknown
  /** Whether another server becomes the primary. */
  readonly isFailover?: boolean
  /** The only mode in which the case can be judged. */
  readonly mode?: Mode
  /** Whether followers have read events that are then lost. */
  readonly isLoss?: boolean
}

/**
 * This is long enough for commits to wait, and shorter than the time after which Patroni continues without a standby
 * (wal_sender_timeout).
 */
const cutMilliseconds = 1_500
/** This is more than the ids that PostgreSQL skips when another server becomes the primary. */
const tail = 60

/** Resolves once a condition holds after a poll of the database. */
const until = (shop: RealShop, holds: () => boolean): Promise<unknown> =>
  eventually(() => shop.observe().then(holds), Boolean, undefined, patience)

/** Waits for events that nobody has lost yet, and some more. */
const moreEvents = (shop: RealShop, count: number): Promise<unknown> => {
  const wanted = shop.ledger.last + count
  return until(shop, () => shop.ledger.last >= wanted)
}

/**
 * Kills the primary together with what it has not sent. Its link stays down, because the machine would otherwise still
 * send it when the standbys are back.
 */
async function killCutOff({ cluster, primary }: Scene, meanwhile: () => Promise<unknown>): Promise<void> {
  const standbys = cluster.nodes.filter((node) => node !== primary)
  for (const node of standbys) node.link('data', 'down')
  await meanwhile()
  primary.kill()
  primary.link('data', 'down')
  for (const node of standbys) node.link('data', 'up')
}

/** Everybody reads what will be lost. Then all stop, so that nobody receives answers from a server that is gone. */
async function readTail({ shop, followers, sendHome }: Scene): Promise<void> {
  await moreEvents(shop, tail)
  await sendHome()
  await until(shop, () => followers.every(({ isUpToDate }) => isUpToDate))
  awayDuring(followers, true)
}

/** The feed comes back after others have written more. */
function awayDuring(followers: Stage['followers'], isAway: boolean): void {
  for (const follower of followers) if (follower instanceof FeedFollower) follower.isAway = isAway
}

function restart({ primary }: Scene): void {
  primary.links('up')
  primary.start()
}

export const cases = {
  'kill -9 of the primary': {
    begin: ({ primary }) => primary.kill(),
    mend: restart,
    isFailover: true,
    mode: 'synchronous',
  },
  'killed before a standby has it': {
    begin: (scene) => killCutOff(scene, () => sleep(cutMilliseconds)),
    mend: restart,
    isFailover: true,
    mode: 'synchronous',
  },
  'its link down': {
    begin: ({ primary }) => primary.links('down'),
    mend: ({ primary }) => primary.links('up'),
    isFailover: true,
    mode: 'synchronous',
  },
  'cut off from etcd': {
    begin: ({ primary }) => primary.link('control', 'down'),
    mend: ({ primary }) => primary.link('control', 'up'),
    isFailover: true,
    mode: 'synchronous',
  },
  switchover: { begin: ({ cluster, primary, standby }) => cluster.switchOver(primary, standby), isFailover: true },
  'crash and restart': { begin: ({ primary }) => primary.crash() },
  'connections ended while they commit': {
    async begin({ standby, sql }) {
      standby.pause()
      const end = () => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
      for (let ended = 0; ended < 40; await sleep(20)) ended += (await end()).length
      standby.resume()
    },
    mode: 'synchronous',
  },
  'a transaction that stays open': {
    begin: ({ shop, sql }) =>
      sql.begin(async (sql) => {
        // Adds animals like an import does, so that no request is their cause.
        const name = `Imported ${randomUUID()}`
        await sql`INSERT INTO pets (id, name, words, category_id, status)
          VALUES (nextval('pet_ids'), ${name}, ${wordsOf(name).join(' ')}, 1, 'available')`
        await shop.more(100)
      }),
  },
  'an instance killed': { begin: ({ shop }) => shop.crash(false, () => shop.more(100)) },
  'a replica paused': { begin: ({ standby }) => standby.pause(), mend: ({ standby }) => standby.resume() },
  'killed with a tail that no standby has': {
    async begin(scene) {
      await killCutOff(scene, () => readTail(scene))
      scene.callBack()
    },
    async mend(scene) {
      const { shop, followers } = scene
      const last = Math.max(...shop.ledger.lost)
      await until(shop, () => shop.ledger.lastId > last)
      awayDuring(followers, false)
      restart(scene)
    },
    isFailover: true,
    mode: 'asynchronous',
    isLoss: true,
  },
} satisfies Record<string, Failure>
export type Case = keyof typeof cases
export const failureOf = (what: Case): Failure => cases[what]

export interface Row {
  readonly what: Case
  readonly way: Way
  readonly mode: Mode
  readonly acknowledged: number
  /** The number of events that were shown and then lost. */
  readonly lost: number
  readonly gapSeconds: number
  /** The seconds from the promotion to the first write, or undefined if no server was promoted. */
  readonly firstWriteSeconds: number | undefined
  /** The promise that was broken, with the evidence. */
  readonly broken?: string
}

/**
 * Lets something fail, and waits until everything works again. Returns the time from the promotion to the first write,
 * if there was one.
 */
export async function letFail(what: Case, given: Omit<Scene, 'primary' | 'standby'>): Promise<number | undefined> {
  const { cluster, shop } = given
  const scene = { ...given, ...(await cluster.whole()) }
  const failure = failureOf(what)
  // A command that finds no primary ends with an error, as it should.
  await Promise.all([shop.more(100), given.commands])
  shop.longestGap = 0
  await failure.begin(scene)
  let firstWriteSeconds: number | undefined
  if (failure.isFailover) {
    const since = await cluster.untilOther(scene.primary)
    while (shop.lastWrite < since) await sleep(5)
    firstWriteSeconds = (shop.lastWrite - since) / 1000
  }
  await shop.more(200)
  await failure.mend?.(scene)
  await cluster.whole()
  return firstWriteSeconds
}

/**
 * Without a synchronous standby, a write may be lost. One case shows that this can happen, and that followers are told.
 */
export const isGood = ({ what, lost, broken }: Row): boolean =>
  broken === undefined && (!failureOf(what).isLoss || lost > 0)
