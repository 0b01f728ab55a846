/** One start of the service, with its files and with a second process. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { loadConfig } from '../../src/config/config.ts'
import { runService } from '../../src/server/running.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import type { Time } from '../../src/time.ts'
import type { WebhookSender } from '../../src/webhooks/send.ts'
import { logTo } from '../log.ts'
import type { Disk } from './disk.ts'
import { newsText } from './ledger.ts'
import type { VirtualWorld } from './virtual-world.ts'
import { Violation } from './world.ts'

/** The database refuses an animal with this name. It stands for any statement that fails. */
export const refusedName = 'Refused by the database'
const refuse = `CREATE TRIGGER IF NOT EXISTS simulated_refusal BEFORE INSERT ON pets WHEN NEW.name = '${refusedName}'
  BEGIN SELECT RAISE(ABORT, '${refusedName}'); END`

export interface Life {
  readonly service: ReturnType<typeof runService>
  readonly store: Store
  /** A second process on the same file, like a command. */
  readonly office: Store
  /** A connection that sees what is committed. */
  readonly observer: DatabaseSync
  readonly news: StatementSync
  /** Reads the address of a webhook. */
  readonly address: StatementSync
  readonly gone: Promise<'lost'>
  readonly end: () => void
}

/** The service refuses further requests beyond this number of concurrent ones. */
export const requestsMax = 8

export function startLife(
  world: VirtualWorld,
  disk: Disk,
  webhooks: WebhookSender,
  settings: Record<string, string>,
): Life {
  const { promise: gone, resolve } = Promise.withResolvers<'lost'>()
  let isAlive = true
  const time = world.timeFor(() => isAlive)
  const open = (time: Time, connect: Disk['connectService']) =>
    openSqlite(disk.path, { schema: 'migrate', time, connect })
  const store = open(time, disk.connectService)
  const office = open(
    world.timeFor(() => isAlive),
    disk.connect,
  )
  const log = logTo((line) => {
    if (isAlive && JSON.parse(line).level >= 50 && !line.includes(refusedName))
      world.fail(new Violation('the service has no internal error', line))
  }, 'error')
  const config = loadConfig({ EVENTS_DAYS: '1', REQUESTS_MAX: String(requestsMax), ...settings })
  const random = () => world.between(0, 1)
  const service = runService({
    config,
    publicUrl: 'http://shop.example/v1',
    store,
    time,
    log,
    sources: [],
    webhooks,
    random,
  })
  const end = () => {
    isAlive = false
    resolve('lost')
  }
  const observer = disk.connect()
  observer.exec(refuse)
  const [news, address] = [newsText, 'SELECT url FROM webhooks WHERE id = ?'].map((text) => observer.prepare(text))
  return { service, store, office, observer, news, address, gone, end } as Life
}
