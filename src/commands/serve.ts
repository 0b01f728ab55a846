/** `petstore serve`: runs the service until it receives a stop signal. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, type Environment, loadConfig, settings } from '../config/config.ts'
import { programName } from '../config/program.ts'
import { siteUrl } from '../http/urls.ts'
import { issueKey } from '../keys/keys.ts'
import { scopesFor } from '../model/key.ts'
import { type Log, openLog } from '../observe/log.ts'
import { type Service, startService } from '../server/service.ts'
import { stopSignal } from '../server/stop-signal.ts'
import { openStore } from '../store/open.ts'
import { systemTime } from '../time.ts'
import { type Command, readArgs } from './command.ts'
import { fillDemo } from './demo-shop.ts'
import type { Output } from './output.ts'

/** The help aligns meanings in a column. A name that is too long gets its own line. */
const indent = `\n${' '.repeat(20)}`
const nameWidth = 18
const columnOf = (name: string): string => (name.length < nameWidth - 1 ? name.padEnd(nameWidth) : name + indent)

export const serve: Command = {
  help: `Usage: petstore serve [--demo]

Runs the service. SIGTERM or Ctrl-C stops it gracefully: requests in progress are answered first.

  ${columnOf('--demo')}serves a temporary database with made-up animals and orders, and shows an API key; if the
  ${columnOf('')}port is taken, uses the next free one

Example: PORT=8090 petstore serve

Settings are environment variables. --env-file FILE names a file with settings that the environment does not set:
${Object.entries(settings)
  .map(([name, { fallback, meaning }]) => `  ${columnOf(name)}${meaning}${fallback && `${indent}default: ${fallback}`}`)
  .join('\n')}
`,
  async run(args, { env, stderr }) {
    const { flags } = readArgs(args, { demo: { type: 'boolean', default: false } })
    if (flags.demo) await serveDemo(env, stderr)
    else await runUntilStopped(loadConfig(env))
    return 0
  },
}

/** Serves the demo shop from a temporary database. */
async function serveDemo(env: Environment, stderr: Output): Promise<void> {
  const asked = loadConfig(env, { DATABASE_URL: `sqlite:${join(temporaryFolder(), 'demo.db')}` })
  await runUntilStopped(asked, async () => {
    await fill(asked)
    // A demo is often started beside the service itself. The port is chosen last, so that it is still free when the
    // service listens.
    const port = await freePort(asked)
    if (port !== asked.port) stderr.write(`Port ${asked.port} is taken; the demo is on ${port}.\n`)
    return { ...asked, port }
  })
}

/** `prepareDemo` makes the demo, and returns the settings to serve it with. */
async function runUntilStopped(asked: Config, prepareDemo?: () => Promise<Config>): Promise<void> {
  const isDemo = prepareDemo !== undefined
  const { log, samples } = openLog(asked.logLevel, systemTime)
  // Installed before the start, so that a signal during startup also stops the service gracefully.
  const stopping = stopSignal(systemTime)
  const config = (await prepareDemo?.()) ?? asked
  const service = await startService(config, systemTime, log, { sources: [samples] })
  log.info({ url: service.publicUrl, ...pagesOf(service) }, 'the service is ready')
  // This is not awaited: a database that does not respond at the moment must neither end the service nor keep it from
  // stopping.
  welcome(service, log, isDemo).catch((err) => log.warn({ err }, 'could not check whether there is an API key'))
  try {
    log.info({ signal: await stopping }, 'shutting down: finishing requests in progress')
  } finally {
    await service.stop()
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-demo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const portsTried = 100

/**
 * The first free port from the port of the settings on. If no port is free, it is the port of the settings, and the
 * service reports the error.
 */
async function freePort({ host, port: first }: Config): Promise<number> {
  for (let port = first; port < first + portsTried && port < 65_536; port++) {
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, host, () => resolve(true))
    })
    await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
  return first
}

async function fill({ database }: Config): Promise<void> {
  const store = await openStore({ time: systemTime, ...database, schema: 'create' })
  await fillDemo(store, systemTime.now())
  await store.close()
}

/** The web pages, whose addresses are logged at every start. */
const pages = { shop: '/shop', reference: '/docs' }

const pagesOf = ({ publicUrl }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(pages).map(([name, path]) => [name, siteUrl(publicUrl, path)]))

/** When there is no key yet, creates and shows one on a terminal and for a demo; otherwise logs how to create one. */
async function welcome(service: Service, log: Log, isDemo: boolean): Promise<void> {
  const { store, publicUrl } = service
  if ((await store.keys.list()).length > 0) return
  if (!process.stdout.isTTY && !isDemo) {
    log.warn(`there is no API key yet; create one: ${programName} keys create --name NAME`)
    return
  }
  const { token } = await issueKey(store.keys, {
    name: 'first key',
    scopes: scopesFor.staff,
    now: systemTime.now(),
    expiresAt: undefined,
  })
  // Without a terminal, standard output is the log, which must not contain keys.
  const output = process.stdout.isTTY ? process.stdout : process.stderr
  const hint = isDemo
    ? 'The animals and orders are made up. Everything is deleted when the demo stops.'
    : `More keys:  ${programName} keys create --name NAME`
  output.write(`
  The pet store is running at ${publicUrl}

${Object.entries(pagesOf(service))
  .map(([name, url]) => `  The ${name} is at ${url}\n`)
  .join('')}
  Your first API key, shown only this once:

    ${token}

  Try it in another terminal:

    curl -w '\\n' -H 'Authorization: Bearer ${token}' ${publicUrl}/pets

  ${hint}
  To stop:    Ctrl-C

`)
}
