/** The command line: runs the named command, and turns its errors into messages and an exit code. */
import { ConfigError } from '../config/config.ts'
import { programVersion } from '../config/program.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { StoreRefused } from '../store/store.ts'
import { type Commands, nearest, type Surroundings, unknownOption } from './command.ts'
import { readSettings, takeEnvFile } from './env-file.ts'

const commands: Commands = new Map([
  ['serve', ['run the service', async () => (await import('./serve.ts')).serve]],
  ['keys', ['create, list, revoke and rotate API keys', async () => (await import('./keys.ts')).keys]],
  ['migrate', ['migrate the database to the current schema', async () => (await import('./migrate.ts')).migrate]],
  ['copy', ['copy all data to another database', async () => (await import('./copy.ts')).copy]],
  ['backup', ['copy the SQLite file while the service runs', async () => (await import('./backup.ts')).backup]],
  ['restore', ['put a backup in the place of the SQLite file', async () => (await import('./restore.ts')).restore]],
  ['check', ['check that the stored data is sound', async () => (await import('./check.ts')).check]],
  ['demo', ['fill an empty store with animals and orders', async () => (await import('./demo.ts')).demo]],
  ['import', ['add the animals of a file', async () => (await import('./import.ts')).importFile]],
  ['export', ['write all animals, or orders, to a file', async () => (await import('./export.ts')).exportRows]],
  ['openapi', ['write the OpenAPI document', async () => (await import('./openapi.ts')).openapi]],
])

const help = `The pet store: a catalogue of animals, served over HTTP.

Usage: petstore COMMAND

${[...commands].map(([name, [summary]]) => `  ${name.padEnd(12)}${summary}`).join('\n')}

"petstore help COMMAND" or "petstore COMMAND --help" explains a command, "petstore --version" prints the version.
Every command takes --env-file FILE: settings, one NAME=value per line. The environment overrides them.

Example: petstore serve
`

/** Runs the named command; prints a failure in a few lines. Resolves with the exit code. */
export async function petstore(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    return await run(args, surroundings)
  } catch (error) {
    return exitCodeOf(error, args, surroundings)
  }
}

async function run(given: readonly string[], { env, ...surroundings }: Surroundings): Promise<number> {
  const [envFile, [first, ...rest]] = takeEnvFile(given)
  if (first === '--version' || first === '-v') {
    surroundings.stdout.write(`${programVersion()}\n`)
    return 0
  }
  // "help COMMAND" is "COMMAND --help".
  const [name, ...args] = first === 'help' && rest.length > 0 ? [...rest, '--help'] : [first, ...rest]
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    surroundings.stdout.write(help)
    return name === undefined ? 2 : 0
  }
  const [, load] = commands.get(name) ?? []
  if (!load) throw name.startsWith('-') ? unknownOption(name, ['version']) : unknownCommand(name)
  const command = await load()
  if (args.includes('--help') || args.includes('-h')) {
    surroundings.stdout.write(command.help)
    return 0
  }
  return command.run(args, { ...surroundings, env: readSettings(env, envFile, surroundings.stderr) })
}

function unknownCommand(name: string): UsageError {
  const names = [...commands.keys()]
  const meant = nearest(name, names)
  return new UsageError(
    `Unknown command "${name}"; ${meant ? `did you mean ${meant}?` : `the commands are ${names.join(', ')}.`}`,
  )
}

function exitCodeOf(error: unknown, [name = '']: readonly string[], { stderr }: Surroundings): number {
  if (error instanceof UsageError) {
    const more = commands.has(name) ? `petstore ${name} --help` : 'petstore --help'
    stderr.write(`petstore: ${error.message}\nSee: ${more}\n`)
    return 2
  }
  if (error instanceof ConfigError) {
    stderr.write(`petstore: invalid settings:\n${error.faults.map((fault) => `  - ${fault}\n`).join('')}`)
    return 2
  }
  if (error instanceof CommandFailed || error instanceof StoreRefused) stderr.write(`petstore: ${error.message}\n`)
  else stderr.write(`petstore: unexpected failure\n${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}
