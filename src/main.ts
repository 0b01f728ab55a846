#!/usr/bin/env node
/** The `petstore` program: picks a command and sets the exit code. */
import { tmpdir } from 'node:os'
import type { Command } from './commands/command.ts'
import { ConfigError } from './config.ts'
import { CommandFailed, UsageError } from './failure.ts'
import { privateFolder } from './private-folder.ts'
import { StoreRefused } from './store/store.ts'

// Node keeps what it compiled, types stripped: the next start takes a third less.
const cacheFolder = privateFolder(tmpdir())
if (cacheFolder) process.getBuiltinModule('node:module').enableCompileCache?.(cacheFolder)

/** Loaded when asked for, so that a short command starts fast. */
const commands = new Map<string, readonly [summary: string, load: () => Promise<Command>]>([
  ['serve', ['run the service', async () => (await import('./commands/serve.ts')).serve]],
  ['keys', ['create, list, revoke and rotate API keys', async () => (await import('./commands/keys.ts')).keys]],
  ['migrate', ['bring the database up to date', async () => (await import('./commands/migrate.ts')).migrate]],
  ['copy', ['take everything to another database', async () => (await import('./commands/copy.ts')).copy]],
  ['openapi', ['write the OpenAPI document', async () => (await import('./commands/openapi.ts')).openapi]],
])

const help = `The pet store: a catalogue of animals, served over HTTP.

Usage: petstore COMMAND

${[...commands].map(([name, [summary]]) => `  ${name.padEnd(10)}${summary}`).join('\n')}

"petstore COMMAND --help" tells more.
`

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help)
    return name === undefined ? 2 : 0
  }
  const [, load] = commands.get(name) ?? []
  if (!load) throw new UsageError(`Unknown command "${name}"; there are ${[...commands.keys()].join(', ')}.`)
  const command = await load()
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(command.help)
    return 0
  }
  return command.run(args)
}

function exitCodeOf(error: unknown): number {
  const [name = ''] = process.argv.slice(2)
  if (error instanceof UsageError) {
    const more = commands.has(name) ? `petstore ${name} --help` : 'petstore --help'
    process.stderr.write(`petstore: ${error.message}\nSee: ${more}\n`)
    return 2
  }
  if (error instanceof ConfigError) {
    process.stderr.write(
      `petstore: the settings have faults:\n${error.faults.map((fault) => `  - ${fault}\n`).join('')}`,
    )
    return 2
  }
  if (error instanceof CommandFailed || error instanceof StoreRefused)
    process.stderr.write(`petstore: ${error.message}\n`)
  else process.stderr.write(`petstore: unexpected failure\n${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}

process.exitCode = await main(process.argv.slice(2)).catch(exitCodeOf)
// The work is done: a connection that a dead network never closes must not keep the process.
setTimeout(() => process.exit(), 1_000).unref()
