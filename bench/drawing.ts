/**
 * `npm run bench:drawing` measures how long Chromium takes until it first draws a page of the reference, over an
 * emulated slow line. The first row is a page of one line, because nothing can be drawn sooner than that.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium as launcher } from 'playwright-core'
import { chromium, flags } from '../harness/chromium.ts'
import { Folder, Served } from '../harness/process.ts'
import { markdown } from './contest.ts'

const line = { offline: false, latency: 40, downloadThroughput: 1_500_000 / 8, uploadThroughput: 1_500_000 / 8 }
const loads = 15
/** This is long enough to draw. What is drawn later has no figure. */
const waitMilliseconds = 500

/** Returns the milliseconds until the first drawing, with an empty cache and a new process. */
async function drawing(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(waitMilliseconds)
  const drawn = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
  await context.close()
  return drawn
}

using folder = new Folder()
await using served = await Served.start(folder.env)
const oneLine = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><html lang="en"><title>x</title><p>One line')
}).listen(0, '127.0.0.1')
await once(oneLine, 'listening')
const site = new URL(served.url).origin
const pages = [
  ['one line', `http://127.0.0.1:${(oneLine.address() as AddressInfo).port}/`],
  ...['/docs', '/docs/animals', '/docs/guides/pages'].map((path) => [path, site + path] as const),
] as const
const browser = await launcher.launch({ executablePath: chromium, args: flags })
const times = new Map<string, number[]>(pages.map(([name]) => [name, []]))
// The first round is not counted, because the service makes its pages then.
for (let round = 0; round <= loads; round++)
  for (const [name, url] of pages) {
    const time = await drawing(browser, url)
    if (round > 0) times.get(name)?.push(time)
  }
await browser.close()
oneLine.close()
const rows = [...times].map(([name, all]) => {
  const sorted = all.toSorted((a, b) => a - b).map((each) => each.toFixed(0))
  return [name, sorted[loads >> 1] ?? '', `${sorted[0]} to ${sorted.at(-1)}`]
})
process.stdout.write(`${markdown(['page', 'first drawing, ms: median', 'of 15 loads'], rows)}\n`)
