/** The files of the page for staff: small, from this service alone, each under an address that names its content. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onOneTarget, type TestService } from '../support/service.ts'

const open = { key: null }
const policyOf = async (service: TestService, path: string) =>
  (await service.call('GET', path, open)).headers.get('content-security-policy')

/** Every file that the page loads, with what it holds. */
async function filesOf(service: TestService): Promise<Map<string, string>> {
  const { text } = await service.call('GET', '//shop', open)
  const files = new Map([['//shop', text]])
  for (const [, path = ''] of text.matchAll(/(?:href|src)="(shop\/[^"]+)"/g)) {
    const answer = await service.call('GET', `//${path}`, open)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable', path)
    files.set(`//${path}`, answer.text)
  }
  return files
}

onOneTarget('The shop', (service) => {
  test('is an open page without inline code, under the same policy as the docs page', async () => {
    const { status, headers, text } = await service().call('GET', '//shop', open)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.doesNotMatch(text, /<style|<script(?![^>]* src=)| style=| on\w+=|(?:href|src)="(?:https?:)?\/\//)
    assert.equal(await policyOf(service(), '//shop'), await policyOf(service(), '//docs'))
    assert.match((await service().call('GET', '//shop/', open)).text, /<title>Pet Store<\/title>/)
  })

  test('comes to less than 40 KB as it is sent, with one script, which imports nothing more', async () => {
    const files = await filesOf(service())
    let bytes = 0
    for (const path of files.keys()) {
      const { headers } = await service().call('GET', path, { ...open, headers: { 'Accept-Encoding': 'br' } })
      bytes += Number(headers.get('content-length'))
    }
    assert.ok(bytes > 20_000 && bytes < 40_000, `${bytes} bytes`)
    const scripts = [...files].filter(([path]) => path.includes('.js?'))
    assert.deepEqual(
      scripts.map(([path]) => path.replace(/\?.*/, '')),
      ['//shop/shop.js'],
    )
    for (const [path, text] of scripts) assert.doesNotMatch(text, /\bimport\b ?[\w{*"'(]|\bfrom ?["']/, path)
  })
})
