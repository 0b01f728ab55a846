// @ts-check
/**
 * Keeps a copy of the catalogue in an SQLite file: lists all animals once, then follows every change. It may be killed
 * at any time: a change and the position after it are stored together. The key needs the scopes pets:read and
 * events:read; Node must be 22.13 or newer, for its SQLite.
 *
 * Run it with: PETSTORE_KEY=pst_… npm run example sync-a-catalogue catalogue.db
 */
import { DatabaseSync } from 'node:sqlite'
import { GoneError, PetStore, positionOf } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const copy = new DatabaseSync(process.argv[2] ?? 'catalogue.db')
copy.exec(`
  CREATE TABLE IF NOT EXISTS pets (id INTEGER PRIMARY KEY, name TEXT, category_id INTEGER, status TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS position (row INTEGER PRIMARY KEY CHECK (row = 1), cursor TEXT, after TEXT) STRICT;
`)
const putPet = copy.prepare('REPLACE INTO pets VALUES (?, ?, ?, ?)')
const deletePet = copy.prepare('DELETE FROM pets WHERE id = ?')
const setPosition = copy.prepare('REPLACE INTO position VALUES (1, ?, ?)')
const getPosition = copy.prepare('SELECT cursor, after FROM position')

/** @param {import('petstore-client').Pet} pet */
const put = ({ id, name, categoryId, status }) => putPet.run(id, name, categoryId, status)

/**
 * All or nothing of what `change` does, also when the program is killed.
 * @param {() => Promise<void> | void} change
 */
async function transaction(change) {
  copy.exec('BEGIN')
  try {
    await change()
    copy.exec('COMMIT')
  } catch (error) {
    copy.exec('ROLLBACK')
    throw error
  }
}

/** What changes while the animals are listed is among the events after the present, which is asked for first. */
const listAll = () =>
  transaction(async () => {
    const { next = null } = await petstore.events.list({ from: 'now' }).page()
    copy.exec('DELETE FROM pets')
    for await (const pet of petstore.pets.list()) put(pet)
    setPosition.run(next, null)
  })

/** @param {import('petstore-client').Event} event */
const apply = (event) =>
  transaction(() => {
    if (event.type === 'pet.created' || event.type === 'pet.updated') put(event.data)
    else if (event.type === 'pet.deleted') deletePet.run(event.data.id)
    setPosition.run(null, positionOf(event))
  })

for (;;)
  try {
    if (!getPosition.get()) await listAll()
    const { cursor, after } = getPosition.get() ?? {}
    console.log(`following from ${after ?? 'the list'}`)
    for await (const event of petstore.events.follow(after ? { after: String(after) } : { cursor: String(cursor) })) {
      await apply(event)
      console.log(`${event.id}: ${event.type} ${event.data.id}`)
    }
  } catch (error) {
    if (!(error instanceof GoneError)) throw error
    // It was away for so long that events were removed, or the shop was restored from a backup.
    copy.exec('DELETE FROM position')
  }
