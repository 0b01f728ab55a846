/** The files of the API reference are read once, at the first request; a read that fails is tried again at the next. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { SiteReply } from '../../src/http/handler.ts'
import { createDocsSite } from '../../src/reference/docs.ts'

const get = (page: SiteReply | undefined, target: string) =>
  page?.({ method: 'GET', target, header: () => undefined, address: () => undefined, body: () => undefined })

const nameOf = ({ pathname }: URL) => pathname.slice(pathname.lastIndexOf('/') + 1)

describe('the files of the docs page', () => {
  for (const [path, broken] of [
    ['/docs', 'index.html'],
    ['/docs', 'docs.css'],
    ['/docs/docs.css', 'docs.css'],
  ] as const)
    test(`${path} is there again once ${broken} can be read`, async () => {
      let isBroken = true
      const pages = createDocsSite(async (file) => {
        if (isBroken && nameOf(file) === broken) throw new Error('EMFILE: too many open files')
        return readFile(file)
      })
      const ask = async () => get(pages.get(path), path)
      await assert.rejects(ask, /EMFILE/)
      isBroken = false
      assert.equal((await ask())?.status, 200)
    })

  test('are read at the first request, and only then', async () => {
    const seen: string[] = []
    const pages = createDocsSite(async (file) => {
      seen.push(nameOf(file))
      return readFile(file)
    })
    assert.equal(seen.length, 0)
    for (let i = 0; i < 2; i++) for (const path of ['/docs/docs.css', '/docs']) await get(pages.get(path), path)
    assert.ok(seen.includes('index.html') && seen.includes('docs.css'))
    assert.equal(new Set(seen).size, seen.length, 'none twice')
  })
})
