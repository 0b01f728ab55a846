/** The API reference in a real browser: a person with a key, on a desk and on a phone, by day and by night. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { errors } from '../../src/errors.ts'
import { headers } from '../../src/http/headers.ts'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { DocsPage } from '../support/docs-page.ts'
import { addPet } from '../support/expect.ts'
import { type Node, operationsOf } from '../support/openapi.ts'
import { projectFile } from '../support/project.ts'
import { describeInFull, testInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'

const chromium = findChromium('The tests of the docs page')
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }
const colorSchemes = ['light', 'dark'] as const
const operations = operationsOf(JSON.parse(projectFile('openapi.json')))

interface Shown {
  readonly text: string
  readonly badges: string[]
  readonly buttons: number
  readonly parameters: string[][]
  /** How far the page is wider than its window. */
  readonly overhang: number
}

if (chromium)
  describe('The docs page in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (viewport = desk) => DocsPage.open(browser, service.url, viewport)

    describe('to a person with a key', () => {
      let docs: DocsPage
      before(async () => {
        docs = await open()
        await docs.enterKey(service)
      })
      after(() => docs?.[Symbol.asyncDispose]())

      test('lists animals with 200', async () => {
        await addPet(service, { name: 'Mr. Shown' })
        const { status, body } = await docs.tryOut('listPets')
        assert.equal(status, '200')
        assert.match(body, /"name": "Mr\. Shown"/)
      })

      testInFull('adds an animal with 201', async () => {
        const { status, body } = await docs.tryOut('createPet')
        assert.equal(status, '201')
        const { id, name } = JSON.parse(body)
        assert.ok(Number.isSafeInteger(id))
        assert.equal(name, 'Rex')
        assert.equal((await service.call('GET', `/pets/${id}`)).status, 200)
      })

      testInFull('gets an animal with 200 and shows every digit of an int64', async () => {
        const { json } = await service.call('POST', '/pets', {
          body: '{"name":"Big","categoryId":9223372036854775807}',
        })
        const { status, body } = await docs.tryOut('getPet', { petId: String(json.id) })
        assert.equal(status, '200')
        assert.match(body, /"categoryId": 9223372036854775807\b/)
      })

      for (const colorScheme of colorSchemes)
        testInFull(`has a contrast of at least 4.5 in the ${colorScheme}, answers included`, async () => {
          await docs.page.emulateMedia({ colorScheme })
          assert.deepEqual(await docs.probe('faint', 'body'), [])
          assert.equal(await docs.probe('isLight'), colorScheme === 'light')
        })

      testInFull('fits a phone without scrolling sideways, answers included', async () => {
        await docs.page.setViewportSize(phone)
        assert.equal(await docs.probe('overhang'), 0)
      })

      testInFull('keeps the key in memory only', async () => {
        assert.deepEqual(await docs.probe('kept'), { local: {}, session: {}, databases: [], cookie: '' })
        await docs.page.reload()
        assert.equal(await docs.page.getByLabel('API key').inputValue(), '')
      })
    })

    testInFull('calls the service by the name under which it was opened', async () => {
      const url = `http://localhost:${service.port}`
      await using docs = await DocsPage.open(browser, url, desk)
      await docs.enterKey(service)
      assert.equal((await docs.tryOut('listPets')).status, '200')
      assert.ok((await docs.page.locator('.addresses').textContent())?.includes(`${url}/v1`))
    })

    testInFull('leads to the shop in one click, and the shop back', async () => {
      await using docs = await open(phone)
      await docs.page.getByRole('link', { name: 'The shop, for staff' }).click()
      await docs.page.getByRole('button', { name: 'Sign in' }).waitFor()
      await docs.page.getByRole('link', { name: 'API reference' }).click()
      await docs.operation('listPets').waitFor()
    })

    describeInFull('to a reader', () => {
      let docs: DocsPage
      /** What each operation shows on a phone, folded and unfolded. */
      const shown = new Map<string, Shown>()
      before(async () => {
        docs = await open(phone)
        for (const { id, node } of operations) {
          const badges = await docs.operation(id).locator('.opblock-summary .badge').allTextContents()
          const operation = await docs.unfold(id)
          const parameters: string[][] = []
          for (const { name } of node.parameters)
            parameters.push(await operation.locator(`tr[data-param-name="${name}"] .badge`).allTextContents())
          const buttons = await operation.getByRole('button', { name: 'Try it out' }).count()
          const overhang = await docs.probe<number>('overhang')
          shown.set(id, { text: (await operation.textContent()) ?? '', badges, buttons, parameters, overhang })
          await docs.fold(id)
        }
      })
      after(() => docs?.[Symbol.asyncDispose]())

      test('offers no panel on GET /store/orders and on the stream, and one on every other operation', () => {
        for (const [id, { buttons }] of shown)
          assert.equal(buttons, ['listOrders', 'streamEvents'].includes(id) ? 0 : 1, id)
        const text = shown.get('listOrders')?.text
        for (const part of ['A page of orders', 'cursor', 'invalid_parameter']) assert.ok(text?.includes(part), part)
      })

      test('marks operations and parameters by their stability, and names the scope of each', () => {
        for (const { id, node } of operations) {
          const { text = '', badges, parameters } = shown.get(id) ?? {}
          const stability = node['x-stability']
          if (!node.deprecated) assert.deepEqual(badges, stability ? [stability] : [], id)
          assert.deepEqual(
            parameters,
            node.parameters.map(({ 'x-stability': each }: Node) => (each ? [each] : [])),
          )
          const scope = node['x-scope'] ? `the scope ${node['x-scope']}` : 'any scope'
          assert.ok(text.includes(`a key with ${scope}`), id)
        }
      })

      test('says of getPet since when it is deprecated, until when it works and what to use instead', () => {
        const { text = '', badges } = shown.get('getPet') ?? {}
        assert.deepEqual(badges, ['deprecated, ends 2030-12-05'])
        assert.match(text, /deprecated since 2026-11-15, removed on 2030-12-05.*Use GET \/pets/)
      })

      test('documents every error code, header and limit', async () => {
        const text = await docs.page.locator('main').textContent()
        for (const word of [...Object.keys(errors), ...Object.keys(headers), '64 KiB', '8 KiB', '1 to 100', '1024'])
          assert.ok(text?.includes(word), word)
      })

      testInFull('fits a phone without scrolling sideways, also unfolded', async () => {
        assert.equal(await docs.probe('overhang'), 0)
        for (const [id, { overhang }] of shown) assert.equal(overhang, 0, id)
      })

      for (const colorScheme of colorSchemes)
        describe(`in the ${colorScheme}`, () => {
          before(() => docs.page.emulateMedia({ colorScheme }))

          testInFull('has a contrast of at least 4.5, the deprecated row included', async () => {
            assert.equal(await docs.page.locator('.opblock-deprecated').count(), 1)
            assert.deepEqual(await docs.probe('faint', 'body'), [])
            assert.equal(await docs.probe('isLight'), colorScheme === 'light')
          })

          testInFull('shows the keyboard focus', async () => {
            await docs.page.getByLabel('API key').focus()
            for (let i = 0; i < 12; i++) {
              await docs.page.keyboard.press('Tab')
              assert.equal(await docs.probe('outline'), 'solid', `after ${i + 1} steps`)
            }
          })
        })

      testInFull('keeps the parts of a row apart, on a phone too', async () => {
        for (const viewport of [desk, phone]) {
          await docs.page.setViewportSize(viewport)
          for (const { id } of operations)
            assert.deepEqual(await docs.probe('overlaps', `.opblock[id$="-${id}"] .opblock-summary`), [], id)
        }
      })
    })

    testInFull('has no getPet once it is removed', async () => {
      await service.setClock(Date.UTC(2030, 11, 5))
      await using docs = await open()
      await service.setClock(null)
      assert.equal(await docs.operation('getPet').count(), 0)
      assert.equal(await docs.operation('updatePet').count(), 1)
    })
  })
