/** Signing in to the page for staff and to the reference in a real browser: one key for all tabs, remembered only if asked for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { findChromium, withBrowser } from '../support/chromium.ts'
import { freshCategory } from '../support/expect.ts'
import { testInFull } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { type ShopOptions, ShopPage } from '../support/shop-page.ts'

const chromium = findChromium('The tests of the shop')
const phone = { width: 390, height: 844 }

if (chromium)
  describe('Signing in, in Chromium', () => {
    let service: TestService
    let browser: Browser
    withBrowser(chromium, (...given) => {
      ;[service, browser] = given
    })
    const open = (options?: ShopOptions) => ShopPage.open(browser, service, options)
    const keyField = (tab: ShopPage) => tab.page.getByRole('textbox', { name: 'API key' })
    const kept = (tab: ShopPage) => tab.probe<{ local: object; session: object }>('kept')

    test('a new tab of the shop and of the reference gets the key from an open one; signing out ends all of them [D278]', async () => {
      await using shop = await open()
      const other = await shop.openTab()
      await other.button('Sign out').waitFor()
      const docs = await shop.openTab('/docs')
      await docs.page.waitForFunction(`document.querySelector('#key')?.value === '${service.key}'`)
      await docs.page.locator('#key-state').getByText('until the last tab is closed').waitFor()
      await other.openAdd()
      await other.page.getByLabel('Name').fill('Half typed')
      await shop.button('Sign out').click()
      await other.button('Sign in').waitFor()
      await docs.page.waitForFunction(`document.querySelector('#key').value === ''`)
      for (const tab of [shop, other, docs]) {
        const { local, session } = await kept(tab)
        assert.deepEqual({ local, session }, { local: {}, session: {} })
      }
      await shop.signIn(service.key)
      await other.button('Sign out').waitFor()
      assert.equal(await other.sheet.count(), 0, 'nothing is left open')
      await docs.button('Sign out').click()
      for (const tab of [shop, other]) await tab.button('Sign in').waitFor()
    })

    test('a key is kept until the last tab is closed, and on the device only if asked for [D278]', async () => {
      await using shop = await open({ key: null })
      assert.equal(await shop.page.getByLabel('Remember').isChecked(), false)
      await shop.text('Whoever runs this store gives out the keys').waitFor()
      await shop.page.getByLabel('Remember').check()
      await shop.expectAccessible('the form')
      await shop.signIn(service.key)
      const { local } = await kept(shop)
      assert.deepEqual(local, { 'petstore.key': service.key })
      // As when the browser was closed meanwhile.
      await shop.page.evaluate('sessionStorage.clear()')
      await shop.page.reload()
      await shop.button('Sign out').click()
      assert.deepEqual((await kept(shop)).local, {})
      await shop.signIn(service.key)
      assert.deepEqual((await kept(shop)).local, {})
    })

    testInFull('a key that is refused is forgotten on the device, and no other [D278]', async () => {
      const key = await service.makeKey({ expiresAt: Date.now() + 60_000 })
      await using shop = await open({ key: null, viewport: phone, search: `?category=${freshCategory()}` })
      await shop.page.getByLabel('Remember').check()
      await shop.signIn(key)
      await service.setClock(Date.now() + 120_000)
      await shop.lookAgain()
      await shop.text('This key is no longer valid.').waitFor()
      await service.setClock(null)
      assert.deepEqual((await kept(shop)).local, {})
      await shop.page.getByLabel('Remember').check()
      await shop.signIn(service.key)
      const docs = await shop.openTab('/docs')
      await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
      await docs.page.getByLabel('Remember it').uncheck()
      await docs.page.locator('#key-state').getByText('until the last tab is closed').waitFor()
      assert.deepEqual((await kept(shop)).local, {})
      await docs.page.getByLabel('Remember it').check()
      await docs.page.locator('#key-state').getByText('kept until you sign out').waitFor()
      await docs.expectAccessible('the key in the reference', '.masthead')
      await keyField(docs).fill(`pst_${'0'.repeat(36)}`)
      await docs.page.keyboard.press('Enter')
      await docs.page.locator('#key-state').getByText('refuses this key').waitFor()
      await docs.page.reload()
      await docs.page.waitForFunction(`document.querySelector('#key')?.value === '${service.key}'`)
      assert.deepEqual((await kept(shop)).local, { 'petstore.key': service.key })
    })
  })
