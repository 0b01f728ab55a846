/** Every tool that the document and the service are tried with, and how it is run. */
import { fileURLToPath } from 'node:url'
import { projectFile } from '../harness/project.ts'

export interface Tool {
  readonly name: string
  /** Whose version is told; it is in package.json, here or of the project. */
  readonly package?: string
  /** CI runs it too. */
  readonly isQuick?: boolean
  /** What must succeed for it to be run at all, and the package of Debian that sees to it. */
  readonly needs?: { readonly command: string; readonly debian: string }
  /** The files of clients/ that it is run with. */
  readonly files: readonly string[]
  /** For the shell, one after another, in a folder that has the files, openapi.json and scenario.ts. */
  readonly commands: readonly string[]
  /** The operations of the scenario that it cannot do, or `errors of` them; its note says why. */
  readonly loses?: readonly string[]
  /** What its users must know, or what it is not asked to do, and why. */
  readonly note?: string
}

const go = { command: 'go version', debian: 'golang-go' }
const python = { command: '/usr/bin/python3 -c "import httpx"', debian: 'python3-httpx' }
const play = (file: string) => ['tsc -p .', `bun scenario.ts ./${file}`]
/** Executes every GET in the page of a tool; needs the service to have what the examples of the document name. */
const reference = (name: string, packageName: string, note?: string): Tool => ({
  name,
  package: packageName,
  needs: { command: 'command -v chromium', debian: 'chromium' },
  files: ['stock.ts'],
  commands: ['bun stock.ts', `node '${fileURLToPath(new URL('pages.ts', import.meta.url))}' ${name}`],
  ...(note && { note }),
})
const redocly = 'redocly generate-client openapi.json --generator'

/** A tool that makes a client in TypeScript; the file of clients/ that calls it has its name. */
const generator = (name: string, generate: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  package: name,
  commands: [generate, ...play(`${name}.ts`)],
  ...rest,
  files: [`${name}.ts`, ...(rest.files ?? [])],
})

const manifests = ['package.json', 'tools/package.json'].map((path) => JSON.parse(projectFile(path)))

/** The package of a tool and its version, where it has one. */
function versionOf({ package: name }: Tool): string {
  const found = manifests.map(
    ({ dependencies, devDependencies }) => dependencies[name ?? ''] ?? devDependencies[name ?? ''],
  )
  return name ? `${name} ${found.find(Boolean)}` : ''
}

/** Its row in docs/tools.md, which the run writes. */
export const rowOf = (tool: Tool, result: string): string =>
  `| ${[tool.name, versionOf(tool), tool.isQuick ? 'yes' : '', result, tool.note ?? ''].join(' | ')} |`

/** The rows of the table of that page, by the name of the tool. */
export const rowsIn = (page: string): [name: string, row: string][] =>
  (page.match(/^\| .+ \|$/gm) ?? []).slice(2).map((row) => [row.split(' | ')[0]?.slice(2) ?? '', row])

/** Every operation is as the document says, but for what the tool is known to lose, which must still be lost. */
export function isAsTold({ loses = [] }: Tool, result: string): boolean {
  const [, lost = ''] = /^(?:passed|\d+ of \d+)(?:; not: (.+))?$/.exec(result) ?? [undefined, 'all']
  return lost === loses.join(', ')
}

