/** How many files a reader passes who follows one request: those of src/ with a function that runs for it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Folder, makeKey, node, Served } from './support/process.ts'
import { root } from './support/project.ts'
import { main } from './support/service.ts'

interface Coverage {
  readonly result: readonly { url: string; functions: readonly { ranges: readonly { count: number }[] }[] }[]
}

/** V8's inspector in another process. */
class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #calls = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.onmessage = ({ data }) => {
      const { id, result } = JSON.parse(data)
      this.#waiting.get(id)?.(result)
    }
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    return new Inspector(socket)
  }

  call(method: string, params = {}): Promise<unknown> {
    const id = ++this.#calls
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  /** The files of src/ of which a function has run since the last call. */
  async filesRun(): Promise<Set<string>> {
    const { result } = (await this.call('Profiler.takePreciseCoverage')) as Coverage
    const src = `${pathToFileURL(join(root, 'src')).href}/`
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    return new Set(ran.flatMap(({ url }) => (url.startsWith(src) ? url.slice(src.length) : [])))
  }
}

/** On SQLite; lower a bound when the number falls. */
const bounds = [
  ['POST', '/pets', 21, { body: { name: 'Rex One', categoryId: 1 } }],
  ['GET', '/pets?limit=5&status=available', 17, {}],
] as const

test('a request passes few files of src', async (t) => {
  using folder = new Folder()
  const key = await makeKey(folder.env)
  await using served = await Served.start(folder.env, { program: [node, '--inspect=127.0.0.1:0', main] })
  const [, url = ''] = await served.until(/listening on (ws:\S+)\n/, 'stderr')
  const inspector = await Inspector.connect(url)
  const requests = bounds.map(([method, path, most, options]) => {
    const send = async () => assert.ok((await served.call(method, path, { key, ...options })).status < 300)
    return { line: `${method} ${path}`, most, send }
  })
  for (const { send } of requests) await send()
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (const { line, most, send } of requests) {
    let list: string[] = []
    // What only a timer runs is not in every round, however slow the machine is.
    for (let round = 0; round === 0 || (list.length > most && round < 30); round++) {
      await inspector.filesRun()
      await send()
      const files = await inspector.filesRun()
      list = round === 0 ? [...files].sort() : list.filter((file) => files.has(file))
    }
    t.diagnostic(`${line}: ${list.length} files: ${list.join(', ')}`)
    assert.ok(list.includes('http/handler.ts'))
    assert.ok(list.length <= most, `${line}: ${list.length} files instead of ${most}:\n${list.join('\n')}`)
  }
})
