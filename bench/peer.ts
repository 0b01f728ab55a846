/** The peers: how each of them is installed, started and called. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { animal } from './animals.ts'
import { type Dialect, newAnimal, petstore } from './requests.ts'
import { node, root, type ServerOptions, say } from './server.ts'
import type { Stage } from './stage.ts'

export interface Peer {
  readonly name: string
  readonly command: readonly string[]
  readonly options: ServerOptions
  readonly dialect: Dialect
}

/** This peer takes part if `npm run build --prefix bench` has built it. */
const gin = join(root, 'bench/peers/dist/gin')

export function preparePeers(stage: Stage, count: number, key: string): Peer[] {
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
    ...(existsSync(gin) ? [withSqlite('gin', gin)] : []),
    withSqlite('Express', node, 'bench/peers/express.js'),
    {
      name: 'json-server',
      command: [node, jsonServer, '--quiet', '--host', '127.0.0.1', '--port', '{port}', json],
      options: { key, ready: '/pets/1' },
      dialect: {
        animals: '/pets',
        firstPage: '/pets?_limit=20',
        // With `_page`, which its guide shows first, it takes many times as long.
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
        // The peer refuses a larger number, whatever the document says.
        newAnimal: newAnimal('42'),
      },
    },
  ]
}
