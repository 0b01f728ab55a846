/** The examples in deploy/ name settings, files and services that exist. */
import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import yaml from 'yaml'
import { loadConfig, settings } from '../src/config/config.ts'
import { limits } from '../src/limits.ts'
import { defaultTimeouts } from '../src/server/listener.ts'
import { graceMilliseconds } from '../src/server/service.ts'
import { Folder, makeKey, Program, Served, testWith } from './support/process.ts'
import { projectFile, root } from './support/project.ts'
import { ReverseProxy } from './support/proxies.ts'

const matches = (text: string, pattern: RegExp): string[][] => [...text.matchAll(pattern)].map((match) => [...match])
/** Checked by the service's own reader; what is not its own may be there, too. */
function accepts(env: Record<string, string>): void {
  for (const name of Object.keys(env))
    if (name !== 'NODE_ENV') assert.ok(name in settings, `there is no setting ${name}`)
  using folder = new Folder()
  const local = { ...env }
  if (local.DATABASE_URL?.startsWith('sqlite:')) local.DATABASE_URL = folder.url
  loadConfig(local)
}

const dockerfile = projectFile('deploy/Dockerfile')
const [[, imagePort = ''] = []] = matches(dockerfile, /^ENV .*\bPORT=(\d+)/gm)

/** The values docker compose would put in: the default of a variable, or one that was set. */
const withVariables = (text: string): string =>
  text.replaceAll(/\$\{\w+:\?[^}]*\}/g, 'secret').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')

describe('deploy/', () => {
  const unit = projectFile('deploy/petstore@.service')

  test('the Dockerfile sets only settings that exist, copies what is there and not ignored, and runs the program', () => {
    const [[, line = ''] = []] = matches(dockerfile, /^ENV (.+)$/gm)
    accepts(Object.fromEntries(line.split(' ').map((pair) => pair.split('=', 2))))
    const ignored = projectFile('deploy/Dockerfile.dockerignore').split('\n')
    for (const [, files = ''] of matches(dockerfile, /^COPY (?!--from)(.+) \S+$/gm))
      for (const file of files.split(' ')) assert.ok(existsSync(join(root, file)) && ignored.includes(`!${file}`), file)
    assert.match(dockerfile, /^ENTRYPOINT \["node", "--max-semi-space-size=8", "\/app\/src\/main\.ts"\]$/m)
    for (const line of ['USER node', `EXPOSE ${imagePort}`]) assert.ok(dockerfile.split('\n').includes(line), line)
    const least = Number(/nodeMin = (\d+)/.exec(projectFile('bin/petstore.js'))?.[1])
    for (const [, version] of matches(dockerfile, /^FROM node:(\d+)/gm)) assert.ok(Number(version) >= least)
  })

  test('the health check of the image passes while the service lives, and not any more when it has ended', async () => {
    const [[, command = ''] = []] = matches(dockerfile, /^HEALTHCHECK .+\\\n +CMD (.+)$/gm)
    using folder = new Folder()
    await using served = await Served.start(folder.env)
    const check = async () =>
      (await new Program(JSON.parse(command), { env: { PORT: String(served.port) } }).ended).code
    assert.equal(await check(), 0)
    await served.end('SIGTERM')
    assert.equal(await check(), 1)
  })

  test('the systemd unit sets only settings that exist, its port by its name, and one folder for the database of all', () => {
    const pairs = matches(unit.replaceAll('%i', '8081'), /^Environment=(\w+)=(.*)$/gm)
    const env = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
    accepts(env)
    const [[, state] = []] = matches(unit, /^StateDirectory=(.+)$/gm)
    assert.deepEqual([env.PORT, dirname(env.DATABASE_URL ?? '')], ['8081', `sqlite:/var/lib/${state}`])
    // Without it, each instance would have a user of its own, and take the folder from the others.
    assert.match(unit, /^DynamicUser=yes\nUser=petstore$/m)
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > graceMilliseconds / 1000)
    assert.match(unit, /^ExecStart=\S+\/node --max-semi-space-size=8 \/opt\/petstore\/src\/main\.ts serve$/m)
  })

  testWith(['systemd-analyze'], 'systemd finds nothing wrong with the unit', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'petstore@8081.service')
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
    const { code, stderr } = await new Program(['systemd-analyze', 'verify', '--man=no', file]).ended
    assert.deepEqual([code, matches(stderr, /^.*petstore.*$/gm)], [0, []])
  })
})

