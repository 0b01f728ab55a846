/** What a command of the `petstore` program is. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { UsageError } from '../failure.ts'

/** Where a command reads its settings and writes its output; `process` is one. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absent where there is none. */
  readonly stdin?: AsyncIterable<Uint8Array>
  readonly stdout: Output
  readonly stderr: Output
}

export interface Output {
  readonly isTTY?: boolean
  /** Whoever writes much awaits what it returns, so that a slow reader is not outrun. */
  write(text: string): unknown
}

export interface Command {
  readonly help: string
  /** Resolves with the exit code. */
  run(args: readonly string[], surroundings: Surroundings): Promise<number>
}

/** Parses the arguments strictly: an unknown flag is an error, never ignored. Up to `optional` further ones may follow. */
export function readArgs<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  positionals: readonly string[] = [],
  optional = 0,
) {
  let parsed: ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>>
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // The first sentence says what is wrong; the rest is advice that our help text gives better.
    throw new UsageError((error as Error).message.split(/\n|(?<=\.) /, 1).join())
  }
  const given = parsed.positionals
  if (given.length < positionals.length) throw new UsageError(`Give ${positionals[given.length]}.`)
  const most = positionals.length + optional
  if (given.length > most) throw new UsageError(`Unexpected argument "${given[most]}".`)
  return { flags: parsed.values, positionals: given }
}
