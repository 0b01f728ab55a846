/** `petstore openapi`: writes the OpenAPI document. */
import { operations } from '../app.ts'
import { defaultPublicUrl, loadConfig, serversOf } from '../config/config.ts'
import { openApiJson } from '../reference/openapi.ts'
import { type Command, readArgs } from './command.ts'
import { openOutputFile } from './output.ts'

const documentFile = { name: 'an OpenAPI document', start: /^\{\s*"openapi"/ }

export const openapi: Command = {
  help: `Usage: petstore openapi [--output FILE]

Writes the OpenAPI document, with the URLs of PUBLIC_URL and STAGING_URL.

  --output FILE  where to write; - for standard output (default: openapi.json)

Example: petstore openapi --output - > openapi.json
`,
  async run(args, { env, stdout, stderr }) {
    const { flags } = readArgs(args, { output: { type: 'string', default: 'openapi.json' } })
    const config = loadConfig(env)
    // The published document has every declared operation; the served one omits operations past their sunset.
    const text = openApiJson(operations, {
      servers: serversOf(config, defaultPublicUrl(config.host, config.port)),
      now: Number.NEGATIVE_INFINITY,
    })
    const file = openOutputFile(flags.output, config.database.url, stdout, documentFile)
    try {
      file.write(text)
      file.end()
    } finally {
      file.abort()
    }
    if (flags.output !== '-') stderr.write(`Wrote ${flags.output}.\n`)
    return 0
  },
}
