/** The Chromium of this machine, for tests of what runs in a browser. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { Folder, node } from './process.ts'
import { TestService } from './service.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/** A test speaks to the service alone: no account, no updates, nothing fetched in the background. */
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Where it lies; without one, says in a line what is left out, save in CI, where that is a failure. */
export function findChromium(leftOut: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of names) {
      const path = join(folder, name)
      if (isExecutable(path)) return path
    }
  const advice = `${leftOut} need a Chromium; to get one: apt-get install chromium`
  if (process.env.CI === 'true') throw new Error(advice)
  console.log(`Left out: ${advice}`)
  return undefined
}

/** Starts it, headless and with an empty profile. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: flags })

/** Called within `describe`: before its tests, hands over a service on an empty store and a browser; after them, stops both. */
export function withBrowser(executablePath: string, take: (service: TestService, browser: Browser) => void): void {
  const started = new AsyncDisposableStack()
  before(async () => {
    const { env } = started.use(new Folder())
    const service = started.adopt(await TestService.start(node, env), (each) => each.stop())
    take(
      service,
      started.adopt(await launchChromium(executablePath), (each) => each.close()),
    )
  })
  after(() => started.disposeAsync())
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
