/** The commands by name: picks one, runs it, and turns what it throws into lines and an exit code. */
import { ConfigError } from '../config.ts'
import { CommandFailed, UsageError } from '../failure.ts'
import { StoreRefused } from '../store/store.ts'
import type { Command, Surroundings } from './command.ts'

/** Loaded when asked for, so that a short command starts fast. */
const commands = new Map<string, readonly [summary: string, load: () => Promise<Command>]>([
  ['serve', ['run the service', async () => (await import('./serve.ts')).serve]],
  ['keys', ['create, list, revoke and rotate API keys', async () => (await import('./keys.ts')).keys]],
  ['migrate', ['bring the database up to date', async () => (await import('./migrate.ts')).migrate]],
  ['copy', ['take everything to another database', async () => (await import('./copy.ts')).copy]],
  ['openapi', ['write the OpenAPI document', async () => (await import('./openapi.ts')).openapi]],
])

const help = `The pet store: a catalogue of animals, served over HTTP.

Usage: petstore COMMAND

${[...commands].map(([name, [summary]]) => `  ${name.padEnd(10)}${summary}`).join('\n')}

"petstore COMMAND --help" tells more.
`

/** Runs the command that the arguments name, and says in a few lines what kept it from its work; the number is the exit code. */
export async function petstore(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    return await run(args, surroundings)
  } catch (error) {
    return exitCodeOf(error, args, surroundings)
  }
}

async function run([name, ...args]: readonly string[], surroundings: Surroundings): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    surroundings.stdout.write(help)
    return name === undefined ? 2 : 0
  }
  const [, load] = commands.get(name) ?? []
  if (!load) throw new UsageError(`Unknown command "${name}"; there are ${[...commands.keys()].join(', ')}.`)
  const command = await load()
  if (args.includes('--help') || args.includes('-h')) {
    surroundings.stdout.write(command.help)
    return 0
  }
  return command.run(args, surroundings)
}

function exitCodeOf(error: unknown, [name = '']: readonly string[], { stderr }: Surroundings): number {
  if (error instanceof UsageError) {
    const more = commands.has(name) ? `petstore ${name} --help` : 'petstore --help'
    stderr.write(`petstore: ${error.message}\nSee: ${more}\n`)
    return 2
  }
  if (error instanceof ConfigError) {
    stderr.write(`petstore: the settings have faults:\n${error.faults.map((fault) => `  - ${fault}\n`).join('')}`)
    return 2
  }
  if (error instanceof CommandFailed || error instanceof StoreRefused) stderr.write(`petstore: ${error.message}\n`)
  else stderr.write(`petstore: unexpected failure\n${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}
