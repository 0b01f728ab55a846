/**
 * A primary that is lost under load, and its standby that takes over. No write is lost if the standby is synchronous.
 */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { eventually } from '../../harness/patience.ts'
import { postgresDatabase } from '../../harness/postgres.ts'
import { Folder, Program, testWith } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { failOver, losses, Pair, withServer } from '../../harness/replication.ts'
import { after, afterEach, before, describeInFull, test, testInFull } from '../../harness/scope.ts'
import type { Trial } from '../../harness/trial.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { rex, rowOf } from '../store/subject.ts'

testInFull(
  'Connections do not pile up on the server while commits wait for a standby that is away [decision 23]',
  {
    timeout: 300_000,
  },
  async () => {
    const pair = await Pair.start()
    const { url } = await postgresDatabase(pair.primary.url)
    const connections = 3
    const store = await openPostgres({ time: systemTime, url, connections, timeoutMilliseconds: 30_000 })
    // A busy machine may need longer than this for a connection.
    const impatient = (await eventually(
      () => openPostgres({ time: systemTime, url, connections, timeoutMilliseconds: 200 }).catch(() => undefined),
      (opened) => opened !== undefined,
    )) as Store
    const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
    try {
      await pair.follow({ isSynchronous: true })
      await pair.standby.kill()
      const count = async () => (await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()`).length
      const own = await count()
      for (let i = 0; i < 20; i++) {
        const writes = Array.from({ length: connections }, () => impatient.pets.insert(rex, undefined))
        for (const { status } of await Promise.allSettled(writes)) assert.equal(status, 'rejected')
        // These are the connections in use, and those whose commits wait.
        const all = await count()
        assert.ok(all <= own + 3 * connections, `${all} connections`)
      }
      await assert.rejects(impatient.pets.insert(rex, undefined), /commits wait for a synchronous standby/)
      await pair.standby.start()
      // The statements that were given up have ended by then, and nothing needs a restart.
      await eventually(
        () => impatient.pets.insert(rex, undefined).catch(() => undefined),
        (outcome) => outcome !== undefined,
      )
      assert.ok(rowOf(await store.pets.insert(rex, undefined)).id > connections)
    } finally {
      await Promise.all([store.close(), impatient.close(), sql.end()])
      await pair.stop()
    }
  },
)

/** The timeout is short, so that the test does not wait long for a frozen server. */
const env = { DATABASE_TIMEOUT: '3000' }
const inTurn = Object.keys(losses)

describeInFull('two instances on a primary and its standby', () => {
  let pair: Pair
  let trial: Trial
  before(async () => {
    pair = await Pair.start()
  })
  // This also runs if a test ran out of time, because its clients would otherwise continue forever.
  afterEach(() => trial?.stop())
  after(() => pair?.stop())

  test(`No acknowledged write is lost under load when the primary is ${inTurn.join(', then ')}`, async () => {
    trial = await pair.startTrial(env)
    for (const loss of inTurn) await failOver(pair, trial, loss)
    await trial.alongside(trial.load.more(50))
    await trial.alongside(trial.rivals.more(1))
    assert.deepEqual(await trial.faults(), [])
  })

  test('The check of a failover reports what an asynchronous standby did not receive as lost [decision 23]', async () => {
    await pair.follow({ isSynchronous: false })
    trial = await pair.startTrial(env)
    await trial.rivals.more(1)
    await pair.stopFollowing()
    await trial.load.more(20)
    // An order may have been placed before, and acknowledged only now.
    await trial.rivals.more(2)
    await pair.primary.kill()
    await pair.promote()
    await trial.load.more(20)
    const faults = (await trial.faults()).join('\n')
    assert.match(faults, /acknowledged animals are missing/)
    assert.match(faults, /the orders are not those that were acknowledged/)
  })

  testWith(
    ['haproxy'],
    'deploy/haproxy.cfg sends connections only to the primary, and after a promotion to the new primary',
    async () => {
      await pair.follow({ isSynchronous: false })
      const [primary, standby] = [new URL(pair.primary.url), new URL(pair.standby.url)]
      await withServer(pair.primary, (sql) => sql`CREATE ROLE haproxy LOGIN`)
      using folder = new Folder()
      const socket = join(folder.path, '.s.PGSQL.5432')
      const config = projectFile('deploy/haproxy.cfg')
        .replace('bind 127.0.0.1:5432', `bind unix@${socket}`)
        .replace('h1:5432', primary.host)
        .replace('h2:5432', standby.host)
        .replace(/ *server h3 .*\n/, '')
      const file = join(folder.path, 'haproxy.cfg')
      writeFileSync(file, config)
      await using haproxy = new Program(['haproxy', '-db', '-f', file])
      const reached = async () => {
        const sql = postgres({ path: socket, username: 'petstore', database: 'postgres', max: 1 })
        const [row] = await sql`SHOW port`.catch(() => [])
        await sql.end()
        return row?.port
      }
      await haproxy.until(/Server petstore\/h2 is DOWN/, 'stderr')
      for (let i = 0; i < 4; i++) assert.equal(await eventually(reached, Boolean), primary.port)
      await pair.primary.kill()
      await pair.promote()
      await eventually(reached, (port) => port === standby.port)
    },
  )
})
