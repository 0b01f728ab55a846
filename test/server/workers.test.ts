/** Several processes on one port and one SQLite file: they serve as one, and one that dies is replaced. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { Folder, makeKey, Program, runtimes, Served, testWith } from '../support/process.ts'
import { some, testInFull } from '../support/scope.ts'
import { main } from '../support/service.ts'

const childrenOf = (pid: number): number[] => {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child as number)
}

/** Whether a process runs; one that has ended and that nobody has asked about yet does not. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout)
}

/** A module that ends every worker, or does as it is told, before the program begins. */
function broken(folder: Folder, work = 'process.exit(3)'): string {
  const file = join(folder.path, 'broken.mjs')
  writeFileSync(file, `if (process.env.PETSTORE_WORKER) { console.log('worker waits'); ${work} }`)
  return file
}

for (const [name, runtime] of some(runtimes))
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

    testInFull('counts the requests of a key in all workers together', async () => {
      using folder = new Folder()
      // A request comes back every six minutes, which is longer than the test takes.
      const key = await makeKey(folder.env, '--rate', '10/3600')
      await using served = await Served.start({ ...folder.env, WORKERS: '2' }, { runtime })
      // Each request on a connection of its own, which the kernel gives to either worker.
      const headers = { Connection: 'close' }
      const answers = []
      for (let i = 0; i < 40; i++) answers.push(await served.call('GET', '/pets', { key, headers }))
      const passed = answers.filter(({ status }) => status === 200).length
      assert.ok(passed === 10 || passed === 11, `${passed}: the quota, and one request a second for the other worker`)
      const { code } = await served.end('SIGTERM')
      assert.equal(code, 0)
    })

    testInFull('a port that other workers share is in use, too', async () => {
      using folder = new Folder()
      const env = { ...folder.env, WORKERS: '2' }
      await using first = await Served.start(env, { runtime })
      await using second = new Program([runtime, main, 'serve'], { env: { ...env, PORT: String(first.port) } })
      const said = await Promise.any([second.until(/is in use/, 'stderr'), second.until(/is ready/)])
      await Promise.all([second.end('SIGTERM'), first.end('SIGTERM')])
      assert.equal(said[0], 'is in use')
    })

    testWith(['ps'], 'a worker leaves Ctrl-C to its parent, which stops it by letting go of it', async () => {
      using folder = new Folder()
      await using served = await Served.start({ ...folder.env, WORKERS: '2' }, { runtime })
      for (const pid of childrenOf(served.pid)) process.kill(pid, 'SIGINT')
      const { code } = await served.end('SIGINT')
      assert.equal(code, 0)
      const stops = served.log.filter(({ msg }) => /^shutting down/.test(String(msg))).map(({ signal }) => signal)
      assert.deepEqual(stops, ['SIGINT', 'disconnect', 'disconnect'], 'the parent first, then each worker')
    })

    for (const signal of some(['SIGKILL', 'SIGHUP', 'SIGTERM'] as const))
      testWith(['ps'], `no worker outlives a parent that gets ${signal}`, async () => {
        using folder = new Folder()
        await using served = await Served.start({ ...folder.env, WORKERS: '2' }, { runtime })
        const workers = childrenOf(served.pid)
        assert.equal(workers.length, 2)
        // Its output ends with the last process that holds it.
        const { code } = await served.end(signal)
        assert.equal(code, signal === 'SIGKILL' ? null : 0)
        while (workers.some(isAlive));
      })

    testWith(
      ['ps'],
      'a signal to every process at once is obeyed in order, and a second one ends all of them at once',
      async () => {
        using folder = new Folder()
        await using served = await Served.start({ ...folder.env, WORKERS: '2', DRAIN_SECONDS: '300' }, { runtime })
        // The parent last: a worker that it has let go of 100 ms before would take the signal for a second one.
        const all = [...childrenOf(served.pid), served.pid]
        for (const pid of all) process.kill(pid, 'SIGTERM')
        await served.until(/shutting down.*shutting down.*shutting down/s)
        assert.deepEqual(all.filter(isAlive), all, 'they take their time')
        // Another one: the same within 100 ms would count as the first.
        served.signal('SIGINT')
        const { code } = await served.ended
        assert.equal(code, 128 + 2)
        while (all.some(isAlive));
      },
    )

    testInFull('if no worker starts, it fails with one line instead of waiting', async () => {
      using folder = new Folder()
      // A worker is told from its parent by the environment alone: this one has a fault for workers only.
      await using program = new Program([runtime, '--import', broken(folder), main, 'serve'], {
        env: { ...folder.env, PORT: '0', WORKERS: '2' },
      })
      const { code, stderr } = await program.ended
      assert.equal(code, 1)
      assert.match(stderr, /petstore: No worker starts: 5 in a row ended before they were ready\.\n/)
    })

    for (const [what, fault] of [
      ['has moved', `process.execPath = '/no/such/program'`],
      // The system refuses it in another way, which is thrown.
      ['gets too large an environment', `process.env.LARGE = 'x'.repeat(1024 * 1024)`],
    ] as const)
      testInFull(`a worker that cannot be started, as its program ${what}, counts as one that has died`, async () => {
        using folder = new Folder()
        const module = join(folder.path, 'fault.mjs')
        writeFileSync(module, fault)
        await using program = new Program([runtime, '--import', module, main, 'serve'], {
          env: { ...folder.env, PORT: '0', WORKERS: '2' },
        })
        const { code, stderr } = await program.ended
        assert.equal(code, 1)
        assert.match(stderr, /^petstore: No worker starts: 5 in a row ended before they were ready\.\n$/)
      })

    testInFull('SIGTERM is obeyed before the first worker is ready', async () => {
      using folder = new Folder()
      await using program = new Program(
        [
          runtime,
          '--import',
          broken(folder, 'setInterval(() => {}, 1000); await new Promise(() => {})'),
          main,
          'serve',
        ],
        {
          env: { ...folder.env, PORT: '0', WORKERS: '2' },
        },
      )
      await program.until(/worker waits/)
      const { code } = await program.end('SIGTERM')
      assert.equal(code, 0)
    })
  })
