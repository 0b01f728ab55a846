/**
 * The open pages: the reference with its files, the document at /openapi.json, /llms.txt and the client. The tests
 * cover how they are found, cached, compressed and protected.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { expectError } from '../../harness/expect.ts'
import { type Node, operationsOf } from '../../harness/openapi.ts'
import { Folder } from '../../harness/process.ts'
import { projectFile, root } from '../../harness/project.ts'
import { exchange, request } from '../../harness/raw.ts'
import { type Answer, onOneTarget } from '../../harness/service.ts'
import { errors } from '../../src/errors.ts'
import { scopes } from '../../src/model/key.ts'

const { version } = JSON.parse(projectFile('package.json'))
const sunset = Date.UTC(2030, 11, 5)
const open = { key: null }

onOneTarget('The open pages', (service) => {
  const get = (path: string, headers: Record<string, string> = {}) => service().call('GET', path, { ...open, headers })

  /** Requests a path without the headers that `fetch` adds and the encoding that it removes. */
  async function bare(path: string, lines: string[] = []) {
    const head = ['Host: a', 'Connection: close', ...lines]
    const [answer] = await exchange(service().port, request(`GET ${path} HTTP/1.1`, head))
    return answer ?? assert.fail('no answer')
  }

  test('Each release of the client has its own address, and /client.tgz redirects to the current one [decision 25]', async () => {
    assert.equal((await bare('/client.tgz')).headers.get('location'), `/client-${version}.tgz`)
    const kept = readdirSync(join(root, 'contracts')).filter((file) => file.endsWith('.tgz'))
    assert.ok(kept.includes(`client-${version}.tgz`))
    for (const file of kept) {
      const response = await fetch(`${service().url}/${file}`)
      assert.equal(response.headers.get('content-type'), 'application/gzip', file)
      assert.equal(response.headers.get('content-encoding'), null)
      assert.ok(readFileSync(join(root, 'contracts', file)).equals(await response.bytes()), file)
    }
  })

  test('The links of the OpenAPI document lead from an added animal to its sale and its return [decision 30]', async () => {
    const { json: document } = await get('//openapi.json')
    const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]))
    let [from, last] = ['createPet', await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })]
    for (const to of ['placeOrder', 'completeOrder', 'returnOrder']) {
      const link = operations.get(from)?.node.responses[last.status].links[to]
      const { method, path } = operations.get(link.operationId) ?? assert.fail(link.operationId)
      const given = (part: object = {}) =>
        JSON.parse(JSON.stringify(part).replaceAll('"$response.body#/id"', String(last.json.id)))
      const target = path.replace(/\{(\w+)\}/g, (_, name) => given(link.parameters)[name])
      const body = link.requestBody && given(link.requestBody)
      last = await service().call(method, target, { ...(body && { body }) })
      from = to
      assert.ok(last.status < 300, `${to}: ${last.text}`)
    }
    assert.equal(last.json.status, 'returned')
    for (const { node } of operations.values())
      for (const { links = {} } of Object.values<Node>(node.responses))
        for (const { operationId, parameters = {} } of Object.values<Node>(links)) {
          const known = operations.get(operationId)?.node.parameters.map(({ name }: Node) => name)
          assert.ok(
            Object.keys(parameters).every((name) => known?.includes(name)),
            operationId,
          )
        }
  })

  test('/ and /docs/ redirect to /docs, and any other page with a slash at its end redirects to the page [decision 3]', async () => {
    for (const [path = '', target] of [
      ['/', '/docs'],
      ['/docs/', '/docs'],
      ['/docs/?x=1', '/docs'],
      ['/docs/orders/', '/docs/orders'],
      ['/docs/guides/pages/', '/docs/guides/pages'],
    ]) {
      const answer = await bare(path)
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, target])
    }
  })

  test('/docs and /shop need no key, load only their own files, and contain no inline code or frame [decision 3]', async () => {
    for (const [path, title] of [
      ['//docs', 'Pet Store API'],
      ['//docs/orders', 'Orders · Pet Store API'],
      ['//docs/guides/pages', 'Pages · Pet Store API'],
      ['//shop', 'Pet Store'],
    ]) {
      const { status, headers, text } = await get(path as string)
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'])
      assert.ok(text.includes(`<title>${title}</title>`))
      assert.doesNotMatch(text, /<(?:link|script|img)[^>]*(?:href|src)="(?:https?:)?\/\//)
      assert.doesNotMatch(text, /<script(?![^>]* src=)| style=| on\w+=/)
      const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(
        ([, style = '']) => `'sha256-${hash('sha256', style, 'base64')}'`,
      )
      const policy = headers.get('content-security-policy') ?? ''
      assert.doesNotMatch(policy, /unsafe|\*|http/)
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        `style-src ${styles.join(' ') || "'self'"}`,
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
        assert.ok(policy.split('; ').includes(part), part)
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    }
  })

  const filesIn = (text: string) =>
    new Set([...text.matchAll(/(?:href|src)="([^"]+\?v=[^"]+)"/g)].map(([, path]) => path))
  const brotli = { 'Accept-Encoding': 'br' }
  const sizeOf = ({ headers }: Answer) => Number(headers.get('content-length'))

  for (const [name, files, bytesMax] of [
    ['docs', 2, 30_000],
    ['docs/animals', 2, 30_000],
    ['shop', 3, 60_000],
  ] as const)
    test(`All files of /${name} exist, are cached permanently, and have less than ${bytesMax / 1_000} KB`, async () => {
      const types: Record<string, string> = {
        css: 'text/css; charset=utf-8',
        js: 'text/javascript; charset=utf-8',
        svg: 'image/svg+xml',
      }
      const page = await get(`//${name}`, brotli)
      assert.equal(page.headers.get('cache-control'), 'public, no-cache')
      let bytes = sizeOf(page)
      const paths = [...filesIn(page.text)].map((path) => `//${path?.replace(/^\//, '')}`)
      assert.equal(paths.length, files)
      for (const path of paths) {
        const answer = await get(path, brotli)
        const type = types[/\.(\w+)\?/.exec(path)?.[1] ?? '']
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type], path)
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
        bytes += sizeOf(answer)
        for (const other of [path.replace(/\?.*/, ''), path.replace(/\?.*/, '?v=older')])
          assert.equal((await get(other)).headers.get('cache-control'), 'public, no-cache')
      }
      assert.ok(bytes > 5_000 && bytes < bytesMax, `${bytes} bytes`)
    })

  // `npm run bench:drawing` measures how long this takes.
  test('A browser can draw a page of the reference after one response that fits into 20 packets', async () => {
    for (const path of ['//docs', '//docs/animals', '//docs/guides/pages', '//docs/errors']) {
      const page = await get(path, brotli)
      const { text } = page
      // A style sheet, a blocking script and an import would each need another round trip before the page is drawn.
      assert.doesNotMatch(text, /<link rel="stylesheet"|<script(?! type="module")|@import|@font-face/)
      assert.equal([...text.matchAll(/<script[^>]*>/g)].length, 1)
      assert.match(text, /<script type="module" src="[^"]+"><\/script>\n<\/body>/, 'the script is asked for last')
      assert.ok(sizeOf(page) < 20 * 1_460, `${path}: ${sizeOf(page)} bytes`)
    }
  })

  test('/docs links to every page of the reference, and each page links to the document, the texts and the client', async () => {
    const { text } = await get('//docs')
    const [nav = ''] = /<nav id="contents".*?<\/nav>/s.exec(text) ?? []
    const paths = new Set([...nav.matchAll(/href="([^"#]+)/g)].map(([, path = '']) => path))
    assert.ok(paths.size > 20, [...paths].join())
    const files = ['/openapi.json', '/openapi-3.0.json', '/llms.txt', '/docs/guides.md', `/client-${version}.tgz`]
    for (const path of paths) {
      const page = await get(`/${path}`)
      assert.equal(page.status, 200, path)
      const [head = '', body = ''] = page.text.split('</head>')
      // Search engines and previews show the description unchanged.
      assert.match(head, /<meta name="description" content="[^"`*]+">/, path)
      for (const file of files) assert.ok(head.includes(`href="${file}"`) && body.includes(`<a href="${file}">`), file)
    }
    for (const file of files) assert.equal((await get(`/${file}`)).status, 200, file)
    const { json, headers } = await get('//docs/search.json')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    const found = json.find(({ title }: Node) => title === 'Complete an order')
    assert.deepEqual([found.href, found.group], ['/docs/orders#completeOrder', 'Orders'])
    const adding = json.find(({ href }: Node) => href === '/docs/animals#createPet')
    assert.match(adding.text, /\bcategoryId\b/, 'an operation is found by a member of its body')
    for (const code of Object.keys(errors)) {
      const error = json.find(({ href }: Node) => href === `/docs/errors#${code}`)
      assert.ok(error?.title === code && error.text.includes(`\`${code}\``), code)
    }
    const titles = [...text.matchAll(/<link rel="(?:service-desc|alternate|related)"[^>]* title="([^"]+)"/g)]
    assert.deepEqual(
      titles.map(([, title]) => title),
      ['OpenAPI 3.1', 'OpenAPI 3.0', 'llms.txt', 'Guides as Markdown', 'TypeScript client'],
    )
  })

  test('Pages and files are compressed for clients that accept it, and each encoding has its own tag [decision 20]', async () => {
    for (const path of ['/docs', '/docs/events', '/docs/docs.js', '/openapi.json']) {
      const plain = await bare(path)
      const tags = new Map<string | null, string>()
      for (const [accepted, coding] of [
        ['identity', null],
        ['deflate, xbr', null],
        ['gzip;q=0, br;q=0.0', null],
        ['gzip', 'gzip'],
        ['gzip, deflate, br', 'br'],
        ['gzip, br;q=0, zstd', 'zstd'],
      ] as const) {
        const encoding = `Accept-Encoding: ${accepted}`
        const { headers } = await bare(path, [encoding])
        const etag = headers.get('etag') ?? ''
        assert.deepEqual([headers.get('content-encoding'), headers.get('vary')], [coding, 'Accept-Encoding'], accepted)
        assert.match(etag, /^"[\w-]+"$/)
        tags.set(coding, etag)
        const held = await bare(path, [encoding, `If-None-Match: ${etag}`])
        assert.deepEqual([held.status, held.text, held.headers.get('etag')], [304, '', etag])
        assert.equal(held.headers.get('vary'), 'Accept-Encoding')
        if (coding === null) continue
        assert.equal((await get(`/${path}`, { 'Accept-Encoding': accepted })).text, plain.text)
        assert.equal((await bare(path, [encoding, `If-None-Match: ${tags.get(null)}`])).status, 200)
      }
      assert.equal(new Set(tags.values()).size, tags.size)
    }
  })

  test('/openapi.json and /docs are revalidated, and made again without operations that have been removed [decision 20]', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const ask = (tag = '""') => get('//openapi.json', { 'Accept-Encoding': encoding, 'If-None-Match': tag })
      await service().setClock(sunset - 1)
      const { headers, json } = await ask()
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(headers.get('cache-control'), 'public, no-cache')
      assert.deepEqual(json.servers, [{ url: `${service().url}/v1`, description: 'Local' }])
      assert.ok(json.paths['/pets/{petId}'].get)
      const page = await get('//docs/animals')
      assert.ok(page.text.includes('deprecated, ends 2030-12-05'))
      await service().setClock(sunset)
      const later = await ask(headers.get('etag') ?? '')
      assert.equal(later.status, 200)
      assert.deepEqual(Object.keys(later.json.paths['/pets/{petId}']), ['patch', 'delete'])
      const again = await get('//docs/animals', { 'If-None-Match': page.headers.get('etag') ?? '' })
      assert.ok(again.status === 200 && !again.text.includes('getPet'))
      assert.equal((await ask(later.headers.get('etag') ?? '')).status, 304)
      await service().setClock(null)
    }
  })

  test('/favicon.ico, which every browser requests, redirects to the icon', async () => {
    const answer = await bare('/favicon.ico')
    assert.equal(answer.status, 302)
    assert.equal((await bare(answer.headers.get('location') ?? '')).headers.get('content-type'), 'image/svg+xml')
  })

  test('Pages answer HEAD like GET but without the body, other methods with 405, and unknown paths with 404', async () => {
    for (const path of ['//docs', '//docs/docs.js']) {
      const [whole, head] = [await get(path), await service().call('HEAD', path, open)]
      assert.deepEqual([head.status, head.text], [200, ''])
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'content-security-policy'])
        assert.equal(head.headers.get(name), whole.headers.get(name), name)
    }
    for (const path of ['//', '//docs', '//docs/docs.js']) {
      const answer = await service().call('POST', path, { ...open, body: '{}' })
      expectError(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
    const others = ['/index.html', '/docs.ts', '/docs.html', '/licenses.txt', '/../../package.json', '/..%2Fdocs.ts']
    for (const path of ['//', '/nope', ...others]) expectError(await bare(`/docs${path}`), 404, 'route_not_found')
  })

  test('An unknown address below /docs gives browsers a page with status 404, and other clients an Error', async () => {
    const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const { status, headers, text } = await get('//docs/guides/nope?x=1', browser)
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'])
    assert.deepEqual([headers.get('cache-control'), headers.get('etag')], ['no-store', null])
    assert.match(headers.get('content-security-policy') ?? '', /style-src 'sha256-/)
    assert.match(text, /<title>Page not found · Pet Store API<\/title>/)
    assert.match(text, /<nav id="contents".*href="\/docs\/animals#listPets"/s)
    const head = await service().call('HEAD', '//docs/nope', { ...open, headers: browser })
    assert.deepEqual([head.status, head.text], [404, ''])
    for (const [method, path, accept] of [
      ['GET', '//docs/nope', '*/*'],
      ['GET', '//docsnope', browser.Accept],
      ['GET', '//nope', browser.Accept],
      ['POST', '//docs/nope', browser.Accept],
    ] as const)
      expectError(await service().call(method, path, { ...open, headers: { Accept: accept } }), 404, 'route_not_found')
  })

  test('/llms.txt needs no key, and contains the scopes, every error code and ten lines of curl that work [decision 17]', async () => {
    const { status, headers, text } = await get('//llms.txt')
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
    assert.match(text, /^# .+\n\n> .+\n/)
    const paths = ['/v1', '/mcp', '/openapi.json', '/docs'].map((path) => service().url + path)
    for (const part of [...paths, ...scopes, ...Object.keys(errors)]) assert.ok(text.includes(part), part)
    const lines = [...text.matchAll(/`(curl [^`\n]+)`$/gm)].map(([, line]) => line as string)
    assert.equal(lines.length, 10)
    const env = { ...process.env, PETSTORE_KEY: service().key }
    const script = lines.map((line) => `${line} -s -o /dev/null -w '%{http_code}\\n'`).join('\n')
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
    // The examples name animals and orders that may not exist in this store.
    for (const [i, code] of stdout.trim().split('\n').entries())
      assert.match(code, /^(?:20[014]|40[49]|422)$/, lines[i] ?? '')
    assert.equal(stdout.trim().split('\n').length, 10)
  })
})

onOneTarget(
  'The open pages of a service with an address of its own',
  (service) => {
    test('The guides name the address of the service and of the client that it offers [decision 30]', async () => {
      const { text } = await service().call('GET', '//docs/guides.md', open)
      assert.match(text, /https:\/\/shop\.example\/api\/v1\/pets/)
      assert.match(text, /https:\/\/shop\.example\/api\/client-/)
      assert.doesNotMatch(text, /127\.0\.0\.1:8080/)
    })
  },
  { PUBLIC_URL: 'https://shop.example/api/v1' },
)

test('pages/ contains exactly the files that the bundler makes from the sources, byte by byte [decision 30]', async () => {
  using made = new Folder()
  await promisify(execFile)(process.execPath, [join(root, 'build/pages.ts'), made.path], { cwd: made.path })
  const filesOf = (folder: string) =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
  const [kept, wanted] = [filesOf(join(root, 'pages')), filesOf(made.path)]
  const stale = Object.keys({ ...kept, ...wanted }).filter((name) => {
    const [is, should] = [kept[name], wanted[name]]
    return !is || !should || !is.equals(should)
  })
  assert.deepEqual(stale, [], 'run `npm run build:pages` and commit pages/')
})