describe('deploy/compose.yaml, and the proxies', () => {
  const { services } = yaml.parse(withVariables(projectFile('deploy/compose.yaml')), { merge: true })
  const { database, proxy, migrate, ...instances } = services
  const names = Object.keys(instances)
  const [nginx, caddy] = [projectFile('deploy/nginx.conf'), projectFile('deploy/Caddyfile')]
  const directive = (name: string): string => matches(nginx, new RegExp(`^ +${name} (.+);$`, 'gm'))[0]?.[1] ?? ''
  const secondsOf = (text = ''): number => Number(/^(\d+)s$/.exec(text)?.[1])

  test('every instance has only settings that exist, the URL of its database, that of the proxy, and time to drain', () => {
    const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: name } = database.environment
    const port = directive('listen')
    assert.deepEqual([names, proxy.ports], [['petstore-1', 'petstore-2'], [`${port}:${port}`]])
    for (const { environment, stop_grace_period } of [migrate, ...Object.values(instances)]) {
      accepts(environment)
      assert.equal(environment.DATABASE_URL, `postgres://${user}:${password}@database:5432/${name}`)
      if (environment === migrate.environment) continue
      assert.equal(environment.PUBLIC_URL, `http://localhost:${port}/v1`)
      assert.ok(secondsOf(stop_grace_period) > Number(environment.DRAIN_SECONDS) + graceMilliseconds / 1000)
    }
    const needs = (condition: string, ...of: string[]) => Object.fromEntries(of.map((each) => [each, { condition }]))
    assert.deepEqual(
      [migrate.command, migrate.depends_on, proxy.depends_on],
      [['migrate'], needs('service_healthy', 'database'), needs('service_healthy', ...names)],
    )
    for (const { depends_on } of Object.values<{ depends_on: object }>(instances))
      assert.deepEqual(depends_on, needs('service_completed_successfully', 'migrate'))
  })

  test('a proxy knows every instance, and closes an idle connection before the service does [D177]', () => {
    const upstreams = matches(nginx, /^ +server (petstore\S+)/gm).map(([, name]) => name)
    assert.deepEqual(
      upstreams,
      names.map((name) => `${name}:${imagePort}`),
    )
    assert.ok(caddy.includes(`{$UPSTREAMS:${upstreams.join(' ')}}`))
    const idle = defaultTimeouts.idle / 1000
    assert.ok(secondsOf(directive('keepalive_timeout')) < idle && Number(directive('keepalive')) > 0)
    assert.deepEqual([directive('proxy_http_version'), directive('proxy_set_header Connection')], ['1.1', '""'])
    assert.ok(Number(/^\t+keepalive (\d+)s$/m.exec(caddy)?.[1]) < idle)
    assert.doesNotMatch(caddy, /^\s*encode/m, 'compressed, tags would be others')
  })

  test('a proxy waits longer than a request may take, is no stricter than the service, and answers as it does when none responds', () => {
    const longest = (limits.requestTime.milliseconds + loadConfig({}).database.timeoutMilliseconds) / 1000
    assert.ok(secondsOf(directive('proxy_read_timeout')) > longest)
    assert.ok(Number(/^\t+response_header_timeout (\d+)s$/m.exec(caddy)?.[1]) > longest)
    assert.ok(limits.bodySize.bytes < 1024 ** 2 * Number.parseInt(directive('client_max_body_size'), 10))
    assert.ok(Number(/^4 (\d+)k$/.exec(directive('large_client_header_buffers'))?.[1]) * 1024 > limits.headerSize.bytes)
    // No POST is sent twice.
    assert.equal(directive('proxy_next_upstream'), 'error timeout')
    const [[, body = ''] = []] = matches(nginx, /return 503 '(.+)';/g)
    assert.ok(caddy.includes(`respond \`${body}\` 503`))
    assert.deepEqual(JSON.parse(body).code, 'unavailable')
  })
})

