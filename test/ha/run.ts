/**
 * `npm run test:ha`: the service on PostgreSQL under Patroni, while servers, links and instances fail; docs/failover.md
 * has the table.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { petstore } from '../support/process.ts'
import { root } from '../support/project.ts'
import { onPath } from '../support/runtimes.ts'
import { Cluster, type Node, needed, serverVersion, type Way, ways } from './cluster.ts'
import { Traffic } from './traffic.ts'

interface Failure {
  readonly begin: (at: Scene) => unknown
  readonly mend?: (at: Scene) => void
  /** Another server becomes the primary. */
  readonly isFailover?: boolean
  /** Where commits wait for a standby, there would be no write to lose. */
  readonly isAsynchronous?: boolean
}

const cases = {
  'kill -9 of the primary': {
    begin: ({ primary }) => primary.kill(),
    mend: ({ primary }) => primary.start(),
    isFailover: true,
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
  'an instance killed': { begin: ({ traffic }) => traffic.withoutInstance(() => traffic.more(100)) },
  'a replica paused': { begin: ({ standby }) => standby.pause(), mend: ({ standby }) => standby.resume() },
  'killed with a tail that no standby has': {
    async begin({ cluster, traffic, primary }) {
      const standbys = cluster.nodes.filter((node) => node !== primary)
      for (const node of standbys) node.link('data', 'down')
      await traffic.more(100)
      primary.kill()
      for (const node of standbys) node.link('data', 'up')
    },
    mend: ({ primary }) => primary.start(),
    isFailover: true,
    isAsynchronous: true,
  },
} satisfies Record<string, Failure>
type Case = keyof typeof cases

interface Scene {
  readonly cluster: Cluster
  readonly traffic: Traffic
  readonly primary: Node
  /** The one that commits wait for, if they wait for one. */
  readonly standby: Node
}
interface Row {
  readonly what: Case
  readonly way: Way
  readonly isSynchronous: boolean
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly gapSeconds: number
  /** From the moment at which another server is the primary to the first write; undefined where none is. */
  readonly firstWriteSeconds: number | undefined
  readonly eventsMissed: number
  readonly webhooksMissed: number
  readonly isTold: boolean
  readonly isSound: boolean
}

const help = `Usage: npm run test:ha -- [--case NAME] [--way NAME] [--mode NAME] [--write]

  --case NAME   one of: ${Object.keys(cases).join(', ')}
  --way NAME    one of: ${Object.keys(ways).join(', ')}
  --mode NAME   one of: synchronous, asynchronous
  --write       puts the table into docs/failover.md

Each may be given several times. It needs root, and installs what is missing with apt-get where that is there. Begin
with one case: all of them take about half an hour.
`
const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true, default: Object.keys(cases) },
    way: { type: 'string', multiple: true, default: Object.keys(ways) },
    mode: { type: 'string', multiple: true, default: ['synchronous', 'asynchronous'] },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    inside: { type: 'boolean', default: false },
  },
})
const isUnknown =
  values.case.some((name) => !(name in cases)) ||
  values.way.some((name) => !(name in ways)) ||
  values.mode.some((name) => !['synchronous', 'asynchronous'].includes(name))
if (values.help || isUnknown) {
  process.stderr.write(help)
  process.exit(values.help ? 0 : 2)
}

