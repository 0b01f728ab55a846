/** Events, at length: service and follower are killed again and again, and in the end the follower's copy is the catalogue. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { onStore } from '../support/catalogue.ts'
import { type Database, databases } from '../support/databases.ts'
import { Follower } from '../support/follower.ts'
import { Folder, makeKey, node, Program, Served } from '../support/process.ts'
import { randomFrom } from '../support/random.ts'
import { Connection } from './connection.ts'
import { type Item, type ItemOptions, scaled, shown } from './item.ts'

const clients = 64
/** Between two kills of the service; the follower is killed at least three times as often. */
const eventsEach = 20_000
const followerPath = fileURLToPath(new URL('follower.ts', import.meta.url))

/** Adds, changes, sells and removes animals until the service is killed; tells how many events each request made. */
async function writeUntilKilled(served: Served, key: string, random: () => number, onEvents: (more: number) => void) {
  async function client(): Promise<void> {
    const connection = new Connection(served.port, key)
    let isOver = false
    /** The id in the response, if it did what it should. */
    const ask = async (events: number, method: string, path: string, body?: object): Promise<number | undefined> => {
      const answer = isOver ? undefined : await connection.ask(method, path, body)
      isOver = answer === undefined
      if (!answer) return undefined
      assert.ok(answer.status < 500, answer.text)
      if (answer.status >= 300) return undefined
      onEvents(events)
      return Number(/^\{"id":(\d+)/.exec(answer.text)?.[1])
    }
    while (!isOver) {
      const categoryId = Math.floor(random() * 5)
      const pet = await ask(1, 'POST', '/pets', { name: 'Rex', categoryId })
      await ask(1, 'PATCH', `/pets/${pet}`, { name: `Rex ${Math.floor(random() * 3)}` })
      if (random() < 0.2) await ask(1, 'DELETE', `/pets/${pet}`)
      const order = random() < 0.7 ? await ask(2, 'POST', '/store/orders', { petId: pet }) : undefined
      if (order) await ask(2, 'POST', `/store/orders/${order}/${random() < 0.5 ? 'complete' : 'cancel'}`)
      // It is no event where that was its name.
      if (random() < 0.1) await ask(0, 'PUT', `/categories/${categoryId}`, { name: `Name ${Math.floor(random() * 9)}` })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

async function followThroughKills(
  database: Database,
  total: number,
  { seed, progress }: Pick<ItemOptions, 'seed'> & { progress: (done: number) => void },
): Promise<{ events: number; kills: number; followerKills: number }> {
  using folder = new Folder()
  const { url, remove } = await database.open()
  const env = { DATABASE_URL: url, LOG_LEVEL: 'info', LOG_SAMPLE: '0' }
  const key = await makeKey(env)
  const eventsKey = await makeKey(env, '--scope', 'events:read')
  const file = join(folder.path, 'copy.db')
  const follow = (served: Served, mode = '') =>
    new Program([node, followerPath, served.url, eventsKey, file, mode].filter(Boolean))
  const random = randomFrom(seed)
  let [done, kills, followerKills] = [0, 0, 0]
  try {
    while (done < total) {
      await using served = await Served.start(env)
      let following = follow(served)
      let [made, next] = [0, eventsEach / 3]
      const swaps: Promise<unknown>[] = []
      const each = Math.min(eventsEach * (0.5 + random() / 2), total - done)
      await writeUntilKilled(served, key, random, (more) => {
        made += more
        progress(Math.min(total, done + made))
        if (made >= next) {
          next += eventsEach / 3
          swaps.push(following.end('SIGKILL'))
          followerKills++
          following = follow(served)
        }
        if (made >= each) served.signal('SIGKILL')
      })
      await Promise.all([...swaps, following.end('SIGKILL')])
      done += made
      kills++
      followerKills++
    }
    await using served = await Served.start(env)
    const { code, stderr } = await follow(served, 'end').ended
    assert.equal(code, 0, stderr)
    return { events: await compare(url, file), kills, followerKills }
  } finally {
    await remove()
  }
}

/** The copy against the catalogue, and the events that were seen against those there are. */
const compare = (url: string, file: string): Promise<number> =>
  onStore(url, async (store) => {
    using db = new DatabaseSync(file)
    const follower = new Follower()
    for (const row of db.prepare('SELECT kind, id, data FROM copy').iterate())
      follower.copy[row.kind as 'pet'].set(String(row.id), String(row.data))
    const { last, events } = db.prepare('SELECT last, events FROM place').get() as { last: number; events: number }
    const position = await store.events.positionOf(last)
    assert.ok(typeof position === 'object', position as string)
    follower.position = position
    await follower.check(store)
    assert.equal(follower.events, 0, 'the follower stopped before the end')
    assert.equal(events, (await store.bulk.counts()).events)
    return events
  })

export const events: Item = async ({ seed, scale, progress }) => {
  const totals = [scaled(1_000_000, scale), scaled(200_000, scale)] as const
  const seen: string[] = []
  let before = 0
  for (const [i, database] of databases.entries()) {
    const total = totals[i] as number
    const tell = (done: number) => progress(before + done, totals[0] + totals[1])
    const { events, kills, followerKills } = await followThroughKills(database, total, { seed, progress: tell })
    before += total
    seen.push(
      `${shown(events)} on ${database.name} through ${kills} kills of the service and ${followerKills} of the follower`,
    )
  }
  return {
    figure: `${seen.join(', ')}: each copy is the catalogue, byte for byte, with no event missing or twice`,
    ok: true,
  }
}
