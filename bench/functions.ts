/**
 * `npm run bench:functions` lists the functions of src/ that run for one POST and one GET, on Node and SQLite, in the
 * order in which a reader would follow them.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Folder, makeKey, node, Served } from '../harness/process.ts'
import { root } from '../harness/project.ts'
import { main } from '../harness/service.ts'

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { count: number }[] }[]
  }[]
}

/** The inspector of V8 in another process. */
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

  close(): void {
    this.#socket.close()
  }

  /** Returns the functions of src/ that have run since the last call. */
  async functionsRun(): Promise<Set<string>> {
    const { result } = (await this.call('Profiler.takePreciseCoverage')) as Coverage
    const src = `${pathToFileURL(join(root, 'src')).href}/`
    return new Set(
      result
        .filter(({ url }) => url.startsWith(src))
        .flatMap(({ url, functions }) =>
          functions
            .map(({ functionName, ranges }, index) => ({ name: functionName || `(${index})`, count: ranges[0]?.count }))
            .filter(({ count }) => count)
            .map(({ name }) => `${url.slice(src.length)} ${name}`),
        ),
    )
  }
}

const rounds = 10
using folder = new Folder()
const key = await makeKey(folder.env)
await using served = await Served.start(folder.env, { program: [node, '--inspect=127.0.0.1:0', main] })
const [, url = ''] = await served.until(/listening on (ws:\S+)\n/, 'stderr')
const inspector = await Inspector.connect(url)
const requests = [
  ['POST', '/pets', { body: { name: 'Rex One', categoryId: 1 } }],
  ['GET', '/pets?limit=5&status=available', {}],
] as const
for (const [method, path, options] of requests) await served.call(method, path, { key, ...options })
await inspector.call('Profiler.enable')
await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
for (const [method, path, options] of requests) {
  let passed: Set<string> | undefined
  // Functions that only a timer runs are not in every round.
  for (let round = 0; round < rounds; round++) {
    await inspector.functionsRun()
    await served.call(method, path, { key, ...options })
    // This includes what follows the response.
    await setTimeout(20)
    const ran = await inspector.functionsRun()
    passed = passed?.intersection(ran) ?? ran
  }
  const list = [...(passed ?? [])].sort()
  const files = new Set(list.map((line) => line.split(' ')[0]))
  process.stdout.write(`${method} ${path}: ${list.length} functions of ${files.size} files\n`)
  if (process.argv.includes('--list')) process.stdout.write(`${list.map((line) => `  ${line}`).join('\n')}\n`)
}
inspector.close()