describe('instances on one SQLite file behind a proxy', () => {
  for (const name of ['nginx', 'caddy'] as const)
    testWith(
      [name],
      `are restarted in turn without a failed ${name === 'nginx' ? 'request' : 'GET'}, and events come through: ${name}`,
      async () => {
        using folder = new Folder()
        const key = await makeKey(folder.env, '--scope', 'pets:read', '--scope', 'pets:write', '--scope', 'events:read')
        // An address that no other test listens on: what is started again finds its port free.
        const start = (port = 0) => Served.start({ ...folder.env, HOST: '127.0.0.2', PORT: String(port) })
        const instances = [await start(), await start()]
        const addresses = instances.map(({ port }) => `127.0.0.2:${port}`)
        await using proxy = await ReverseProxy[name](addresses, key)
        const animal = { name: 'Rex', categoryId: 1, status: 'available' }
        const seen = new Set<string>()
        let isOver = false
        const client = async (method: string, body?: object) => {
          while (!isOver) {
            const { status } = await proxy.call(method, '/pets', {}, body)
            seen.add(`${method} ${status}`)
          }
        }
        const clients = [client('GET'), client('GET'), client('POST', animal), client('POST', animal)]
        try {
          for (const [i, { port }] of instances.entries()) {
            await instances[i]?.until(/"method":"POST","route":"\/v1\/pets"/)
            const { code } = (await instances[i]?.end('SIGTERM')) ?? {}
            assert.equal(code, 0)
            const started = await start(port)
            instances[i] = started
            // The proxy may leave it alone for a second; the other one must not stop before.
            await started.until(/"method":"POST","route":"\/v1\/pets"/)
          }
          const reader = await proxy.follow()
          await reader.until(({ frames }) => frames.length > 0)
        } finally {
          isOver = true
          await Promise.all(clients)
          for (const instance of instances) await instance[Symbol.asyncDispose]()
        }
        // Caddy 2.6 has no body left to try a POST at the other instance ("ContentLength=50 with Body length 0" in its log).
        if (name === 'caddy') seen.delete('POST 503')
        assert.deepEqual([...seen].toSorted(), ['GET 200', 'POST 201'])
      },
    )
})

describe('deploy/logrotate.conf', () => {
  testWith(['logrotate'], 'leaves a log that is being appended to whole', async () => {
    using folder = new Folder()
    const log = join(folder.path, 'petstore.log')
    const config = join(folder.path, 'logrotate.conf')
    writeFileSync(config, projectFile('deploy/logrotate.conf').replaceAll('/var/log/petstore', folder.path), {
      mode: 0o644,
    })
    const open = openSync(log, 'a')
    writeSync(open, 'first\n')
    const args = ['--force', '--state', join(folder.path, 'state'), config]
    const { code, stderr } = await new Program(['logrotate', ...args]).ended
    assert.deepEqual([code, stderr], [0, ''])
    writeSync(open, 'second\n')
    closeSync(open)
    const [rotated = '', ...more] = readdirSync(folder.path).filter((name) => name.startsWith('petstore.log-'))
    assert.deepEqual(more, [])
    const texts = [rotated, 'petstore.log'].map((name) => readFileSync(join(folder.path, name), 'utf8'))
    assert.deepEqual(texts, ['first\n', 'second\n'])
  })
})
