/** Several processes on one port and one SQLite file: they serve as one, and one that dies is replaced. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { Folder, makeKey, Program, runtimes, Served, testWith } from '../support/process.ts'
import { main } from '../support/service.ts'

const childrenOf = (pid: number): number[] => {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child as number)
}

for (const [name, runtime] of runtimes)
  describe(`petstore serve with WORKERS=2, on ${name}`, () => {
    testWith(['ps'], 'loses nothing while workers are killed and replaced, and ends with 0', async () => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      await using served = await Served.start({ ...folder.env, WORKERS: '2' }, { runtime })
      assert.equal(childrenOf(served.pid).length, 2)

      const added = new Map<number, string>()
      async function add(count: number): Promise<void> {
        for (let i = 0; i < count; ) {
          // A connection may be cut with its worker; what was not acknowledged is simply sent again.
          const answer = await served
            .call('POST', '/pets', { key, body: { name: `n${i}`, categoryId: i }, headers: { Connection: 'close' } })
            .catch(() => undefined)
          if (answer === undefined) continue
          assert.equal(answer.status, 201)
          added.set(answer.json.id, answer.text)
          i++
        }
      }
      await Promise.all([add(20), add(20), add(20)])
      const victim = childrenOf(served.pid)[0] as number
      process.kill(victim, 'SIGKILL')
      await served.until(/a worker has died/)
      await Promise.all([add(20), add(20), add(20)])
      for (;;) {
        const workers = childrenOf(served.pid)
        if (workers.length === 2 && !workers.includes(victim)) break
        await add(1)
      }
      for (const [id, text] of added)
        assert.equal((await served.call('GET', `/pets/${id}`, { key, headers: { Connection: 'close' } })).text, text)
      const { code } = await served.end('SIGTERM')
      assert.equal(code, 0)
    })

    test('a port that other workers share is in use, too', async () => {
      using folder = new Folder()
      const env = { ...folder.env, WORKERS: '2' }
      await using first = await Served.start(env, { runtime })
      await using second = new Program([runtime, main, 'serve'], { env: { ...env, PORT: String(first.port) } })
      const said = await Promise.any([second.until(/is in use/, 'stderr'), second.until(/is open/)])
      await Promise.all([second.end('SIGTERM'), first.end('SIGTERM')])
      assert.equal(said[0], 'is in use')
    })

    testWith(['ps'], 'a worker leaves Ctrl-C to its parent, which stops it with SIGTERM', async () => {
      using folder = new Folder()
      await using served = await Served.start({ ...folder.env, WORKERS: '2' }, { runtime })
      for (const pid of childrenOf(served.pid)) process.kill(pid, 'SIGINT')
      const { code } = await served.end('SIGINT')
      assert.equal(code, 0)
      const stops = served.log.filter(({ msg }) => /^closing/.test(String(msg))).map(({ signal }) => signal)
      assert.deepEqual(stops, ['SIGINT', 'SIGTERM', 'SIGTERM'], 'the parent first, then each worker')
    })
  })
