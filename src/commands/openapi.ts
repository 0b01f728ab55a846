/** `petstore openapi`: writes the OpenAPI document. */
import { operations } from '../app.ts'
import { defaultPublicUrl, loadConfig, serversOf } from '../config/config.ts'
import { UsageError } from '../errors.ts'
import { documentPaths, type OpenApiVersion, openApiJson } from '../reference/openapi.ts'
import { type Command, readArgs } from './command.ts'
import { openOutputFile } from './output.ts'

export const openapi: Command = {
  help: `Usage: petstore openapi [--openapi VERSION] [--output FILE] [--force]

Writes the OpenAPI document. PUBLIC_URL and STAGING_URL are listed in it as servers.

  --openapi VERSION  3.1, or 3.0 for tools that cannot read 3.1 (default: 3.1)
  --output FILE      the file to write; - for standard output (default: openapi.json, or openapi-3.0.json)
  --force            replace FILE if it exists

Example: petstore openapi --output - > openapi.json
`,
  async run(args, { env, stdout, stderr }) {
    const { flags } = readArgs(args, {
      openapi: { type: 'string', default: '3.1' },
      output: { type: 'string' },
      force: { type: 'boolean', default: false },
    })
    if (!(flags.openapi in documentPaths)) throw new UsageError(`--openapi takes 3.1 or 3.0, not "${flags.openapi}"`)
    const version = flags.openapi as OpenApiVersion
    const output = flags.output ?? documentPaths[version].slice(1)
    const config = loadConfig(env)
    // The published document has every declared operation; the served one omits operations past their sunset.
    const text = openApiJson(operations, {
      servers: serversOf(config, defaultPublicUrl(config.host, config.port)),
      now: Number.NEGATIVE_INFINITY,
      version,
    })
    using file = openOutputFile(output, { isForced: flags.force, databaseUrl: config.database.url, stdout })
    file.write(text)
    file.end()
    if (output !== '-') stderr.write(`Wrote ${output}.\n`)
    return 0
  },
}