/** Installs what is missing, and goes on in namespaces of its own: no address of this network is seen outside. */
function enter(): never {
  const isThere = (program: string) => (program === 'postgres' ? serverVersion() : onPath(program)[0]) !== undefined
  const missing = () => Object.entries(needed).filter(([program]) => !isThere(program))
  if (process.getuid?.() !== 0) fail('test:ha makes network namespaces: run it as root')
  const packages = missing().map(([, name]) => name)
  if (packages.length > 0 && onPath('apt-get').length > 0) {
    process.stderr.write(`installing ${packages.join(', ')}\n`)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  if (missing().length > 0) fail(`missing: ${missing().map(([program, name]) => `${program} (package ${name})`)}`)
  // The shell stays, as it reaps the children of what is killed: Patroni takes a zombie for a server that runs.
  const inside = 'mkdir -p /run/netns && mount -t tmpfs none /run/netns && "$@"; exit $?'
  const own = [process.execPath, ...process.argv.slice(1), '--inside']
  // In a namespace of processes as well: whatever ends this, none of them is left.
  const spaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const { status } = spawnSync('unshare', [...spaces, 'sh', '-c', inside, 'sh', ...own], { stdio: 'inherit' })
  process.exit(status ?? 1)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

async function tryCase(
  what: Case,
  way: Way,
  isSynchronous: boolean,
  cluster: Cluster,
  traffic: Traffic,
  url: string,
): Promise<Row> {
  const primary = await cluster.whole()
  const standby = (await cluster.standbyOf(primary)) as Node
  await traffic.more(100)
  const before = { acknowledged: traffic.acknowledgedCount, gone: traffic.gone }
  traffic.longestGap = 0
  const failure: Failure = cases[what]
  const scene = { cluster, traffic, primary, standby }
  await failure.begin(scene)
  let firstWriteSeconds: number | undefined
  if (failure.isFailover) {
    const since = await cluster.untilOther(primary)
    while (traffic.lastWrite < since) await sleep(5)
    firstWriteSeconds = (traffic.lastWrite - since) / 1000
  }
  await traffic.more(200)
  failure.mend?.(scene)
  await cluster.whole()
  const faults = await traffic.check()
  const { code } = await petstore(['check'], { env: { DATABASE_URL: url } })
  return {
    ...{ what, way, isSynchronous, ...faults, firstWriteSeconds },
    acknowledged: traffic.acknowledgedCount - before.acknowledged,
    gapSeconds: traffic.longestGap / 1000,
    isTold: traffic.gone > before.gone,
    isSound: faults.countsAreRight && code === 0,
  }
}

const isGood = ({ isSynchronous, lost, isTold, doubled, eventsMissed, webhooksMissed, isSound }: Row): boolean =>
  doubled + eventsMissed + webhooksMissed === 0 && isSound && (lost === 0 || (!isSynchronous && isTold))

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0)

function lineOf(what: string, rows: readonly Row[]): string {
  const lost = sum(rows, (row) => row.lost)
  const seconds = ({ gapSeconds, firstWriteSeconds }: Row) =>
    gapSeconds.toFixed(1) + (firstWriteSeconds === undefined ? '' : `, ${firstWriteSeconds.toFixed(1)}`)
  const cells = [
    what,
    sum(rows, (row) => row.acknowledged),
    lost > 0 && rows.some(({ isTold }) => isTold) ? `${lost}, told by 410` : lost,
    sum(rows, (row) => row.doubled),
    sum(rows, (row) => row.eventsMissed),
    sum(rows, (row) => row.webhooksMissed),
    rows.every(({ isSound }) => isSound) ? 'right' : '**wrong**',
    ...Object.keys(ways).map((way) => rows.filter((row) => row.way === way).map(seconds)),
  ]
  return `| ${cells.join(' | ')} |`
}

/** A line for each case; how long it took is told for each way. */
function tableOf(isSynchronous: boolean, all: readonly Row[]): string {
  const heads = ['acknowledged', 'lost', 'doubled', 'events missed', 'webhooks missed', 'counts, check']
  const titles = [isSynchronous ? 'synchronous' : 'asynchronous', ...heads, ...Object.keys(ways)]
  const lines = Object.keys(cases)
    .map((what) => ({ what, rows: all.filter((row) => row.what === what && row.isSynchronous === isSynchronous) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ what, rows }) => lineOf(what, rows))
  return lines.length === 0
    ? ''
    : `\n| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}\n${lines.join('\n')}\n`
}

const tables = (rows: readonly Row[]): string => tableOf(true, rows) + tableOf(false, rows)

function writeTable(rows: readonly Row[]): void {
  const file = join(root, 'docs/failover.md')
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf('<!-- test:ha -->'), text.indexOf('<!-- /test:ha -->')]
  writeFileSync(file, `${text.slice(0, from)}<!-- test:ha -->\n${tables(rows)}\n${text.slice(to)}`)
}

async function main(): Promise<void> {
  const rows: Row[] = []
  const tell = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
  tell('starting three servers')
  const cluster = await Cluster.start()
  try {
    for (const mode of values.mode)
      for (const way of values.way as Way[]) {
        const isSynchronous = mode === 'synchronous'
        await cluster.setSynchronous(isSynchronous)
        const database = `petstore_${rows.length}`
        const sql = postgres(cluster.url('several hosts', 'postgres').replace('?target_session_attrs=primary', ''), {
          ...{ max: 1, target_session_attrs: 'primary' as const, onnotice: () => {} },
        })
        await sql.unsafe(`CREATE DATABASE ${database}`)
        await sql.end()
        const url = cluster.url(way, database)
        const traffic = await Traffic.start({ DATABASE_URL: url, ...ways[way].settings })
        try {
          for (const what of values.case as Case[]) {
            if (isSynchronous && (cases[what] as Failure).isAsynchronous) continue
            tell(`${mode}, ${way}: ${what}`)
            const row = await tryCase(
              what,
              way,
              isSynchronous,
              cluster,
              traffic,
              cluster.url('several hosts', database),
            )
            rows.push(row)
            tell(lineOf(what, [row]))
          }
        } finally {
          await traffic.stop()
        }
      }
  } finally {
    await cluster.stop()
  }
  process.stdout.write(tables(rows))
  if (values.write) writeTable(rows)
  const bad = rows.filter((row) => !isGood(row))
  if (bad.length > 0) fail(`${bad.length} of ${rows.length} cases broke a promise`)
}

if (!values.inside) enter()
await main()
