/** Who the peers are: how each is installed, started and asked. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { say } from './contest.ts'
import { isInstalled } from './load.ts'
import { animal, type Dialect, newAnimal, petstore } from './requests.ts'
import { node, root, type ServerOptions } from './server.ts'
import type { Stage } from './stage.ts'

export interface Peer {
  readonly name: string
  readonly command: readonly string[]
  readonly options: ServerOptions
  readonly dialect: Dialect
}

/** Where Debian puts the sources of packages for Go. */
const goPath = '/usr/share/gocode'
const hasGo =
  isInstalled('go') &&
  ['gin-gonic/gin', 'mattn/go-sqlite3'].every((name) => existsSync(join(goPath, 'src/github.com', name)))

/** Installs the peers where that was not done for this lock file, and compiles those that are to be compiled. */
function install(): void {
  const run = (program: string, args: readonly string[], env = {}) =>
    execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } })
  const age = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (age('bench/node_modules/.package-lock.json') < age('bench/package-lock.json')) {
    say('installing the peers, once: npm ci --prefix bench')
    // None needs a script: better-sqlite3 brings its binaries along.
    run('npm', ['ci', '--prefix', 'bench', '--ignore-scripts'])
  }
  say('compiling the peers')
  run(node, ['node_modules/typescript/bin/tsc', '-p', 'bench/peers'])
  const packages = 'golang-go golang-github-gin-gonic-gin-dev golang-github-mattn-go-sqlite3-dev'
  if (!hasGo) say(`without the peer in Go: on Debian, apt-get install ${packages}`)
  // It takes a minute the first time: the driver is SQLite's C.
  else run('go', ['build', '-o', 'bench/peers/dist/gin', './bench/peers/go'], { GO111MODULE: 'off', GOPATH: goPath })
}

export function preparePeers(stage: Stage, count: number, key: string): Peer[] {
  install()
  say(`making the peers' ${count} animals`)
  const animals = Array.from({ length: count }, (_, n) => ({ id: n + 1, ...animal(n) }))
  const json = join(stage.folder, 'animals.json')
  writeFileSync(json, JSON.stringify({ pets: animals }))
  const template = join(stage.folder, 'peers.db')
  using db = new DatabaseSync(template)
  db.exec(`
    CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER NOT NULL, status TEXT NOT NULL);
    CREATE INDEX pets_by_status ON pets (status);
    BEGIN`)
  const insert = db.prepare('INSERT INTO pets VALUES (?, ?, ?, ?)')
  for (const { id, name, categoryId, status } of animals) insert.run(id, name, categoryId, status)
  db.exec('COMMIT')

  const withSqlite = (name: string, ...command: string[]): Peer => ({
    name,
    command,
    options: { key, env: { API_KEY: key, DATABASE: stage.copyOf(template, name) } },
    dialect: { ...petstore, page: (after) => `/v1/pets?limit=20&after=${after}` },
  })
  const prism = 'node_modules/@stoplight/prism-cli/dist/index.js'
  const jsonServer = 'bench/node_modules/json-server/lib/cli/bin.js'
  return [
    ...(hasGo ? [withSqlite('gin', join(root, 'bench/peers/dist/gin'))] : []),
    withSqlite('Express', node, 'bench/peers/dist/express.js'),
    withSqlite('NestJS', node, 'bench/peers/dist/nest.js'),
    {
      name: 'json-server',
      command: [node, jsonServer, '--quiet', '--host', '127.0.0.1', '--port', '{port}', json],
      options: { key, ready: '/pets/1' },
      dialect: {
        animals: '/pets',
        firstPage: '/pets?_limit=20',
        // By `_page`, which its guide shows first, it takes many times as long.
        page: (after) => `/pets?_start=${after}&_limit=20`,
        newAnimal: newAnimal(),
      },
    },
    {
      name: 'Prism',
      command: [node, prism, ...'mock openapi.json -h 127.0.0.1 -p {port} -m false -v silent'.split(' ')],
      options: { key },
      dialect: {
        animals: '/pets',
        firstPage: '/pets',
        page: (after) => petstore.page(after).slice('/v1'.length),
        // It refuses a larger number, whatever the document says.
        newAnimal: newAnimal('42'),
      },
    },
  ]
}
