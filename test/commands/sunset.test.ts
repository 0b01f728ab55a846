/** The end of getPet, end to end: the real program on both sides of 2030-12-05T00:00:00Z, by the clock of its machine. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { Folder, makeKey, petstore, Served, testWith } from '../support/process.ts'
import { projectFile } from '../support/project.ts'

const body = { name: 'Rex', categoryId: 1 }

/** What the wrapper would preload; the wrapper itself would stand between the test and the program. */
function preloaded(): string {
  for (;;) {
    const { status, stdout, stderr } = spawnSync('faketime', ['now', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
    // One that was killed, and had the number of this process, has left its semaphore. The next has another number.
    assert.match(stderr, /sem_open: File exists/)
  }
}

/** The environment of a machine whose clock stands still at an instant of UTC. */
function clockAt(instant: string): Record<string, string> {
  return {
    LD_PRELOAD: preloaded(),
    FAKETIME: instant,
    TZ: 'UTC',
    // Only the clock on the wall stands still: timers need the other one.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

const servedAt = (folder: Folder, instant: string): Promise<Served> =>
  Served.start({ ...folder.env, ...clockAt(instant) })

/** The names of the operations that the service's own document has. */
async function operationsOf(served: Served): Promise<string[]> {
  const response = await fetch(new URL('/openapi.json', served.url))
  return [...(await response.text()).matchAll(/"operationId": ?"(\w+)"/g)].map(([, name = '']) => name)
}

testWith(['faketime'], 'getPet answers in the last second before its removal', async () => {
  using folder = new Folder()
  const key = await makeKey(folder.env)
  await using served = await servedAt(folder, '2030-12-04 23:59:59')
  const { json: pet } = await served.call('POST', '/pets', { key, body })
  const { status, json, headers } = await served.call('GET', `/pets/${pet.id}`, { key })
  assert.equal(status, 200)
  assert.deepEqual(json, pet)
  assert.equal(headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
  assert.ok((await operationsOf(served)).includes('getPet'))
})

testWith(
  ['faketime'],
  'getPet answers 410 from the instant of its removal, and its named replacement works',
  async () => {
    using folder = new Folder()
    const key = await makeKey(folder.env)
    await using served = await servedAt(folder, '2030-12-05 00:00:00')
    const { json: pet } = await served.call('POST', '/pets', { key, body })
    for (const path of [`/pets/${pet.id}`, '/pets/999', '/pets/abc']) {
      const { status, json } = await served.call('GET', path, { key })
      assert.equal(status, 410)
      assert.deepEqual(Object.keys(json), ['code', 'message', 'status'])
      assert.equal(json.code, 'endpoint_removed')
    }
    assert.deepEqual((await served.call('GET', `/pets?id=${pet.id}`, { key })).json, [pet])
    const operations = await operationsOf(served)
    assert.ok(operations.includes('listPets') && !operations.includes('getPet'))
  },
)

testWith(
  ['faketime'],
  'the document that is written has every declared operation, whatever the date [D54]',
  async () => {
    const { code, stdout } = await petstore(['openapi', '--output', '-'], { env: clockAt('2040-01-01 00:00:00') })
    assert.equal(code, 0)
    assert.match(stdout, /"operationId": "getPet"/)
    assert.ok(stdout === projectFile('openapi.json'))
  },
)
