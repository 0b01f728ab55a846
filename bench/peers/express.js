/**
 * The service in Express 5 with better-sqlite3, as their guides would write it. PORT, DATABASE and API_KEY come from
 * the environment.
 */
import Database from 'better-sqlite3'
import express from 'express'

const db = new Database(process.env.DATABASE)
db.pragma('journal_mode = WAL')
const select = 'SELECT id, name, category_id AS categoryId, status FROM pets'
// A guide would use OFFSET, whose cost grows with the position. This avoids it.
const page = db.prepare(`${select} WHERE id > ? ORDER BY id LIMIT ?`)
const pageByStatus = db.prepare(`${select} WHERE status = ? AND id > ? ORDER BY id LIMIT ?`)
const find = db.prepare(`${select} WHERE id = ?`)
const add = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)')

const statuses = ['available', 'pending', 'sold']
const keys = new Set([process.env.API_KEY])
const app = express()

app.use((req, res, next) => {
  const [scheme, key] = req.get('Authorization')?.split(' ') ?? []
  if (scheme === 'Bearer' && keys.has(key)) next()
  else res.status(401).json({ code: 'invalid_api_key', message: 'Send a valid API key.' })
})
app.use(express.json())

app.get('/v1/pets', (req, res) => {
  const { status, limit = '20', after = '0' } = req.query
  const [most, start] = [Number(limit), Number(after)]
  const isInRange = Number.isInteger(most) && most >= 1 && most <= 100 && Number.isInteger(start)
  if (!isInRange || (status !== undefined && !statuses.includes(status)))
    res.status(400).json({ code: 'invalid_parameter', message: 'A query parameter has an invalid value.' })
  else res.json(status === undefined ? page.all(start, most) : pageByStatus.all(status, start, most))
})

app.get('/v1/pets/:petId', (req, res) => {
  const pet = find.get(Number(req.params.petId))
  if (pet) res.json(pet)
  else res.status(404).json({ code: 'pet_not_found', message: 'There is no animal with this id.' })
})

app.post('/v1/pets', (req, res) => {
  const { name, categoryId, status = 'available' } = req.body ?? {}
  const isNamed = typeof name === 'string' && name.length >= 1 && name.length <= 1024
  if (!isNamed || !Number.isInteger(categoryId) || !statuses.includes(status)) {
    res.status(422).json({ code: 'invalid_field', message: 'A field has an invalid value.' })
    return
  }
  const id = Number(add.run(name, categoryId, status).lastInsertRowid)
  res.status(201).location(`/v1/pets/${id}`).json({ id, name, categoryId, status })
})

app.use((error, _req, res, _next) => {
  const status = error.status ?? 500
  res.status(status).json({ code: 'error', message: status < 500 ? error.message : 'The service failed to answer.' })
})
app.listen(Number(process.env.PORT), '127.0.0.1')
