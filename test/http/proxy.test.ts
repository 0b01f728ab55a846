/** Behind a real nginx, set up as in deploy/: tags, kept as they are or compressed, and event streams. */
import assert from 'node:assert/strict'
import { addPet, expectError } from '../support/expect.ts'
import { testWith } from '../support/process.ts'
import { ReverseProxy } from '../support/proxies.ts'
import { onOneTarget, type TestService } from '../support/service.ts'

const compressing = 'gzip on; gzip_types application/json;'

const nginx = (service: TestService, gzip?: string) =>
  ReverseProxy.nginx([`127.0.0.1:${service.port}`], service.key, gzip)

onOneTarget('Behind nginx', (service) => {
  testWith(['nginx'], 'an event comes at once, with the example configuration', async () => {
    const key = await service().makeKey({ scopes: ['events:read'] })
    await using proxy = await nginx(service())
    const reader = await proxy.follow(key)
    const pet = await addPet(service())
    await reader.until(({ frames }) => frames.length === 1)
    assert.deepEqual(JSON.parse(reader.frames[0]?.data ?? '').data, pet)
  })

  testWith(
    ['nginx'],
    'the tags stay strong with the example configuration, and a change may name them [D155]',
    async () => {
      const pet = await addPet(service())
      await using proxy = await nginx(service())
      const got = await proxy.call('GET', `/pets/${pet.id}`)
      assert.deepEqual([got.status, got.json], [200, pet])
      assert.equal(got.headers.get('content-encoding'), null)
      const tag = got.headers.get('etag') ?? ''
      assert.match(tag, /^"/)
      const changed = await proxy.call('PATCH', `/pets/${pet.id}`, { 'If-Match': tag }, { name: 'Max' })
      assert.equal(changed.status, 200)
    },
  )

  testWith(
    ['nginx'],
    'a tag is weak where nginx compresses: 304 by it, 412 that says why, and taken without W/ [D155]',
    async () => {
      const pet = await addPet(service())
      const path = `/pets/${pet.id}`
      await using proxy = await nginx(service(), compressing)
      const got = await proxy.call('GET', path)
      assert.deepEqual([got.status, got.json], [200, pet])
      assert.equal(got.headers.get('content-encoding'), 'gzip')
      const weak = got.headers.get('etag') ?? ''
      assert.match(weak, /^W\/"/)

      const held = await proxy.call('GET', path, { 'If-None-Match': weak })
      assert.deepEqual([held.status, held.text], [304, ''])

      const refused = await proxy.call('PATCH', path, { 'If-Match': weak }, { name: 'Max' })
      assert.match(expectError(refused, 412, 'precondition_failed'), /send the tag without W\/.*compresses/)
      assert.equal((await proxy.call('GET', path)).json.name, pet.name)

      const strong = weak.slice('W/'.length)
      const changed = await proxy.call('PATCH', path, { 'If-Match': strong }, { name: 'Max' })
      assert.deepEqual([changed.status, changed.json.name], [200, 'Max'])
    },
  )
})
