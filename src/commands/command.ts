/** The interface of a command of the `petstore` program, and the reading of its arguments. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Environment, settings } from '../config/config.ts'
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
    const { code, message } = error as NodeJS.ErrnoException
    const [, unknown] = (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(-[^']*)'/.exec(message)) || []
    if (unknown) throw unknownOption(unknown, Object.keys(options))
    // The first sentence says what is wrong; the rest is advice that our help text gives better.
    throw new UsageError(message.split(/\n|(?<=\.) /, 1).join())
  }
  const given = parsed.positionals
  // An argument is empty, for example, if it is "$FILE" and FILE is not set.
  if (given.includes('')) throw new UsageError('An argument is empty.')
  if (given.length < positionals.length) throw new UsageError(`Give ${positionals[given.length]}.`)
  const most = positionals.length + optional
  if (given.length > most) throw new UsageError(`Unexpected argument "${given[most]}".`)
  return { flags: parsed.values, positionals: given }
}

/** The error for an unknown option; its message names the option or setting that was probably meant. */
export function unknownOption(unknown: string, options: readonly string[]): UsageError {
  const name = unknown.replace(/^-+|=.*$/gs, '')
  const option = nearest(name, [...options, 'env-file', 'help'])
  const setting = nearest(name.toUpperCase().replaceAll('-', '_'), Object.keys(settings))
  const advice = setting ? ` Settings are environment variables: set ${setting}.` : ''
  return new UsageError(`Unknown option ${unknown}.${option ? ` Did you mean --${option}?` : advice}`)
}

/** The known word that a mistyped word probably means: more than half of its letters agree from the beginning. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const start = word.slice(0, Math.floor(word.length / 2) + 1)
  return word === '' ? undefined : known.find((other) => other.startsWith(start))
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration in milliseconds. The error shows examples. */
export function readDuration(option: string, text: string, examples: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,4})([smhd])$/.exec(text) ?? []
  if (!count) throw new UsageError(`${option} takes a time such as ${examples}, not "${text}".`)
  return Number(count) * units[unit as keyof typeof units]
}
