/** What the pages of the reference show in a real browser: on a desk and on a phone, by day and by night, on paper. */
import assert from 'node:assert/strict'
import { PagePool } from '../../harness/chromium.ts'
import { describeDocs } from '../../harness/docs-page.ts'
import { projectFile } from '../../harness/project.ts'
import { before, describeInFull, test } from '../../harness/scope.ts'
import { phone } from '../../harness/watched-page.ts'

const desk = { width: 1440, height: 900 }
const tablet = { width: 820, height: 1000 }

describeDocs(
  'The pages of the reference in Chromium',
  (shown) => {
    let pages: readonly string[]
    before(async () => {
      await using docs = await shown.open('/docs')
      pages = await docs.page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll('#contents a')].map(({ pathname }) => pathname))]`,
      )
    })

    test('The reference has one page per group and guide, each at most 15 screens long and with the same list of contents', async () => {
      const guides = projectFile('docs/guides.md').match(/^## /gm)?.length ?? 0
      assert.equal(pages.length, guides + 13)
      await using docs = await shown.open('/docs', { viewport: desk })
      const titles = new Set<string>()
      for (const path of pages) {
        await docs.page.goto(docs.url + path)
        const { screens, stops, title } = await docs.page.evaluate<{
          screens: number
          stops: number
          title: string
        }>(`({
        screens: document.documentElement.scrollHeight / innerHeight,
        stops: [...document.querySelectorAll('a, button, input:not([type=radio]), fieldset, summary, [tabindex="0"]')]
          .filter((each) => each.checkVisibility()).length,
        title: document.querySelector('#contents').textContent })`)
        assert.ok(screens < 15, `${path}: ${screens} screens`)
        assert.ok(stops < 200, `${path}: ${stops} stops of the keyboard`)
        titles.add(title)
      }
      assert.equal(titles.size, 1)
    })

    // Each width and each set of colours occurs once.
    for (const [viewport, colorScheme] of [
      [desk, 'light'],
      [phone, 'dark'],
    ] as const)
      test(`The pages of the reference are accessible and fit the window, ${viewport.width} pixels wide, in the ${colorScheme}`, async () => {
        await using docs = await shown.open('/docs', { colorScheme, viewport })
        assert.equal(await docs.probe('isLight'), colorScheme === 'light')
        for (const path of pages) {
          await docs.page.goto(docs.url + path)
          await docs.expectAccessible(path)
        }
      })

    test('The pages of the reference fit the window of a tablet', async () => {
      await using docs = await shown.open('/docs', { viewport: tablet })
      for (const path of pages) {
        await docs.page.goto(docs.url + path)
        assert.deepEqual(await docs.probe('beyond'), [], path)
        assert.equal(await docs.probe('overhang'), 0, path)
      }
    })

    test('The pages of the reference can show a list of contents on a phone without a script', async () => {
      await using docs = await shown.open('/docs/animals', { viewport: phone })
      const contents = docs.page.locator('#contents')
      assert.ok(!(await contents.isVisible()))
      await docs.page.getByRole('button', { name: 'Contents' }).click()
      await docs.expectAccessible('the list of contents')
      assert.deepEqual(await docs.probe('small', 44), [])
      await contents.getByRole('link', { name: 'Add an animal' }).click()
      await docs.untilInView('#createPet')
      assert.ok(!(await contents.isVisible()))
    })

    test('Without a script, the pages of the reference show no key, panel, search or button', async () => {
      await using pool = await PagePool.launch({ javaScriptEnabled: false })
      const page = await pool.take()
      await page.goto(`${shown.service.url}/docs/animals`)
      for (const part of ['#key-button', '.search', '.copy', '.try', 'dialog'])
        assert.equal(await page.locator(part).filter({ visible: true }).count(), 0, part)
      // The languages of a sample are visible even without a script.
      const sample = page.locator('#createPet .sample')
      assert.match((await sample.locator('pre').filter({ visible: true }).textContent()) ?? '', /^curl/)
      await sample.getByText('Python', { exact: true }).click()
      assert.match((await sample.locator('pre').filter({ visible: true }).textContent()) ?? '', /^import os/)
      await page.locator('#contents summary').getByText('Guides').click()
      await page.locator('#contents').getByRole('link', { name: 'Rate limits' }).click()
      await page.getByRole('heading', { name: 'Rate limits', level: 1 }).waitFor()
      await page.goBack()
      await page.setViewportSize(phone)
      await page.getByRole('button', { name: 'Contents' }).click()
      await page.locator('#contents').getByText('Guides').waitFor()
    })

    test('The pages of the reference are printed completely, without buttons', async (t) => {
      await using docs = await shown.open('/docs/animals')
      await docs.page.emulateMedia({ media: 'print' })
      t.after(() => docs.page.emulateMedia({ media: null }))
      assert.ok(await docs.operation('createPet').getByText('Makes the request safe').isVisible())
      assert.equal(await docs.page.locator('.masthead, #contents, .try, .copy').filter({ visible: true }).count(), 0)
    })
  },
  describeInFull,
)
