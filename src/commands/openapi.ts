/** `petstore openapi`: writes the OpenAPI document, checks whether the written one is up to date, or tells what changed since a release. */
import { existsSync, readFileSync } from 'node:fs'
import { operations } from '../app.ts'
import { defaultPublicUrl, loadConfig, serversOf } from '../config.ts'
import { CommandFailed } from '../failure.ts'
import { embeddedFile, programName } from '../program.ts'
import { changesBetween } from '../reference/changes.ts'
import { openApiJson } from '../reference/openapi.ts'
import { type Command, readArgs } from './command.ts'
import { openOutputFile } from './output-file.ts'

export const openapi: Command = {
  help: `Usage: petstore openapi [--output FILE] [--check]
       petstore openapi --since VERSION

Writes the OpenAPI document, with the URLs of PUBLIC_URL and STAGING_URL.

  --output FILE    where to write; - for standard output (default: openapi.json)
  --check          write nothing; exit with code 1 if FILE is not up to date
  --since VERSION  write nothing; print what changed since that release

Example: petstore openapi --output - > openapi.json
`,
  async run(args, { env, stdout, stderr }) {
    const { flags } = readArgs(args, {
      output: { type: 'string', default: 'openapi.json' },
      check: { type: 'boolean', default: false },
      since: { type: 'string' },
    })
    const config = loadConfig(env)
    // The published document has every declared operation; the served one omits operations past their sunset.
    const text = openApiJson(operations, {
      servers: serversOf(config, defaultPublicUrl(config.host, config.port)),
      now: Number.NEGATIVE_INFINITY,
    })
    if (flags.since !== undefined) {
      const changes = changesBetween(released(flags.since), JSON.parse(text))
      stdout.write(`${changes.join('\n') || `Nothing has changed since ${flags.since}.`}\n`)
    } else if (!flags.check || flags.output === '-') {
      const file = openOutputFile(flags.output, config.database.url, stdout)
      file.write(text)
      file.end()
      if (flags.output !== '-') stderr.write(`Wrote ${flags.output}.\n`)
    } else if (!existsSync(flags.output) || readFileSync(flags.output, 'utf8') !== text)
      throw new CommandFailed(`${flags.output} is not up to date; write it again: ${programName} openapi`)
    return 0
  },
}

function released(version: string): unknown {
  const name = `${version.replaceAll('/', '')}.json`
  try {
    return JSON.parse(readFileSync(embeddedFile(name) ?? new URL(`../../contracts/${name}`, import.meta.url), 'utf8'))
  } catch {
    throw new CommandFailed(`There is no released document of the version ${version}.`)
  }
}
