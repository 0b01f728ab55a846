/** What fails under load, and what has to hold all the same. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { wordsOf } from '../../src/model/words.ts'
import type { Cluster, Node, Way } from './cluster.ts'
import type { Faults, Traffic } from './traffic.ts'

export const modes = ['synchronous', 'asynchronous'] as const
export type Mode = (typeof modes)[number]

interface Scene {
  readonly cluster: Cluster
  readonly traffic: Traffic
  readonly primary: Node
  /** The one that commits wait for, if they wait for one. */
  readonly standby: Node
  /** The database of the traffic, on the primary. */
  readonly sql: Sql
}

interface Failure {
  readonly begin: (at: Scene) => unknown
  readonly mend?: (at: Scene) => void
  /** Another server becomes the primary. */
  readonly isFailover?: boolean
  /** The only mode in which it can happen. */
  readonly mode?: Mode
  /** A follower has read what is lost. */
  readonly isLoss?: boolean
}

/** So long that commits wait, and less than Patroni takes to go on without a standby (wal_sender_timeout). */
const cutMilliseconds = 1_500

/**
 * The primary dies with what it has not sent: its link stays down, as the machine would still send it when the standbys
 * are back.
 */
async function killCutOff({ cluster, primary }: Scene, meanwhile: () => Promise<unknown>): Promise<void> {
  const standbys = cluster.nodes.filter((node) => node !== primary)
  for (const node of standbys) node.link('data', 'down')
  await meanwhile()
  primary.kill()
  primary.link('data', 'down')
  for (const node of standbys) node.link('data', 'up')
}

function restart({ primary }: Scene): void {
  primary.links('up')
  primary.start()
}

export const cases = {
  'kill -9 of the primary': { begin: ({ primary }) => primary.kill(), mend: restart, isFailover: true },
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
  },
  'cut off from etcd': {
    begin: ({ primary }) => primary.link('control', 'down'),
    mend: ({ primary }) => primary.link('control', 'up'),
    isFailover: true,
  },
  switchover: { begin: ({ cluster, primary, standby }) => cluster.switchOver(primary, standby), isFailover: true },
  'crash and restart': { begin: ({ primary }) => primary.crash() },
  'connections ended while they commit': {
    async begin({ standby, sql }) {
      standby.pause()
      const end = () => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
      for (let ended = 0; ended < 20; await sleep(20)) ended += (await end()).length
      standby.resume()
    },
    mode: 'synchronous',
  },
  'a transaction that stays open': {
    begin: ({ traffic, sql }) =>
      sql.begin(async (sql) => {
        const name = randomUUID()
        await sql`INSERT INTO pets (id, name, words, category_id, status)
          VALUES (nextval('pet_ids'), ${name}, ${wordsOf(name).join(' ')}, 1, 'available')`
        await traffic.more(100)
      }),
  },
  'an instance killed': { begin: ({ traffic }) => traffic.withoutInstance(() => traffic.more(100)) },
  'a replica paused': { begin: ({ standby }) => standby.pause(), mend: ({ standby }) => standby.resume() },
  'killed with a tail that no standby has': {
    begin: (scene) =>
      killCutOff(scene, async () => {
        await scene.traffic.more(100)
        await scene.traffic.leave()
      }),
    mend: restart,
    isFailover: true,
    mode: 'asynchronous',
    isLoss: true,
  },
} satisfies Record<string, Failure>
export type Case = keyof typeof cases
export const failureOf = (what: Case): Failure => cases[what]

export interface Row extends Faults {
  readonly what: Case
  readonly way: Way
  readonly mode: Mode
  readonly acknowledged: number
  readonly gapSeconds: number
  /** From the moment at which another server is the primary to the first write; undefined where none is. */
  readonly firstWriteSeconds: number | undefined
  /** Whether the counts are right, and `petstore check` finds nothing. */
  readonly isSound: boolean
}

export async function tryCase(
  { what, way, mode }: Pick<Row, 'what' | 'way' | 'mode'>,
  { cluster, traffic, sql }: Pick<Scene, 'cluster' | 'traffic' | 'sql'>,
  isChecked: () => Promise<boolean>,
): Promise<Row> {
  const scene = { cluster, traffic, sql, ...(await cluster.whole()) }
  const failure = failureOf(what)
  await traffic.more(100)
  if (!failure.isLoss) await traffic.leave()
  const before = traffic.acknowledgedCount
  traffic.longestGap = 0
  await failure.begin(scene)
  let firstWriteSeconds: number | undefined
  if (failure.isFailover) {
    const since = await cluster.untilOther(scene.primary)
    while (traffic.lastWrite < since) await sleep(5)
    firstWriteSeconds = (traffic.lastWrite - since) / 1000
  }
  await traffic.more(200)
  failure.mend?.(scene)
  await cluster.whole()
  const faults = await traffic.check()
  return {
    what,
    way,
    mode,
    ...faults,
    firstWriteSeconds,
    acknowledged: traffic.acknowledgedCount - before,
    gapSeconds: traffic.longestGap / 1000,
    isSound: faults.countsAreRight && (await isChecked()),
  }
}

/** Without a synchronous standby a write may be lost; that it can be, and is told, one case shows. */
export const isGood = ({ what, mode, lost, isTold, doubled, eventsWrong, webhooksMissed, isSound }: Row): boolean =>
  doubled + eventsWrong + webhooksMissed === 0 &&
  isSound &&
  (lost === 0 || mode === 'asynchronous') &&
  (!failureOf(what).isLoss || (lost > 0 && isTold))
