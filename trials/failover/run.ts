/**
 * `npm run test:ha` runs the service on PostgreSQL under Patroni while servers, links and instances fail.
 * docs/failover.md contains the table.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { onPath } from '../../harness/runtimes.ts'
import { type Stage, underLoad } from '../../harness/simulation/real.ts'
import { patience, RealShop } from '../../harness/simulation/real-shop.ts'
import { RealWorld } from '../../harness/simulation/real-world.ts'
import { type Case, cases, failureOf, isGood, letFail, type Mode, modes, type Row } from './cases.ts'
import { Cluster, needed, serverVersion, type Way, ways } from './cluster.ts'
import { observePrimary } from './observer.ts'
import { Receiver } from './receiver.ts'
import { lineOf, tables, writeTables } from './table.ts'

interface Round {
  readonly mode: Mode
  readonly way: Way
  readonly cases: readonly Case[]
}

const help = `Usage: npm run test:ha -- [--case NAME] [--way NAME] [--mode NAME] [--write]

  --case NAME   one of those that --list prints; two minutes, as it runs in one way and one mode unless told
  --way NAME    one of: ${Object.keys(ways).join(', ')}
  --mode NAME   one of: ${modes.join(', ')}
  --list        prints what would run, how long it takes, and what is missing
  --write       puts the tables into docs/failover.md

Each NAME may be given several times. It needs root, for network namespaces, and these packages of Debian:
${Object.values(needed).join(', ')}.
npm run test:ha-faults plants faults, one at a time, that it must notice.
`
const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true },
    way: { type: 'string', multiple: true },
    mode: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    inside: { type: 'boolean', default: false },
  },
})

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function chosen<Name extends string>(option: 'case' | 'way' | 'mode', all: readonly string[]): readonly Name[] {
  const names = values[option] ?? all
  const unknown = names.find((name) => !all.includes(name))
  if (unknown !== undefined) fail(`--${option} "${unknown}" is not one of: ${all.join(', ')}`)
  return names as Name[]
}

/** If cases are named, there is one way, and each case runs in one mode. */
function rounds(): Round[] {
  const isFew = values.case !== undefined
  const chosenCases = chosen<Case>('case', Object.keys(cases))
  const chosenModes = chosen<Mode>('mode', modes)
  const chosenWays = chosen<Way>('way', Object.keys(ways)).slice(0, isFew && !values.way ? 1 : undefined)
  const runsIn = (mode: Mode, what: Case) =>
    (failureOf(what).mode ?? (isFew && !values.mode ? modes[0] : mode)) === mode
  return chosenModes
    .flatMap((mode) =>
      chosenWays.map((way) => ({ mode, way, cases: chosenCases.filter((what) => runsIn(mode, what)) })),
    )
    .filter((round) => round.cases.length > 0)
}

/** Returns about how long this takes on two cores. */
function secondsOf(all: readonly Round[]): number {
  const perCase = (what: Case) => (failureOf(what).isFailover ? 50 : 20)
  return 40 + all.flatMap((round) => round.cases).reduce((sum, what) => sum + perCase(what), 15 * all.length)
}

function whatIsMissing(): string[] {
  const isThere = (program: string) => (program === 'postgres' ? serverVersion() : onPath(program)[0]) !== undefined
  const packages = Object.entries(needed).flatMap(([program, name]) => (isThere(program) ? [] : [name]))
  return [
    ...(process.getuid?.() === 0 ? [] : ['root, for network namespaces']),
    ...(packages.length > 0 ? [`programs: apt-get install --no-install-recommends ${packages.join(' ')}`] : []),
  ]
}

/** Continues in new namespaces, so that no address of this network is visible outside. */
function enter(): never {
  // The shell stays, because it reaps the children of killed processes. Patroni would take a zombie for a running
  // server.
  const inside = 'mkdir -p /run/netns && mount -t tmpfs none /run/netns && "$@"; exit $?'
  const own = [process.execPath, ...process.argv.slice(1), '--inside']
  // There is also a namespace of processes, so that none is left, whatever ends this.
  const spaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const { status } = spawnSync('unshare', [...spaces, 'sh', '-c', inside, 'sh', ...own], { stdio: 'inherit' })
  process.exit(status ?? 1)
}

const tell = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

async function runCase({ mode, way, what }: Omit<Round, 'cases'> & { what: Case }, cluster: Cluster, seed: number) {
  const database = `petstore_${seed}`
  await cluster.withSql('postgres', (sql) => sql.unsafe(`CREATE DATABASE ${database}`))
  const [url, directUrl] = [cluster.url(way, database), cluster.url('haproxy', database)]
  const world = new RealWorld({ seed })
  await using shop: RealShop = new RealShop(world, {
    url,
    directUrl,
    instances: 3,
    mayBeUnreachable: true,
    mayLose: failureOf(what).isLoss === true,
    settings: { DATABASE_TIMEOUT: '5000', WEBHOOKS_ALLOW: '127.0.0.1', ...ways[way].settings },
    observe: () =>
      observePrimary(
        () => cluster.connect(database),
        patience,
        (there) => shop.compare(there),
      ),
  })
  const receiver = new Receiver(shop)
  let firstWriteSeconds: number | undefined
  let broken: string | undefined
  const happen = async (stage: Stage) => {
    await receiver.open()
    await cluster.withSql(database, async (sql) => {
      firstWriteSeconds = await letFail(what, { cluster, shop, sql, ...stage })
    })
  }
  try {
    await world.run(() => underLoad(shop, directUrl, happen, { waiting: [receiver] }))
  } catch (error) {
    broken = world.evidence(error)
  } finally {
    receiver.close()
  }
  const [acknowledged, lost, gapSeconds] = [shop.writes, shop.ledger.lost.size, shop.longestGap / 1000]
  return { what, way, mode, acknowledged, lost, gapSeconds, firstWriteSeconds, ...(broken && { broken }) }
}

/** Ends at the first broken promise, so that the servers stay as they are then. */
async function runAll(cluster: Cluster, rows: Row[]): Promise<void> {
  for (const { mode, way, cases } of rounds()) {
    await cluster.setSynchronous(mode === 'synchronous')
    for (const what of cases) {
      tell(`${mode}, ${way}: ${what}`)
      const row = await runCase({ mode, way, what }, cluster, rows.length + 1)
      rows.push(row)
      tell(lineOf(what, [row]))
      if (isGood(row)) continue
      tell(`${what} BROKEN: ${row.broken ?? 'nothing was lost'}`)
      return
    }
  }
}

async function main(): Promise<void> {
  const rows: Row[] = []
  tell('starting three servers')
  const cluster = await Cluster.start()
  try {
    await runAll(cluster, rows)
  } finally {
    await cluster.stop()
  }
  process.stdout.write(tables(rows))
  if (!rows.every(isGood)) fail('one of the cases broke a promise')
  if (values.write) writeTables(rows)
}

if (values.help) process.stdout.write(help)
else if (values.inside) await main()
else {
  const all = rounds()
  const missing = whatIsMissing()
  if (values.list)
    for (const { mode, way, cases } of all) for (const what of cases) process.stdout.write(`${mode}, ${way}: ${what}\n`)
  tell(`cases: ${all.flatMap((round) => round.cases).length}, about ${Math.ceil(secondsOf(all) / 60)} minutes`)
  if (missing.length > 0) fail(`test:ha lacks ${missing.join('; ')}`)
  if (!values.list) enter()
}
