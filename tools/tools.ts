/** The tools that are tested with the OpenAPI document and the service, and how each of them runs. */
import { fileURLToPath } from 'node:url'
import { projectFile } from '../harness/project.ts'

export interface Tool {
  readonly name: string
  /** The package whose version the table shows. It is in package.json here or of the project. */
  readonly package?: string
  /** Whether CI runs it. */
  readonly isQuick?: boolean
  /** A command that must succeed before the tool can run, and the Debian package that provides it. */
  readonly needs?: { readonly command: string; readonly debian: string }
  /** The files in clients/ that it needs. */
  readonly files: readonly string[]
  /** Shell commands, which run one after another in a folder with the files, openapi.json and scenario.ts. */
  readonly commands: readonly string[]
  /** The operations of the scenario that it cannot do, or `errors of` them. The note says why. */
  readonly loses?: readonly string[]
  /** What its users must know, or what it is not asked to do and why. The page shows this. */
  readonly note?: string
}

const go = { command: 'go version', debian: 'golang-go' }
const python = { command: '/usr/bin/python3 -c "import httpx"', debian: 'python3-httpx' }
const play = (file: string) => ['tsc -p .', `bun scenario.ts ./${file}`]
/** Executes every GET in the page of a tool. The service must contain what the examples of the document name. */
const reference = (name: string, packageName: string, note?: string): Tool => ({
  name,
  package: packageName,
  needs: { command: 'command -v chromium', debian: 'chromium' },
  files: ['stock.ts'],
  commands: ['bun stock.ts', `node '${fileURLToPath(new URL('pages.ts', import.meta.url))}' ${name}`],
  ...(note && { note }),
})
const redocly = 'redocly generate-client openapi.json --generator'

/** A tool that generates a client in TypeScript. The file in clients/ that calls the client is named after the tool. */
const generator = (name: string, generate: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  package: name,
  commands: [generate, ...play(`${name}.ts`)],
  ...rest,
  files: [`${name}.ts`, ...(rest.files ?? [])],
})

const manifests = ['package.json', 'tools/package.json'].map((path) => JSON.parse(projectFile(path)))

/** The package of a tool with its version, or an empty text. */
function versionOf({ package: name }: Tool): string {
  const found = manifests.map(
    ({ dependencies, devDependencies }) => dependencies[name ?? ''] ?? devDependencies[name ?? ''],
  )
  return name ? `${name} ${found.find(Boolean)}` : ''
}

/** The row of a tool in docs/tools.md, which the run writes. */
export const rowOf = (tool: Tool, result: string): string =>
  `| ${[tool.name, versionOf(tool), tool.isQuick ? 'yes' : '', result, tool.note ?? ''].join(' | ')} |`

/** The rows of the table in that page, with the name of each tool. */
export const rowsIn = (page: string): [name: string, row: string][] =>
  (page.match(/^\| .+ \|$/gm) ?? []).slice(2).map((row) => [row.split(' | ')[0]?.slice(2) ?? '', row])

/** Whether the tool did every operation except those that it is known to lose, which it must still lose. */
export function isAsTold({ loses = [] }: Tool, result: string): boolean {
  const [, lost = ''] = /^(?:passed|\d+ of \d+)(?:; not: (.+))?$/.exec(result) ?? [undefined, 'all']
  return lost === loses.join(', ')
}

export const tools: readonly Tool[] = [
  generator('openapi-typescript', 'openapi-typescript openapi.json -o api.ts', {
    isQuick: true,
    note: 'It is used with openapi-fetch.',
  }),
  generator('hey-api', 'openapi-ts -i openapi.json -o api', {
    package: '@hey-api/openapi-ts',
    isQuick: true,
    loses: ['errors of streamEvents'],
    note:
      'An error of a stream is a text without the body. The client retries it unless `sseMaxRetryAttempts` ' +
      'limits that.',
  }),
  generator('oazapfts', 'oazapfts openapi.json api.ts', {
    isQuick: true,
    note: 'The parameters `type` and `from` are called `$type` and `$from`.',
  }),
  generator('orval', 'orval -c orval.config.ts', { files: ['orval.config.ts'], note: 'The client uses `fetch`.' }),
  generator('orval-axios', 'orval -i openapi.json -o api.ts --client axios', {
    package: 'orval',
    loses: ['errors of streamEvents'],
    note: 'It writes an array as `id[]=1`. An error of the stream is a text.',
  }),
  generator('orval-zod', 'orval -i openapi.json -o api.ts --client zod', {
    package: 'orval',
    files: ['plain.ts'],
    note: 'It generates only schemas, for zod 3.',
  }),
  generator('kubb', 'kubb generate --config kubb.config.ts', {
    package: '@kubb/core',
    files: ['kubb.config.ts'],
    note: 'Callers must set the header `Content-Type`. Its plugins for types and clients exist only for version 4.',
  }),
  generator(
    'swagger-typescript-api',
    'swagger-typescript-api generate -p openapi.json -o . -n api.ts --generate-union-enums',
    {
      loses: ['deletePet', 'deleteCategory', 'streamEvents', 'deleteWebhook'].map((id) => `errors of ${id}`),
      note:
        'An operation that returns no JSON gives only the status. To read its errors, call it with `{ ' +
        'format: "json" }`.',
    },
  ),
  generator('openapi-zod-client', 'openapi-zod-client openapi.json -o api.ts --with-deprecated', {
    note:
      'Without `--with-deprecated`, `getPet` is missing. The client does not expose headers, and writes an ' +
      'array as `id[]=1`.',
  }),
  generator('rtk-query', 'rtk-query-codegen-openapi rtk-query.json', {
    package: '@rtk-query/codegen-openapi',
    files: ['rtk-query.json', 'rtk-query-base.ts'],
    note: 'The client does not expose headers.',
  }),
  generator(
    'openapi-typescript-codegen',
    'node node_modules/openapi-typescript-codegen/bin/index.js -i openapi-3.0.json ' +
      '-o api --name Petstore --useOptions --useUnionTypes',
    { note: 'It reads only OpenAPI 3.0, so use `openapi-3.0.json`. The client does not expose headers.' },
  ),
  generator('swagger-client', 'true', { note: 'It generates no code, and reads the document at run time.' }),
  {
    name: 'redocly generate-client, Python',
    package: '@redocly/cli',
    needs: python,
    note: '`Error` is called `Error2`, as in Go. mypy finds three errors in code that is the same for every document.',
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
  reference('rapidoc', 'rapidoc', 'It fills in only the first element of an array.'),
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
    note: 'It leaves out `streamEvents`, which never ends, and `redeliver`, because no example can name a delivery.',
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
      'It reads only part of OpenAPI 3.1, and takes optional headers and members as required. Responses that a ' +
      'single request cannot cause are skipped: 408, 409, 410, 422, 429, 500 and 503.',
  },
  {
    name: 'MCP conformance',
    package: '@modelcontextprotocol/conformance',
    isQuick: true,
    files: ['mcp-conformance.ts', 'mcp-expected-failures.yaml'],
    commands: ['tsc -p .', 'node mcp-conformance.ts'],
    note:
      'It tests `/mcp`. A list names [the scenarios that must ' +
      'fail](../tools/clients/mcp-expected-failures.yaml), with reasons.',
  },
  {
    name: 'code samples in Go',
    needs: go,
    files: ['stock.ts', 'go-samples.ts', 'another.json'],
    commands: ['tsc -p .', 'bun stock.ts', 'go mod init petstore', 'bun go-samples.ts'],
  },
]
