/** What every benchmark stands on: its options, a folder and servers that are gone when it ends, and its results. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Pace, say } from './contest.ts'
import { canPin, isInstalled, stopLoad } from './load.ts'
import { type AnimalAt, fill, root, Server, type ServerOptions, stopServers } from './server.ts'

export class Stage {
  readonly quick: boolean
  readonly pace: Pace
  readonly folder: string
  readonly #ends: (() => Promise<unknown>)[] = []
  #over: Promise<void> | undefined

  constructor(quick: boolean) {
    this.quick = quick
    this.pace = quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 3 }
    this.folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
  }

  start(name: string, command: readonly string[], options: ServerOptions = {}): Promise<Server> {
    say(`starting ${name}`)
    return Server.start(name, command, options)
  }

  /** For what is not a server of this benchmark. */
  atEnd(end: () => Promise<unknown>): void {
    this.#ends.push(end)
  }

  /** Ends the servers, then what they stand on. */
  end(): Promise<void> {
    this.#over ??= (async () => {
      for (const end of [stopServers, ...this.#ends]) await end().catch((error) => process.stderr.write(`${error}\n`))
      rmSync(this.folder, { recursive: true, force: true })
    })()
    return this.#over
  }

  /** Fills a new database with animals; the answer is a key to it. */
  fill(url: string, count: number, at?: AnimalAt): Promise<string> {
    let told = -1
    return fill(url, count, at, (done) => {
      const percent = Math.floor((10 * done) / count) * 10
      if (percent > told) say(`filling a store with ${count} animals: ${(told = percent)} %`)
    })
  }

  /** Keeps what a full run found. */
  record(name: string, results: object, picture?: string): void {
    if (this.quick) {
      process.stdout.write('A quick run: the figures on record were left as they are.\n')
      return
    }
    this.write(join(root, `bench/${name}.json`), { ...this.pace, ...results })
    if (picture) writeFileSync(join(root, `bench/${name}.svg`), picture)
  }

  /** Writes results, with what they were found on. */
  write(file: string, results: object): void {
    const [processor] = cpus()
    const machine = {
      processor: processor?.model ?? process.arch,
      architecture: process.arch,
      cores: cpus().length,
      pinned: canPin,
    }
    const versions = { node: process.version, bun: versionOf('bun') }
    writeFileSync(file, `${JSON.stringify({ machine, versions, ...results }, undefined, 2)}\n`)
  }
}

/** Runs a benchmark; whatever becomes of it, nothing of it stays behind. */
export async function onStage(
  work: (stage: Stage, flags: Readonly<Record<string, unknown>>, args: readonly string[]) => Promise<void>,
  options: ParseArgsOptionsConfig = {},
): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, ...options },
    allowPositionals: true,
  })
  if (!isInstalled('wrk')) {
    process.stderr.write('The benchmark needs wrk; on Debian: apt-get install wrk\n')
    process.exitCode = 1
    return
  }
  const stage = new Stage(flags.quick === true)
  const stop = async () => {
    stopLoad()
    await stage.end()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  // Who reads the output has gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stop)
  try {
    await work(stage, flags, positionals)
  } finally {
    await stage.end()
  }
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(root, `node_modules/${name}/package.json`), 'utf8')).version
