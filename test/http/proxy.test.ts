/**
 * Behind a real nginx with the configuration in deploy/: tags, both unchanged and after compression, and event streams.
 * Behind each proxy: a prefix of all paths.
 */
import assert from 'node:assert/strict'
import { addPet, expectError } from '../../harness/expect.ts'
import { testWith } from '../../harness/process.ts'
import { ReverseProxy } from '../../harness/proxies.ts'
import { some } from '../../harness/scope.ts'
import { onOneTarget, type TestService } from '../../harness/service.ts'

const compressing = 'gzip on; gzip_types application/json;'

const nginx = (service: TestService, gzip?: string) =>
  ReverseProxy.nginx([`127.0.0.1:${service.port}`], service.key, gzip ? { gzip } : {})

onOneTarget('Behind nginx', (service) => {
  testWith(
    ['nginx'],
    'Behind nginx with the example configuration, tags stay strong and If-Match accepts them [decision 20]',
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
    'If nginx compresses, its weak tag gives 304, and If-Match explains in a 412 that W/ must be removed [decision 20]',
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

/** Finds the addresses in a page or a text, and the imports of a script. */
const links = /(?:href|src)="([^"#$]+)"|\]\((https?:[^)\s]+)\)/g
const imports = /\b(?:from|import) ?["'](\.[^"']+)["']/g

for (const isStripped of [true, false])
  onOneTarget(
    `Under a prefix that the proxy ${isStripped ? 'removes' : 'leaves'}`,
    (service) => {
      for (const name of some(['nginx', 'caddy'] as const))
        testWith(
          [name],
          `Every address in a page, redirect, header or document is answered behind ${name} [decision 3]`,
          async () => {
            const { port, key } = service()
            await using proxy = await ReverseProxy[name]([`127.0.0.1:${port}`], key, { prefix: '/api', isStripped })
            const base = 'https://shop.example/api/v1'
            const seen = new Map<string, number>()
            const open: string[] = []
            const found = (address: string, from: string) => {
              const { protocol, host, pathname, search } = new URL(address, `https://shop.example${from}`)
              // nginx does not know about TLS, which ends in front of it.
              assert.ok(/^https?:$/.test(protocol) && host === 'shop.example', `${from} names ${address}`)
              assert.match(pathname, /^\/api\b/, `${from} names ${address}`)
              open.push(pathname + search)
            }
            for (const id of [1, 2]) {
              const added = await proxy.call('POST', '//api/v1/pets', {}, { name: 'Rex', categoryId: id })
              const address = added.headers.get('location') ?? ''
              assert.match(address, new RegExp(`^${base}/pets/\\d+$`))
              found(address, '/api/v1/pets')
            }
            for (const path of ['', '/', '/docs/', '/shop/', '/favicon.ico', '/llms.txt', '/v1/pets?limit=1'])
              found(`/api${path}`, '/')
            // These are the addresses that the scripts of the pages request.
            for (const address of ['openapi.json', 'client.tgz', 'shop', 'v1/me', 'v1/store/inventory'])
              found(address, '/api/docs')
            for (let path = open.pop(); path !== undefined; path = open.pop()) {
              if (seen.has(path)) continue
              const { status, headers, text, json } = await proxy.call('GET', `/${path}`)
              seen.set(path, status)
              if (status >= 300 && status < 400) found(headers.get('location') ?? '', path)
              else assert.equal(status, path === '/api/mcp' ? 405 : 200, path)
              for (const [, address = ''] of (headers.get('link') ?? '').matchAll(/<([^>]+)>/g)) found(address, path)
              if (path.endsWith('/openapi.json')) assert.equal(json.servers[0].url, base)
              const type = headers.get('content-type') ?? ''
              if (!/html|javascript|plain/.test(type)) continue
              // An element that a script creates belongs to the page.
              const page = type.includes('javascript') ? '/api/docs' : path
              for (const [, element, plain = ''] of text.matchAll(links))
                if (element !== 'https://www.standardwebhooks.com') found(element ?? plain, page)
              for (const [, address = ''] of text.matchAll(imports)) found(address, path)
            }
            for (const path of ['/docs', '/docs/docs.js', '/shop', '/shop/shop.js', '/mcp'])
              assert.ok(
                [...seen.keys()].some((each) => each.replace(/\?.*/, '') === `/api${path}`),
                path,
              )
            assert.ok([...seen.keys()].some((path) => path.includes('cursor=')))
          },
        )
    },
    { PUBLIC_URL: 'https://shop.example/api/v1' },
  )
