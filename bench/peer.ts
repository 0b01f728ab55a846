/** Who the peers are: how each is installed, started and asked, and what cannot be seen from outside. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './contest.ts'
import { isInstalled } from './load.ts'
import { type Dialect, newAnimal, petstore } from './requests.ts'
import { animal, node, root, type ServerOptions } from './server.ts'

export interface Peer {
  readonly name: string
  readonly command: readonly string[]
  readonly options: ServerOptions
  readonly dialect: Dialect
  /** When a new animal is answered, what would survive a power cut. */
  readonly durable: string
}

const npmFolder = join(root, 'bench/node_modules')
const jsonServer = 'bench/node_modules/json-server'
const prism = 'node_modules/@stoplight/prism-cli'
const pageSize = 20

/** Installs the peers where that was not done for this lock file, and compiles those that are written in TypeScript. */
export function installPeers(): void {
  const installed = join(npmFolder, '.package-lock.json')
  const age = (file: string) => statSync(file).mtimeMs
  if (!existsSync(installed) || age(installed) < age(join(root, 'bench/package-lock.json'))) {
    say('installing the peers, once: npm ci --prefix bench')
    // None needs a script: better-sqlite3 brings its binaries along.
    execFileSync('npm', ['ci', '--prefix', 'bench', '--ignore-scripts'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  say('compiling the peers')
  execFileSync(node, ['node_modules/typescript/bin/tsc', '-p', 'bench/peers'], { cwd: root, stdio: 'inherit' })
  if (hasGo) buildGo()
  else say('without the peer in Go: on Debian, apt-get install golang-go golang-github-mattn-go-sqlite3-dev')
}

const goProgram = join(root, 'bench/peers/dist/go')
/** Where Debian puts the sources of packages for Go. */
const goPath = '/usr/share/gocode'
const goSqlite = join(goPath, 'src/github.com/mattn/go-sqlite3')
const hasGo = isInstalled('go') && existsSync(goSqlite)

/** Go takes half a minute the first time: the driver is SQLite's C. */
function buildGo(): void {
  execFileSync('go', ['build', '-o', goProgram, './bench/peers/go'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GO111MODULE: 'off', GOPATH: goPath },
  })
}

export function preparePeers(folder: string, count: number, key: string): Peer[] {
  say(`making the peers' ${count} animals`)
  const json = join(folder, 'animals.json')
  const pets = Array.from({ length: count }, (_, n) => ({ id: n + 1, ...animal(n) }))
  writeFileSync(json, JSON.stringify({ pets }))
  const template = join(folder, 'peers.db')
  execFileSync(node, ['bench/peers/dist/seed.js', template, json], { cwd: root, stdio: 'inherit' })

  const withSqlite = (name: string, command: readonly string[], durable: string): Peer => {
    const database = join(folder, `${name}.db`)
    copyFileSync(template, database)
    return {
      name,
      command,
      options: { env: { DATABASE: database, API_KEY: key } },
      dialect: { ...petstore, page: (after) => `/v1/pets?limit=${pageSize}&after=${after}` },
      durable,
    }
  }
  const betterSqlite = (name: string, script: string): Peer =>
    withSqlite(name, [node, `bench/peers/dist/${script}`], 'no: synchronous=NORMAL')
  return [
    ...(hasGo ? [withSqlite('Go', [goProgram], 'yes: synchronous=FULL')] : []),
    betterSqlite('Express', 'express.js'),
    betterSqlite('NestJS', 'nest/main.js'),
    {
      name: 'json-server',
      command: [node, `${jsonServer}/lib/cli/bin.js`, '--quiet', '--host', '127.0.0.1', '--port', '{port}', json],
      options: { ready: '/pets/1' },
      dialect: {
        animals: '/pets',
        firstPage: `/pets?_limit=${pageSize}`,
        // By `_page`, which its guide shows first, it takes many times as long.
        page: (after) => `/pets?_start=${after}&_limit=${pageSize}`,
        newAnimal: petstore.newAnimal,
      },
      durable: 'no: rewrites its file later',
    },
    {
      name: 'Prism',
      command: [
        node,
        `${prism}/dist/index.js`,
        'mock',
        'openapi.json',
        '-h',
        '127.0.0.1',
        '-p',
        '{port}',
        '-m',
        'false',
        '-v',
        'silent',
      ],
      options: {},
      dialect: {
        animals: '/pets',
        firstPage: '/pets',
        page: (after) => petstore.page(after).slice('/v1'.length),
        // It refuses a larger number, whatever the document says.
        newAnimal: newAnimal('42'),
      },
      durable: 'no: keeps nothing',
    },
  ]
}

export const peerVersions = (): Record<string, string> => ({
  ...(hasGo && {
    go: /go([\d.]+)/.exec(execFileSync('go', ['version'], { encoding: 'utf8' }))?.[1] ?? '',
  }),
  ...Object.fromEntries(
    [
      `bench/node_modules/express`,
      `bench/node_modules/@nestjs/core`,
      'bench/node_modules/better-sqlite3',
      jsonServer,
      prism,
    ].map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      return [name, version]
    }),
  ),
})
