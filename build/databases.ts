/**
 * Stores a database of a release in contracts/: a SQLite file, a dump of PostgreSQL, and what was read from each over
 * HTTP. Every later version must be able to open them (test/released-databases.test.ts).
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { postgresDatabase, startPostgres } from '../harness/postgres.ts'
import { Folder } from '../harness/process.ts'
import { projectFile, root } from '../harness/project.ts'
import { TestService } from '../harness/service.ts'

/** The oldest installed PostgreSQL is used, because newer ones can read its dumps. */
const programs = '/usr/lib/postgresql/15'

const { version } = JSON.parse(projectFile('package.json'))
if (projectFile('CHANGELOG.md').includes(`## ${version} (20`))
  throw new Error(`${version} is released: the databases of it stay as they are`)
const contract = (extension: string): string => join(root, `contracts/database-${version}.${extension}`)

/** Writes some rows of every kind, and resolves with everything that can be read, by path. */
async function fill(databaseUrl: string): Promise<{ key: string; answers: Record<string, unknown> }> {
  const service = await TestService.start({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  const key = await service.makeKey({
    scopes: ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'events:read', 'webhooks:write'],
  })
  const call = async (method: string, path: string, body?: object) => {
    const { status, json } = await service.call(method, path, { key, ...(body && { body }) })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }
  const animals = ['Rex', 'Zoë "the cat" & co', '猫', 'Max', 'Rex the second', 'Gone']
  for (const [i, name] of animals.entries()) await call('POST', '/pets', { name, categoryId: i % 2 ? 7 : -7 })
  await call('PUT', '/categories/7', { name: 'Cats' })
  await call('PATCH', '/pets/4', { name: 'Max the brave' })
  await call('DELETE', '/pets/6')
  for (const petId of [1, 2, 3]) await call('POST', '/store/orders', { petId, reference: `order for ${petId}` })
  await call('POST', '/store/orders/1/complete')
  await call('POST', '/store/orders/2/complete')
  await call('POST', '/store/orders/2/return')
  // The webhook is disabled, so that nothing is ever sent to it.
  const { id } = await call('POST', '/webhooks', { url: 'https://shop.example/hooks' })
  await call('PATCH', `/webhooks/${id}`, { enabled: false })
  const answers: Record<string, unknown> = {}
  for (const path of [
    '/pets',
    '/pets?search=rex',
    '/pets?status=sold',
    '/store/orders',
    '/store/orders?search=max',
    '/store/order-counts',
    '/store/inventory',
    '/store/inventory?by=category',
    '/categories',
    '/events',
    '/webhooks',
    '/me',
  ])
    answers[path] = await call('GET', path)
  await service.stop()
  return { key, answers }
}

using folder = new Folder()
const sqlite = await fill(folder.url)
const db = new DatabaseSync(folder.database)
db.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
db.close()
copyFileSync(folder.database, contract('db'))

const server = await startPostgres({ programs })
try {
  const { url, remove } = await postgresDatabase(server.url)
  const postgres = await fill(url)
  const options = ['--inserts', '--no-owner', '--no-privileges', '--schema=public', url]
  const dump = execFileSync(`${programs}/bin/pg_dump`, options, { encoding: 'utf8' })
  // This removes comments, psql commands, and the schema that every database has.
  const statements = dump.replace(/^(?:--.*|\\.*|CREATE SCHEMA public;)\n/gm, '').replace(/\n{2,}/g, '\n')
  writeFileSync(contract('sql'), statements)
  await remove()
  const json = JSON.stringify({ sqlite, postgres }, null, 1)
  writeFileSync(contract('json'), `${json}\n`)
} finally {
  await server.stop()
  rmSync(server.folder, { recursive: true, force: true })
}
