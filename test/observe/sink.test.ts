/**
 * A log that cannot be written. The service answers, its memory is bounded, it ends on a signal, and the log continues
 * later.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '../../harness/patience.ts'
import { Folder, makeKey, node, Program, testWith } from '../../harness/process.ts'
import { describeInFull, test } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { testOnSmallDisk } from '../../harness/small-disk.ts'
import { TestTime } from '../../harness/time.ts'
import { createSink } from '../../src/observe/log.ts'

const pendingBytesMax = 1024 * 1024

describe('a sink', () => {
  /**
   * Makes a sink to a file that accepts as many bytes as it has room for. Also returns what was written, one write
   * after another.
   */
  function sinkToFile(onResume: (dropped: number) => void = () => assert.fail()) {
    const file = { room: Number.POSITIVE_INFINITY, writes: [] as string[], text: () => file.writes.join('') }
    const writeSome = (_fd: number, bytes: Uint8Array): number => {
      if (file.room === 0) throw new Error('ENOSPC')
      const taken = bytes.subarray(0, file.room)
      file.room -= taken.length
      file.writes.push(Buffer.from(taken).toString())
      return taken.length
    }
    const time = new TestTime()
    return { file, time, sink: createSink(1, { time, writeSome, onResume }) }
  }
  const line = `${'x'.repeat(1023)}\n`

  test('The sink of the log writes a line at once, and deferred lines together at the end of the turn, each of them once [decision 26]', async () => {
    const { file, sink } = sinkToFile()
    sink.write('a\n')
    sink.defer('ä\n')
    assert.deepEqual(file.writes, ['a\n'])
    sink.write('b\n')
    for (const line of ['c\n', 'ä\n']) sink.defer(line)
    assert.deepEqual(file.writes, ['a\n', 'ä\nb\n'])
    await nextTurn()
    sink.defer('e\n')
    await nextTurn()
    assert.deepEqual(file.writes.slice(2), ['c\nä\n', 'e\n'])
  })

  test('The sink of the log writes early and drops nothing if one turn has more lines than its buffer holds', async () => {
    const { file, sink } = sinkToFile()
    for (let i = 0; i < 3000; i++) sink.defer(line)
    assert.ok(line.length * 3000 - file.text().length <= pendingBytesMax)
    await nextTurn()
    assert.equal(file.text(), line.repeat(3000))
  })

  test('The sink of the log buffers what cannot be written, drops the excess, and reports the loss once writing works [decision 26]', async () => {
    const told: number[] = []
    const { file, sink, time } = sinkToFile((count) => told.push(count))
    file.room = 3
    sink.write('first\n')
    await nextTurn()
    for (let i = 0; i < 2000; i++) sink.write(line)
    time.advance(250)
    assert.equal(file.text(), 'fir', 'a file that is still full takes nothing')
    assert.deepEqual(told, [])
    file.room = Number.POSITIVE_INFINITY
    time.advance(249)
    assert.equal(file.text(), 'fir')
    time.advance(1)
    const kept = Math.floor((pendingBytesMax - 3) / 1024)
    assert.equal(file.text(), `first\n${line.repeat(kept)}`)
    assert.deepEqual(told, [2000 - kept])
    sink.write('last\n')
    await nextTurn()
    assert.ok(file.text().endsWith('\nlast\n'))
    time.advance(1_000)
    assert.equal(told.length, 1, 'it is told once')
    assert.equal(sink.droppedTotal, 2000 - kept, 'and stays counted')
  })
})

describeInFull('a log that cannot be written', () => {
  testOnSmallDisk(
    'If the disk of the log is full, requests are answered, and the log continues when there is room',
    32,
    async (disk) => {
      using folder = new Folder()
      const key = await makeKey(folder.env)
      const file = join(disk.path, 'log')
      const log = openSync(file, constants.O_CREAT | constants.O_WRONLY | constants.O_APPEND)
      await using program = new Program([node, main, 'serve'], { env: { ...folder.env, PORT: '0' }, stdout: log })
      closeSync(log)
      const url = await baseUrl(() => readFileSync(file, 'utf8'))
      for (let i = 0; i < 200; i++) await statusOf(`${url}/pets`, key)
      assert.equal(await statusOf(new URL('/livez', url)), 200)
      assert.ok(readFileSync(file).length > 16 * 1024, 'the disk is full')

      truncateSync(file)
      const logged = async () => {
        await statusOf(new URL('/livez', url))
        return readFileSync(file, 'utf8')
      }
      await eventually(logged, (text) => text.includes('/livez'))
      assert.equal((await program.end('SIGTERM')).code, 0)
    },
  )

  testWith(['mkfifo'], 'If nobody reads the log, requests are answered, and SIGTERM stops the service', async () => {
    using folder = new Folder()
    const key = await makeKey(folder.env)
    const path = join(folder.path, 'pipe')
    execFileSync('mkfifo', [path])
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    try {
      const log = openSync(path, constants.O_WRONLY)
      await using program = new Program([node, main, 'serve'], {
        env: { ...folder.env, PORT: '0' },
        stdout: log,
      })
      closeSync(log)
      const url = await baseUrl(() => readPipe(pipe))
      for (let i = 0; i < 600; i++) assert.equal(await statusOf(`${url}/pets`, key), 200)
      assert.equal((await program.end('SIGTERM')).code, 0)
    } finally {
      closeSync(pipe)
    }
  })
})

/** Returns the base address from the log, which `read` reads further. */
async function baseUrl(read: () => string): Promise<string> {
  let text = ''
  const found = async () => /"url":"([^"]+)"/.exec((text += read()))?.[1]
  return (await eventually(found, (url) => url !== undefined)) as string
}

/** Returns the present content of a pipe. */
function readPipe(pipe: number): string {
  const bytes = Buffer.alloc(4096)
  try {
    return bytes.subarray(0, readSync(pipe, bytes)).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return ''
    throw error
  }
}

async function statusOf(url: string | URL, key?: string): Promise<number> {
  const response = await fetch(url, { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}
