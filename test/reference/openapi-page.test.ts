/** The document at /openapi.json: compressed for who takes that, kept while it holds, and made anew when an operation ends. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { onOneTarget } from '../support/service.ts'

const sunset = Date.UTC(2030, 11, 5)

onOneTarget('The document as a page', (service) => {
  afterEach(() => service().setClock(null))

  const get = (encoding: string, headers: Record<string, string> = {}) =>
    service().call('GET', '//openapi.json', { key: null, headers: { 'Accept-Encoding': encoding, ...headers } })

  test('is JSON that anyone may cache and must revalidate [D151]', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const { status, headers, json } = await get(encoding)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(headers.get('cache-control'), 'public, no-cache')
      assert.equal(headers.get('vary'), 'Accept-Encoding')
      assert.equal(json.openapi, '3.1.0')
      assert.deepEqual(json.servers, [{ url: `${service().url}/v1`, description: 'Local' }])
    }
  })

  test('is compressed if the client accepts gzip, with the same content and its own ETag [D153]', async () => {
    const [plain, compressed] = [await get('identity'), await get('gzip')]
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(compressed.headers.get('content-encoding'), 'gzip')
    assert.equal(compressed.text, plain.text)
    assert.notEqual(compressed.headers.get('etag'), plain.headers.get('etag'))
    assert.ok(Number(compressed.headers.get('content-length')) < Number(plain.headers.get('content-length')) / 4)
  })

  test('answers 304 to the tag of the same encoding alone', async () => {
    const tags = { identity: '', gzip: '' }
    for (const encoding of ['identity', 'gzip'] as const) {
      const etag = (await get(encoding)).headers.get('etag') ?? ''
      tags[encoding] = etag
      const held = await get(encoding, { 'If-None-Match': etag })
      assert.deepEqual([held.status, held.text, held.headers.get('etag')], [304, '', etag])
      assert.equal(held.headers.get('cache-control'), 'public, no-cache')
      assert.equal(held.headers.get('vary'), 'Accept-Encoding')
    }
    assert.equal((await get('identity', { 'If-None-Match': tags.gzip })).status, 200)
    assert.equal((await get('gzip', { 'If-None-Match': tags.identity })).status, 200)
  })

  test('is generated again when an operation is removed, in both encodings, and an older copy is no longer current [D153]', async () => {
    for (const encoding of ['identity', 'gzip']) {
      await service().setClock(sunset - 1)
      const before = await get(encoding)
      assert.ok(before.json.paths['/pets/{petId}'].get)
      const condition = { 'If-None-Match': before.headers.get('etag') ?? '' }
      await service().setClock(sunset)
      const after = await get(encoding, condition)
      assert.equal(after.status, 200)
      assert.equal(after.json.paths['/pets/{petId}'].get, undefined)
      assert.ok(after.json.paths['/pets/{petId}'].patch)
      assert.equal((await get(encoding, { 'If-None-Match': after.headers.get('etag') ?? '' })).status, 304)
    }
  })
})
