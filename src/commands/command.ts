/** What a command of the `petstore` program is, and how it reads its arguments. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Environment } from '../config/config.ts'
import { UsageError } from '../errors.ts'
import type { Output } from './output.ts'

/** What a command gets from the process. */
export interface CommandContext {
  readonly env: Environment
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Output
  readonly stderr: Output
}

export interface Command {
  readonly help: string
  /** Resolves with the exit code. */
  run(args: readonly string[], context: CommandContext): Promise<number>
}

/** Parses the arguments strictly: an unknown flag is an error. `positionals` describes those that are required. */
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
  // Such as "$FILE" where FILE is not set.
  if (given.includes('')) throw new UsageError('An argument is empty.')
  if (given.length < positionals.length) throw new UsageError(`Give ${positionals[given.length]}.`)
  const most = positionals.length + optional
  if (given.length > most) throw new UsageError(`Unexpected argument "${given[most]}".`)
  return { flags: parsed.values, positionals: given }
}