export const tools: readonly Tool[] = [
  generator('openapi-typescript', 'openapi-typescript openapi.json -o api.ts', {
    isQuick: true,
    note: 'with openapi-fetch',
  }),
  generator('hey-api', 'openapi-ts -i openapi.json -o api', {
    package: '@hey-api/openapi-ts',
    isQuick: true,
    loses: ['errors of streamEvents'],
    note: 'an error of a stream is a text without its body, and tried again unless `sseMaxRetryAttempts` ends it',
  }),
  generator('oazapfts', 'oazapfts openapi.json api.ts', {
    isQuick: true,
    note: 'the parameters `type` and `from` are called `$type` and `$from`',
  }),
  generator('orval', 'orval -c orval.config.ts', { files: ['orval.config.ts'], note: 'calls with `fetch`' }),
  generator('orval-axios', 'orval -i openapi.json -o api.ts --client axios', {
    package: 'orval',
    loses: ['errors of streamEvents'],
    note: 'writes an array as `id[]=1`; an error of the stream is text',
  }),
  generator('orval-zod', 'orval -i openapi.json -o api.ts --client zod', {
    package: 'orval',
    files: ['plain.ts'],
    note: 'schemas only, for zod 3',
  }),
  generator('kubb', 'kubb generate --config kubb.config.ts', {
    package: '@kubb/core',
    files: ['kubb.config.ts'],
    note: 'must be given the header `Content-Type`; its plugins for types and clients exist for version 4 only',
  }),
  generator(
    'swagger-typescript-api',
    'swagger-typescript-api generate -p openapi.json -o . -n api.ts --generate-union-enums',
    {
      loses: ['deletePet', 'deleteCategory', 'streamEvents', 'deleteWebhook'].map((id) => `errors of ${id}`),
      note: 'has the status alone of what answers without JSON; call these with `{ format: "json" }`',
    },
  ),
  generator('openapi-zod-client', 'openapi-zod-client openapi.json -o api.ts --with-deprecated', {
    note: 'leaves `getPet` out without `--with-deprecated`; gives no headers; writes an array as `id[]=1`',
  }),
  generator('rtk-query', 'rtk-query-codegen-openapi rtk-query.json', {
    package: '@rtk-query/codegen-openapi',
    files: ['rtk-query.json', 'rtk-query-base.ts'],
    note: 'gives no headers',
  }),
  generator(
    'openapi-typescript-codegen',
    'node node_modules/openapi-typescript-codegen/bin/index.js -i openapi-3.0.json ' +
      '-o api --name Petstore --useOptions --useUnionTypes',
    { note: 'knows OpenAPI 3.0 only: from `openapi-3.0.json`; gives no headers' },
  ),
  generator('swagger-client', 'true', { note: 'generates nothing: it reads the document as it runs' }),
  {
    name: 'redocly generate-client, Python',
    package: '@redocly/cli',
    needs: python,
    note: '`Error` is called `Error2`, as in Go; mypy finds three faults in what is the same for every document',
    files: ['pipe.ts', 'client.py'],
    commands: [`${redocly} python -o api.ts`, 'cp client.py client', ...play('pipe.ts')],
  },
  {
    name: 'redocly generate-client, Go',
    package: '@redocly/cli',
    needs: go,
    files: ['pipe.ts', 'client.go'],
    commands: [
      `${redocly} go -o api/api.ts`,
      'go mod init petstore',
      'go vet ./...',
      'go build -o client .',
      ...play('pipe.ts'),
    ],
  },
  {
    name: 'express-openapi-validator',
    package: 'express-openapi-validator',
    isQuick: true,
    files: ['express-openapi-validator.ts', 'plain.ts'],
    commands: play('express-openapi-validator.ts'),
  },
  reference('swagger-ui', 'swagger-ui-dist'),
  reference('rapidoc', 'rapidoc', 'fills in the first element of an array only'),
  reference('scalar', '@scalar/api-reference'),
  {
    name: 'portman',
    package: '@apideck/portman',
    files: ['stock.ts', 'portman.json'],
    commands: [
      'bun stock.ts',
      `echo '{"operationIds":["streamEvents","redeliver"]}' > filter.json`,
      'PORTMAN_BEARER_TOKEN=$PETSTORE_KEY portman -l openapi.json -b $PETSTORE_URL -c ' +
        'portman.json --filterFile filter.json -o collection.json --runNewman true',
    ],
    note: 'without `streamEvents`, which never ends, and `redeliver`, as no example can name a delivery',
  },
  {
    name: 'dredd',
    package: 'dredd',
    files: ['stock.ts', 'dredd-hooks.cjs', 'another.json'],
    commands: [
      'bun stock.ts',
      'dredd openapi.json $PETSTORE_URL -h "Authorization: Bearer $PETSTORE_KEY" --hookfiles dredd-hooks.cjs -l error',
    ],
    note:
      'reads OpenAPI 3.1 only in part, and takes optional headers and members for required; answers ' +
      'that one request cannot provoke are skipped: 408, 409, 410, 422, 429, 500, 503',
  },
  {
    name: 'MCP conformance',
    package: '@modelcontextprotocol/conformance',
    isQuick: true,
    files: ['mcp-conformance.ts', 'mcp-expected-failures.yaml'],
    commands: ['tsc -p .', 'node mcp-conformance.ts'],
    note: 'of `/mcp`; [which scenarios must fail](../tools/clients/mcp-expected-failures.yaml), each with its reason',
  },
  {
    name: 'code samples in Go',
    needs: go,
    files: ['stock.ts', 'go-samples.ts', 'another.json'],
    commands: ['tsc -p .', 'bun stock.ts', 'go mod init petstore', 'bun go-samples.ts'],
  },
]
