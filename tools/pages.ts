/**
 * Clicks Execute for every GET of the document in the pages of other tools, without typing anything: `node pages.ts
 * PAGE`. The browser itself serves the page below the address of the service, so that it needs no server and no CORS.
 */
import { fileURLToPath } from 'node:url'
import { type Page, chromium as playwright } from 'playwright-core'
import { chromium, flags, lackOfChromium } from '../harness/chromium.ts'

interface Document {
  readonly paths: Record<string, { get?: { operationId: string; tags: [string]; 'x-mcp'?: false } }>
}

interface Called {
  readonly operationId: string
  readonly tag: string
  readonly path: string
}

interface Reference {
  /** The folder of its package in node_modules. */
  readonly files: string
  readonly html: (key: string) => string
  /** Opens the operation and clicks the button. */
  readonly execute: (page: Page, operation: Called) => Promise<void>
}

const references: Record<string, Reference> = {
  'swagger-ui': {
    files: 'swagger-ui-dist',
    html: (key) => `<div id=ui></div><script src=files/swagger-ui-bundle.js></script><script>
      const ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', tryItOutEnabled: true, syntaxHighlight: false,
        onComplete: () => ui.preauthorizeApiKey('apiKey', '${key}') })</script>`,
    async execute(page, { tag, operationId }) {
      const operation = page.locator(`#operations-${tag}-${operationId}`)
      await operation.locator('.opblock-summary-control').click()
      await operation.locator('.execute').click()
      await operation.locator('.live-responses-table').waitFor()
      // Each operation that stays open makes the next one slower.
      await operation.locator('.opblock-summary-control').click()
    },
  },
  rapidoc: {
    files: 'rapidoc/dist',
    html: (key) => `<script type=module src=files/rapidoc-min.js></script>
      <rapi-doc spec-url=/openapi.json render-style=read load-fonts=false></rapi-doc><script>
      const ui = document.querySelector('rapi-doc')
      ui.addEventListener('spec-loaded', () => ui.setApiKey('apiKey', '${key}'))</script>`,
    async execute(page, { path }) {
      await page.locator(`api-request[method=get][path="${path}"] [part~=btn-try]`).click()
    },
  },
  scalar: {
    files: '@scalar/api-reference/dist/browser',
    html: (key) => `<div id=ui></div><script src=files/standalone.js></script><script>
      Scalar.createApiReference('#ui', { url: '/openapi.json', withDefaultFonts: false, telemetry: false,
        authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: '${key}' } } },
      })</script>`,
    async execute(page, { tag, path }) {
      // This closes the panel of the operation before.
      await page.keyboard.press('Escape')
      await page.evaluate(`location.hash = '#tag/${tag}/GET${path}'`)
      await page.getByRole('button', { name: `Test Request (get ${path})` }).click()
      await page.getByRole('button', { name: /^Send get/ }).click()
    },
  },
}

const { PETSTORE_URL = '', PETSTORE_KEY = '' } = process.env

async function executeAll({ files, html, execute }: Reference): Promise<string> {
  const { origin } = new URL(PETSTORE_URL)
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document
  const operations = Object.entries(paths).flatMap(([path, { get }]) =>
    // A stream never ends.
    get && get['x-mcp'] !== false ? [{ path, tag: get.tags[0], operationId: get.operationId }] : [],
  )
  // This does not use the pool of the tests, which delays the timers of a page.
  if (lackOfChromium) throw new Error(`This test ${lackOfChromium}.`)
  await using browser = await playwright.launch({ executablePath: chromium, args: flags, timeout: 120_000 })
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  await page.route('**', (route) => {
    const { pathname, origin: asked } = new URL(route.request().url())
    const file = /^\/tool\/files\/(.+)/.exec(pathname)?.[1]
    if (asked !== origin) return route.abort()
    if (file) return route.fulfill({ path: fileURLToPath(new URL(`node_modules/${files}/${file}`, import.meta.url)) })
    if (pathname === '/tool/')
      return route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><meta charset=utf-8>${html(PETSTORE_KEY)}`,
      })
    return route.continue()
  })
  await page.goto(`${origin}/tool/`)
  const failed: string[] = []
  for (const operation of operations) {
    const called = new RegExp(`/v1${operation.path.replace(/\{\w+\}/g, '[^/?]*')}(\\?|$)`)
    try {
      const [response] = await Promise.all([page.waitForResponse(called), execute(page, operation)])
      if (!response.ok()) throw new Error(`${response.status()} ${response.url()}`)
    } catch (error) {
      failed.push(`; not: ${operation.operationId}`)
      process.stdout.write(`${operation.operationId}: ${(error as Error).message}\n`)
    }
  }
  return `${operations.length - failed.length} of ${operations.length}${failed.join('')}`
}

if (import.meta.main) process.stdout.write(`${await executeAll(references[process.argv[2] ?? ''] as Reference)}\n`)
