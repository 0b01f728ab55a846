/** Starts a service like its users do, and reads a response: `npx node build/start-once.ts FILE [ARGUMENT…]`. */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { Folder, Program, Served } from '../harness/process.ts'

interface Started {
  readonly url: string
  readonly key: string
}

/** Starts `program` with a new database in an empty folder, or in `cwd`, until `use` has ended. */
export async function startOnce(
  program: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
  use: (started: Started) => Promise<void> = async () => {},
): Promise<void> {
  using folder = new Folder()
  const surroundings = { cwd: cwd ?? folder.path, env }
  await using served = await Served.start(env, { program, cwd: surroundings.cwd })
  const key = (await new Program([...program, 'keys', 'create', '--name', 'try'], surroundings).succeeded).trim()
  assert.equal((await served.call('GET', '//livez')).status, 200)
  assert.deepEqual((await served.call('GET', '/pets', { key })).json, [])
  await use({ url: served.url, key })
  await served.end('SIGTERM')
}

if (import.meta.main) {
  const [file = '', ...args] = process.argv.slice(2)
  await startOnce([resolve(file), ...args])
  process.stdout.write(`${file} serves.\n`)
}
