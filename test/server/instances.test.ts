/** Two processes on one SQLite file, each with its own port: they serve the same store, and one that is killed loses nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, Load, walk } from '../support/load.ts'
import { Folder, makeKey, runtimes, Served } from '../support/process.ts'
import { some } from '../support/scope.ts'

for (const [name, runtime] of some(runtimes))
  test(`two processes on one SQLite file lose nothing while one is killed and started again, on ${name} [D196]`, async () => {
    using folder = new Folder()
    const key = await makeKey(folder.env)
    const addressOf = ({ url }: Served): Address => ({ url: new URL(url).origin, key })
    await using first = await Served.start(folder.env, { runtime })
    const victim = await Served.start(folder.env, { runtime })
    let addresses = [first, victim].map(addressOf)
    let picks = 0
    const load = new Load(() => addresses[picks++ % 2] as Address, 6)
    await load.more(60)
    await victim.end('SIGKILL')
    await load.more(60)
    await using second = await Served.start(folder.env, { runtime })
    addresses = [first, second].map(addressOf)
    await load.more(60)
    await load.stop()
    for (const service of [first, second]) {
      load.check(await walk(() => addressOf(service)))
      assert.equal((await service.end('SIGTERM')).code, 0)
    }
  })
