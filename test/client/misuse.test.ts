/** Typical first mistakes with the client, and what it says about them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from '../../client/src/index.ts'
import { answered, cut, failure, json, page, type Reply, refusal } from './support/stub.ts'

const settings = { baseUrl: 'https://shop.example/v1', apiKey: 'pst_key' }
const make = (options: Partial<client.PetStoreOptions> | undefined) =>
  new client.PetStore(options as client.PetStoreOptions)
const answering = (reply: Reply) => answered([reply]).petstore

test('A client without options, base URL or key is refused with everything that is wrong [decision 31]', () => {
  assert.throws(() => make(undefined), /^TypeError: new PetStore.*baseUrl must begin.*; apiKey must be/)
  assert.throws(() => make({ baseUrl: settings.baseUrl }), /: apiKey must be a key .*petstore keys create/)
  for (const apiKey of ['', ' ', 'two\nlines', 'pst_…'])
    assert.throws(() => make({ ...settings, apiKey }), { name: 'TypeError', message: /: apiKey must be/ }, apiKey)
})

test('The client takes its base URL and key from the environment if they are not given [decision 31]', async (t) => {
  const { PETSTORE_URL, PETSTORE_KEY } = process.env
  t.after(() => Object.assign(process.env, { PETSTORE_URL, PETSTORE_KEY }))
  Object.assign(process.env, { PETSTORE_URL: 'http://env.example/v1', PETSTORE_KEY: 'pst_env' })
  const asked: string[] = []
  const fetch = async (url: string, { headers }: RequestInit) => {
    asked.push(url, new Headers(headers).get('authorization') ?? '')
    return Response.json([])
  }
  await new client.PetStore({ fetch }).pets.list().page()
  await new client.PetStore({ ...settings, fetch }).pets.list().page()
  const given = ['https://shop.example/v1/pets', 'Bearer pst_key']
  assert.deepEqual(asked, ['http://env.example/v1/pets', 'Bearer pst_env', ...given])
  delete process.env.PETSTORE_KEY
  assert.throws(() => new client.PetStore(), /^TypeError: new PetStore.*apiKey must be .*; or set PETSTORE_URL and/)
})

test('A base URL needs its scheme and version and nothing more, and the error does not repeat it [decision 31]', () => {
  for (const baseUrl of [
    'shop.example/v1',
    'localhost:8080/v1',
    '/v1',
    'ftp://shop.example/v1',
    'https://shop.example',
    'pst_secret',
    ...['/pets', '?key=secret'].map((end) => `https://shop.example/v1${end}`),
    'https://me:secret@shop.example/v1',
  ])
    assert.throws(
      () => make({ ...settings, baseUrl }),
      ({ message }) =>
        /baseUrl must begin with https:.* end in the version/.test(message) && !message.includes('secret'),
      baseUrl,
    )
  for (const baseUrl of ['http://127.0.0.1:8080/v1', 'http://[::1]:8080/v1/', 'https://shop.example/api/v1'])
    assert.doesNotThrow(() => make({ ...settings, baseUrl }), baseUrl)
})

test('The client removes a slash from the end of a base URL, and a newline from the end of a key', async () => {
  const options = { baseUrl: 'https://shop.example/v1/', apiKey: 'pst_key\n' }
  const { petstore, sent, header } = answered([page()], options)
  await petstore.pets.list().page()
  assert.deepEqual([sent[0]?.url.href, ...header('authorization')], ['https://shop.example/v1/pets', 'Bearer pst_key'])
})

test('A failed connection names the address, and on a page of another origin it mentions CORS', async (t) => {
  const { petstore } = answered([cut, cut, cut], { maxRetries: 0 })
  const { message } = await failure(petstore.me())
  assert.equal(message, 'The connection to shop.example failed before the response was complete.')
  const from = async (origin: string) => {
    Object.defineProperty(globalThis, 'location', { value: { origin }, configurable: true })
    return (await failure(petstore.me())).message
  }
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
  assert.equal(await from('https://shop.example'), message)
  const hint = `${message} The cause may be CORS: the operator must list https://page.example in CORS_ORIGINS.`
  assert.equal(await from('https://page.example'), hint)
})

test('A response that is not what was requested is not returned, whatever its status [decision 31]', async () => {
  const page = '<!doctype html><title>Log in to the network</title>'
  for (const [status, body, pattern] of [
    [200, page, /status 200, is not JSON/],
    [200, '', /status 200, did not come from the service/],
    [200, '{}', /status 200, did not come from the service/],
    [200, 'null', /did not come from the service/],
    [501, '{"code":"E1","message":"a gateway"}', /status 501, did not come from the service/],
    [404, 'null', /status 404, did not come from the service/],
    [200, '['.repeat(1e6), /is not JSON/],
  ] as const) {
    const list = answering(() => new Response(body, { status })).pets.list()
    const error = await failure(list.page())
    assert.ok(error instanceof client.UnexpectedAnswerError && error.status === status, body.slice(0, 80))
    assert.match(error.message, pattern)
  }
  for (const body of ['', '7', 'null']) {
    const created = answering(() => new Response(body, { status: 201 })).pets.create({ name: 'Rex', categoryId: 1n })
    assert.ok((await failure(created)) instanceof client.UnexpectedAnswerError, body)
  }
  await answering(() => new Response(null, { status: 204 })).pets.delete(1n)
})

test('The client follows no redirect, because a POST would become a GET, and the error names the target [decision 31]', async () => {
  const moved = () => new Response(null, { status: 301, headers: { Location: 'https://new.example/v1/pets' } })
  const { petstore, sent } = answered([moved])
  const error = await failure(petstore.pets.create({ name: 'Rex', categoryId: 1n }))
  assert.ok(error instanceof client.UnexpectedAnswerError)
  assert.match(error.message, /status 301, redirects to https:\/\/new\.example\/v1\/pets\.$/)
  assert.equal(sent[0]?.init.redirect, 'manual')
})

test('A response with an unknown code or status is still an error of the service [decision 31]', async () => {
  const known = await failure(answering(refusal(404, 'from_the_future')).me())
  assert.ok(known instanceof client.NotFoundError && known.code === 'from_the_future' && known.message === 'not now')
  const unknown = await failure(answering(refusal(451, 'from_the_future')).me())
  assert.ok(unknown instanceof client.RefusedError && unknown.code === 'from_the_future' && unknown.status === 451)
  assert.deepEqual([known.name, unknown.name], ['NotFoundError', 'RefusedError'])
})

test('PetStore.request refuses a path that would lead to another place than it says', async () => {
  const { petstore, sent } = answered([])
  const elsewhere = ['/pets/../me', '/pets/%2e%2E/me', '/../admin', '//pets', '/pets\n', 'pets']
  for (const path of ['/pets?limit=1', '/pets#7', ...elsewhere])
    await assert.rejects(petstore.request('GET', path as '/'), { name: 'TypeError', message: /^path: / }, path)
  assert.deepEqual(sent, [])
})

test('A list ends at a link that no service would send', async () => {
  const links = ['<http://[>; rel="next"', '<?cursor=%ff%>; rel="prev"', '<>; rel=next', 'next', '<?a=b>; rel="next"']
  for (const link of links) {
    const { pets } = answering(json([], { Link: link }))
    assert.equal((await pets.list().page()).next, undefined, link)
  }
})
