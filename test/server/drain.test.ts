/** Draining: between the signal to stop and the closing of the port, the service answers on but is not ready. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { expectError } from '../support/expect.ts'
import { eventually } from '../support/load.ts'
import { Folder, makeKey, runtimes, Served } from '../support/process.ts'
import { some, testInFull } from '../support/scope.ts'

describe('after SIGTERM with DRAIN_SECONDS', { concurrency: true, timeout: 60_000 }, () => {
  for (const [name, runtime] of some(runtimes))
    testInFull(
      `/readyz says 503 while requests get their answers, then the service ends with 0, on ${name}`,
      async () => {
        using folder = new Folder()
        const key = await makeKey(folder.env)
        await using served = await Served.start({ ...folder.env, DRAIN_SECONDS: '10' }, { runtime })
        const readiness = () => served.call('GET', '/../readyz')
        assert.equal((await readiness()).status, 200)

        served.signal('SIGTERM')
        const notReady = await eventually(readiness, ({ status }) => status !== 200)
        expectError(notReady, 503, 'unavailable')
        assert.equal(notReady.headers.get('retry-after'), '1')
        const added = await served.call('POST', '/pets', { key, body: { name: 'Rex', categoryId: 1 } })
        assert.equal(added.status, 201)
        assert.equal((await served.call('GET', '/pets', { key })).text, `[${added.text}]`)
        assert.equal((await served.call('GET', '/../livez')).status, 200)
        expectError(await readiness(), 503, 'unavailable')

        const { code, stderr } = await served.ended
        assert.deepEqual([code, stderr], [0, ''])
      },
    )
})
