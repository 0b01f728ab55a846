/** The command line: runs the named command with its settings, and turns its errors into messages and an exit code. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError, type Environment, settings } from '../config/config.ts'
import { programName, programVersion } from '../config/program.ts'
import { CommandFailed, fileFault, UsageError } from '../errors.ts'
import { DatabaseUnusable, StoreDamaged, StoreUnavailable } from '../store/store.ts'
import { type Command, type CommandContext, nearest, unknownOption } from './command.ts'
import type { Output } from './output.ts'

/** The commands by name; each is loaded on demand, so that a short one starts fast. */
const commands = new Map<string, readonly [summary: string, load: () => Promise<Command>]>([
  ['serve', ['run the service', async () => (await import('./serve.ts')).serve]],
  ['keys', ['create, list, revoke and rotate API keys', async () => (await import('./keys.ts')).keys]],
  ['migrate', ['migrate the database to the current schema', async () => (await import('./database.ts')).migrate]],
  ['copy', ['copy all data to another database', async () => (await import('./database.ts')).copy]],
  ['backup', ['copy the SQLite file while the service runs', async () => (await import('./backup.ts')).backup]],
  ['restore', ['put a backup in the place of the SQLite file', async () => (await import('./backup.ts')).restore]],
  ['check', ['check that the stored data is consistent', async () => (await import('./database.ts')).check]],
  ['demo', ['fill an empty store with animals and orders', async () => (await import('./demo.ts')).demo]],
  ['import', ['add the animals of a file', async () => (await import('./import.ts')).importFile]],
  ['export', ['write all animals, or orders, to a file', async () => (await import('./export.ts')).exportRows]],
  ['sandbox', ['run a pet store to test against', async () => (await import('./sandbox.ts')).sandbox]],
  ['conform', ['check a service against the interface', async () => (await import('./conform.ts')).conform]],
  ['openapi', ['write the OpenAPI document', async () => (await import('./openapi.ts')).openapi]],
])

const help = `The pet store: a catalogue of animals, served over HTTP.

Usage: petstore COMMAND

${[...commands].map(([name, [summary]]) => `  ${name.padEnd(12)}${summary}`).join('\n')}

"petstore help COMMAND" or "petstore COMMAND --help" explains a command, "petstore --version" prints the version.
Every command takes --env-file FILE, a file of settings with one NAME=value per line. The environment overrides them.

Example: petstore serve
`

/** Runs the named command; prints a failure in a few lines. Resolves with the exit code. */
export async function petstore(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await run(args, context)
  } catch (error) {
    return exitCodeOf(error, args, context)
  }
}

async function run(given: readonly string[], context: CommandContext): Promise<number> {
  const { env, stdout, stderr } = context
  const [envFile, [first, ...rest]] = takeEnvFile(given)
  if (first === '--version' || first === '-v') {
    stdout.write(`${programVersion()}\n`)
    return 0
  }
  // "help COMMAND" is "COMMAND --help".
  const [name, ...args] = first === 'help' && rest.length > 0 ? [...rest, '--help'] : [first, ...rest]
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    stdout.write(help)
    return name === undefined ? 2 : 0
  }
  const [, load] = commands.get(name) ?? []
  if (!load) throw name.startsWith('-') ? unknownOption(name, ['version']) : unknownCommand(name)
  const command = await load()
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(command.help)
    return 0
  }
  return command.run(args, { ...context, env: readSettings(env, envFile, stderr) })
}

function unknownCommand(name: string): UsageError {
  const names = [...commands.keys()]
  const meant = nearest(name, names)
  return new UsageError(
    `Unknown command "${name}"; ${meant ? `did you mean ${meant}?` : `the commands are ${names.join(', ')}.`}`,
  )
}

function exitCodeOf(error: unknown, [name = '']: readonly string[], { stderr }: CommandContext): number {
  if (error instanceof UsageError) {
    stderr.write(`petstore: ${error.message}\nSee: ${programName} ${commands.has(name) ? `${name} ` : ''}--help\n`)
    return 2
  }
  if (error instanceof ConfigError) {
    stderr.write(`petstore: invalid settings:\n${error.faults.map((fault) => `  - ${fault}\n`).join('')}`)
    return 2
  }
  if (error instanceof CommandFailed || error instanceof DatabaseUnusable || isOfFile(error))
    stderr.write(`petstore: ${error.message}\n`)
  else if (error instanceof StoreDamaged)
    stderr.write(`petstore: ${error.message}. The database is damaged: ${StoreDamaged.advice}.\n`)
  else if (error instanceof StoreUnavailable)
    stderr.write(
      `petstore: ${error.message}. Run the command again when the database works. Part of the work may already be done.\n`,
    )
  else stderr.write(`petstore: unexpected failure\n${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}

/** An error of the file system, such as "EACCES: permission denied, open 'PATH'", says what to change. */
const isOfFile = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'path' in error

/** The file after --env-file, and the other arguments. */
function takeEnvFile(args: readonly string[]): [file: string | undefined, rest: readonly string[]] {
  const isOption = (arg: string) => /^--env-file(?:=|$)/.test(arg)
  const at = args.findIndex(isOption)
  if (at < 0) return [undefined, args]
  const [inline] = /(?<==).*$/s.exec(args[at] ?? '') ?? []
  const file = inline ?? args[at + 1]
  if (!file) throw new UsageError('Give a file: --env-file FILE')
  const rest = args.toSpliced(at, inline === undefined ? 2 : 1)
  if (rest.some(isOption)) throw new UsageError('Give --env-file only once.')
  return [file, rest]
}

/** The settings of the file, overridden by the environment. An unknown name may be meant for another program. */
function readSettings(environment: Environment, file: string | undefined, stderr: Output): Environment {
  if (file === undefined) return environment
  const fromFile = readEnvFile(file)
  for (const name of Object.keys(fromFile)) {
    if (name in settings) continue
    const meant = nearest(name, Object.keys(settings))
    stderr.write(`petstore: warning: ${name} in ${file} is not a setting${meant ? `; did you mean ${meant}?` : '.'}\n`)
  }
  return { ...fromFile, ...environment }
}

function readEnvFile(path: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
    // In a file in UTF-16, no line would contain the name of a setting, and all settings would silently have their
    // defaults.
    if (text.includes('\0')) throw new Error('it is not UTF-8')
  } catch (error) {
    throw new ConfigError([`--env-file ${path} cannot be read: ${fileFault(error)}.`])
  }
  const faults: string[] = []
  const found: Record<string, string> = {}
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name] = /^\s*(?:export\s+)?([^\s=]+)\s*=/.exec(line) ?? []
    if (name) found[name] = parseEnv(line)[name] ?? ''
    // The message does not quote the line, which may be secret.
    else faults.push(`--env-file ${path}, line ${i + 1}: must be NAME=value.`)
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return found
}
