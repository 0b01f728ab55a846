/** The files of the API reference: how they are found, kept and guarded. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectError } from '../support/expect.ts'
import { projectFile, root } from '../support/project.ts'
import { exchange, request } from '../support/raw.ts'
import { onOneTarget, type TestService } from '../support/service.ts'

const open = { key: null }

/** The addresses of the files the page asks for. */
async function assetsOf(service: TestService): Promise<string[]> {
  const { text } = await service.call('GET', '//docs', open)
  return [...text.matchAll(/(?:href|src)="(docs\/[^"]+)"/g)].map(([, path]) => `//${path}`)
}

/** Without what `fetch` adds and undoes by itself. */
async function bareGet(service: TestService, path: string, lines: string[] = []) {
  const [answer] = await exchange(
    service.port,
    request(`GET ${path} HTTP/1.1`, ['Host: a', 'Connection: close', ...lines]),
  )
  assert.ok(answer)
  return answer
}

onOneTarget('The client at /client.tgz', (service) => {
  test('is the one of this version, needs no key, and is not compressed twice [D170]', async () => {
    const { version } = JSON.parse(projectFile('package.json'))
    const response = await fetch(`${service().url}/client.tgz`)
    assert.equal(response.headers.get('content-type'), 'application/gzip')
    assert.equal(response.headers.get('content-encoding'), null)
    const kept = readFileSync(join(root, `contracts/client-${version}.tgz`))
    assert.ok(kept.equals(await response.bytes()))
  })
})

onOneTarget('The docs page', (service) => {
  test('is where / and /docs/ redirect to [D7]', async () => {
    for (const path of ['/', '/docs/', '/docs/?x=1']) {
      const answer = await bareGet(service(), path)
      assert.equal(answer.status, 302)
      assert.equal(answer.headers.get('location'), '/docs')
      assert.match((await service().call('GET', `/${path}`, open)).text, /<title>Pet Store API<\/title>/)
    }
  })

  test('is HTML, needs no key, and loads files from this service only [D2]', async () => {
    const { status, headers, text } = await service().call('GET', '//docs', open)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.doesNotMatch(text, /(?:href|src)="(?:https?:)?\/\//)
    assert.doesNotMatch(text, /<style|<script(?![^>]* src=)| style=| on\w+=/)
  })

  test('carries a policy without inline and evaluated code, and may stand in no frame', async () => {
    const { headers } = await service().call('GET', '//docs', open)
    const policy = headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy, /unsafe|\*|http/)
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      assert.ok(policy.split('; ').includes(part), part)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  })

  test('has every file it asks for, each with its type and nosniff', async () => {
    const types: Record<string, string> = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      svg: 'image/svg+xml',
    }
    const assets = await assetsOf(service())
    assert.ok(assets.length >= 5)
    for (const path of assets) {
      const { status, headers, text } = await service().call('GET', path, open)
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-type'), types[/\.(\w+)\?/.exec(path)?.[1] ?? ''])
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.ok(text.length > 100)
    }
  })

  test('lets a file be kept for ever under the address that names its content, and else only while it holds', async () => {
    for (const path of await assetsOf(service())) {
      const named = await service().call('GET', path, open)
      assert.equal(named.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      for (const other of [path.replace(/\?.*/, ''), path.replace(/\?.*/, '?v=older')])
        assert.equal((await service().call('GET', other, open)).headers.get('cache-control'), 'public, no-cache')
    }
    assert.equal((await service().call('GET', '//docs', open)).headers.get('cache-control'), 'public, no-cache')
  })

  test('answers 304 while the copy holds, in either encoding', async () => {
    for (const path of ['/docs', '/docs/docs.js', '/docs/preact.js'])
      for (const lines of [[], ['Accept-Encoding: br, gzip'], ['Accept-Encoding: zstd']]) {
        const etag = (await bareGet(service(), path, lines)).headers.get('etag')
        assert.match(etag ?? '', /^"[\w-]+"$/)
        const answer = await bareGet(service(), path, [...lines, `If-None-Match: ${etag}`])
        assert.equal(answer.status, 304)
        assert.equal(answer.text, '')
        assert.equal(answer.headers.get('etag'), etag)
      }
  })

  test('is sent compressed to those who take it, and tells caches apart [D153]', async () => {
    for (const path of ['/docs', '/docs/docs.css']) {
      const plain = await bareGet(service(), path)
      assert.equal(plain.headers.get('content-encoding'), null)
      assert.equal(plain.headers.get('vary'), 'Accept-Encoding')
      for (const [accepted, coding] of [
        ['identity', null],
        ['deflate, xbr', null],
        ['gzip;q=0, br;q=0.0', null],
        ['gzip', 'gzip'],
        ['gzip, deflate, br', 'br'],
        ['gzip, br;q=0, zstd', 'zstd'],
        ['gzip, deflate, br, zstd', 'br'],
      ])
        assert.equal(
          (await bareGet(service(), path, [`Accept-Encoding: ${accepted}`])).headers.get('content-encoding'),
          coding,
          `${accepted}`,
        )
      const tags = new Set([plain.headers.get('etag')])
      for (const coding of ['gzip', 'br', 'zstd']) {
        const response = await fetch(`${service().url}${path}`, { headers: { 'Accept-Encoding': coding } })
        assert.equal(response.headers.get('content-encoding'), coding)
        assert.equal(response.headers.get('vary'), 'Accept-Encoding')
        tags.add(response.headers.get('etag'))
        assert.equal(await response.text(), plain.text)
      }
      assert.equal(tags.size, 4)
    }
  })

  test('comes to less than 55 KB as it is sent, all files together', async () => {
    let bytes = 0
    for (const path of ['//docs', ...(await assetsOf(service()))]) {
      const { headers } = await service().call('GET', path, { ...open, headers: { 'Accept-Encoding': 'br' } })
      bytes += Number(headers.get('content-length'))
    }
    assert.ok(bytes > 20_000 && bytes < 55_000, `${bytes} bytes`)
  })

  test('answers HEAD as GET, without the body', async () => {
    for (const path of ['//docs', '//docs/docs.css']) {
      const [get, head] = [await service().call('GET', path, open), await service().call('HEAD', path, open)]
      assert.equal(head.status, 200)
      assert.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'content-security-policy'])
        assert.equal(head.headers.get(name), get.headers.get(name), name)
    }
  })

  test('refuses other methods with 405', async () => {
    for (const path of ['//', '//docs', '//docs/docs.js']) {
      const answer = await service().call('POST', path, { ...open, body: '{}' })
      expectError(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
  })

  test('has nothing else below it', async () => {
    for (const path of [
      '//',
      '/nope',
      '/index.html',
      '/docs.ts',
      '/preact.mjs',
      '/../../package.json',
      '/..%2Fdocs.ts',
    ])
      expectError(await bareGet(service(), `/docs${path}`), 404, 'route_not_found')
  })
})
