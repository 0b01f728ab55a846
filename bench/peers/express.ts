/** The service in Express 5, as its guide would write it. PORT, DATABASE and API_KEY come from the environment. */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { add, find, list, statuses } from './pets.js'

const keys = new Set([process.env.API_KEY])

const requireKey: RequestHandler = (req, res, next) => {
  const [scheme, key] = req.get('Authorization')?.split(' ') ?? []
  if (scheme === 'Bearer' && keys.has(key)) next()
  else res.status(401).json({ code: 'invalid_api_key', message: 'Send a valid API key.' })
}

const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  const status = error.status ?? 500
  res.status(status).json({ code: 'error', message: status < 500 ? error.message : 'The service failed to answer.' })
}

const app = express()
app.use(requireKey)
app.use(express.json())

app.get('/v1/pets', (req, res) => {
  const { status, limit = '20', after = '0' } = req.query
  const [most, start] = [Number(limit), Number(after)]
  const isValid =
    Number.isInteger(most) &&
    most >= 1 &&
    most <= 100 &&
    Number.isInteger(start) &&
    (status === undefined || statuses.includes(String(status)))
  if (isValid) res.json(list(most, start, status && String(status)))
  else res.status(400).json({ code: 'invalid_parameter', message: 'A query parameter has an invalid value.' })
})

app.get('/v1/pets/:petId', (req, res) => {
  const pet = find(Number(req.params.petId))
  if (pet) res.json(pet)
  else res.status(404).json({ code: 'pet_not_found', message: 'There is no animal with this id.' })
})

app.post('/v1/pets', (req, res) => {
  const { name, categoryId, status = 'available' } = req.body ?? {}
  const isValid =
    typeof name === 'string' &&
    name.length >= 1 &&
    name.length <= 1024 &&
    Number.isInteger(categoryId) &&
    statuses.includes(status)
  if (!isValid) {
    res.status(422).json({ code: 'invalid_field', message: 'A field has an invalid value.' })
    return
  }
  const pet = add({ name, categoryId, status })
  res.status(201).location(`/v1/pets/${pet.id}`).json(pet)
})

app.use(onError)
app.listen(Number(process.env.PORT), '127.0.0.1')
