/**
 * The removal of getPet, end to end: the real program on both sides of 2030-12-05T00:00:00Z, by the clock of its
 * machine.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { Folder, makeKey, petstore, Served, testWith } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'

/**
 * Returns the library that the wrapper would preload. The wrapper itself would stand between the test and the program.
 */
function preloaded(): string {
  for (let tries = 0; tries < 20; tries++) {
    const { status, stdout, stderr } = spawnSync('faketime', ['now', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
    // A killed process with the number of this process has left its semaphore. The next process has another number.
    assert.match(stderr, /sem_open: File exists/)
  }
  return assert.fail('faketime does not start')
}

/** The environment of a machine whose clock stands still at an instant of UTC. */
function clockAt(instant: string): Record<string, string> {
  return {
    LD_PRELOAD: preloaded(),
    FAKETIME: instant,
    TZ: 'UTC',
    // Only the clock of the machine stands still, because timers need the monotonic clock.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

testWith(
  ['faketime'],
  'getPet works until the last second before its removal and then gets 410, and its replacement works',
  async () => {
    using folder = new Folder()
    const key = await makeKey(folder.env)
    for (const [instant, status] of [
      ['2030-12-04 23:59:59', 200],
      ['2030-12-05 00:00:00', 410],
    ] as const) {
      await using served = await Served.start({ ...folder.env, ...clockAt(instant) })
      const { json: pet } = await served.call('POST', '/pets', { key, body: { name: 'Rex', categoryId: 1 } })
      const answer = await served.call('GET', `/pets/${pet.id}`, { key })
      assert.deepEqual([answer.status, answer.json.code], [status, status === 410 ? 'endpoint_removed' : undefined])
      assert.deepEqual((await served.call('GET', `/pets?id=${pet.id}`, { key })).json, [pet])
      const document = await (await fetch(new URL('/openapi.json', served.url))).text()
      assert.equal(/"operationId": ?"getPet"/.test(document), status === 200)
      await served.end('SIGTERM')
    }
  },
)

testWith(['faketime'], 'petstore openapi writes every declared operation, whatever the date', async () => {
  const { code, stdout } = await petstore(['openapi', '--output', '-'], { env: clockAt('2040-01-01 00:00:00') })
  assert.equal(code, 0)
  assert.ok(stdout === projectFile('openapi.json'))
})
