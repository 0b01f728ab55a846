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

interface ComposeService {
  readonly environment?: Record<string, string>
  readonly command?: readonly string[]
  readonly depends_on?: Record<string, { condition: string }>
  readonly healthcheck?: { test: readonly string[] }
  readonly stop_grace_period?: string
  readonly restart?: string
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
}
interface Compose {
  readonly services: Record<'database' | 'migrate' | 'proxy', ComposeService> & Record<string, ComposeService>
}

describe('deploy/', () => {
  const unit = projectFile('deploy/petstore@.service')

  test('the Dockerfile sets only settings that exist, and runs the program', () => {
    const [[, line = ''] = []] = matches(dockerfile, /^ENV (.+)$/gm)
    accepts(Object.fromEntries(line.split(' ').map((pair) => pair.split('=', 2))))
    assert.match(dockerfile, /^ENTRYPOINT \["node", "--max-semi-space-size=8", "\/app\/src\/main\.ts"\]$/m)
    assert.match(dockerfile, /^USER node$/m)
    const least = Number(/nodeMin = (\d+)/.exec(projectFile('bin/petstore.js'))?.[1])
    assert.ok(least > 0)
    for (const [, version] of matches(dockerfile, /^FROM node:(\d+)/gm)) assert.ok(Number(version) >= least)
  })

  test('the Dockerfile copies what is there and not ignored', () => {
    const ignored = projectFile('deploy/Dockerfile.dockerignore')
    for (const [, files = ''] of matches(dockerfile, /^COPY (?!--from)(.+) \S+$/gm))
      for (const file of files.split(' ')) {
        assert.ok(existsSync(join(root, file)), file)
        assert.match(ignored, new RegExp(`^!${file}$`, 'm'))
      }
  })

  test('the health check of the image asks for /livez on the port it listens on', () => {
    const [[, command = ''] = []] = matches(dockerfile, /^HEALTHCHECK .+\\\n +CMD (.+)$/gm)
    const [program, flag, code] = JSON.parse(command)
    assert.deepEqual([program, flag], ['node', '-e'])
    assert.match(code, /^fetch\(`http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT\}\/livez`\)/)
    assert.match(dockerfile, new RegExp(`^EXPOSE ${imagePort}$`, 'm'))
  })

  test('the systemd unit sets only settings that exist, its port by its name, and one folder for the database of all', () => {
    const env = Object.fromEntries(
      matches(unit, /^Environment=(\w+)=(.*)$/gm).map(([, name = '', value = '']) => [
        name,
        value.replace('%i', '8081'),
      ]),
    )
    assert.equal(env.PORT, '8081')
    // Without it, each instance would have a user of its own, and take the folder from the others.
    assert.match(unit, /^DynamicUser=yes\nUser=petstore$/m)
    accepts(env)
    const [[, state] = []] = matches(unit, /^StateDirectory=(.+)$/gm)
    assert.equal(dirname(env.DATABASE_URL?.slice('sqlite:'.length) ?? ''), `/var/lib/${state}`)
    const [[, patience] = []] = matches(unit, /^TimeoutStopSec=(\d+)$/gm)
    assert.ok(Number(patience) > graceMilliseconds / 1000)
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

describe('deploy/compose.yaml', () => {
  const { services } = yaml.parse(withVariables(projectFile('deploy/compose.yaml')), { merge: true }) as Compose
  const { database, proxy, migrate, ...instances } = services
  const nginx = projectFile('deploy/nginx.conf')
  const directive = (name: string): string => matches(nginx, new RegExp(`^ +${name} (.+);$`, 'gm'))[0]?.[1] ?? ''
  const secondsOf = (text = ''): number => Number(/^(\d+)s$/.exec(text)?.[1])
  const port = Number(directive('listen'))

  test('gives every instance only settings that exist, and the URL of its database', () => {
    assert.deepEqual(Object.keys(instances), ['petstore-1', 'petstore-2'])
    for (const { environment = {} } of [migrate, ...Object.values(instances)]) {
      accepts(environment)
      const url = new URL(environment.DATABASE_URL ?? '')
      const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database.environment ?? {}
      assert.deepEqual([url.protocol, url.host], ['postgres:', 'database:5432'])
      assert.deepEqual(
        [url.username, url.password, url.pathname],
        [POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`],
      )
    }
  })

  test('starts each after what it needs: the database answers, the schema is there, the instances live', () => {
    const { POSTGRES_USER, POSTGRES_DB } = database.environment ?? {}
    assert.deepEqual(database.healthcheck?.test, [
      'CMD',
      'pg_isready',
      `--username=${POSTGRES_USER}`,
      `--dbname=${POSTGRES_DB}`,
    ])
    assert.deepEqual(migrate.command, ['migrate'])
    assert.equal(migrate.restart, 'no')
    assert.deepEqual(migrate.depends_on, { database: { condition: 'service_healthy' } })
    for (const { depends_on, healthcheck } of Object.values(instances)) {
      assert.deepEqual(depends_on, { migrate: { condition: 'service_completed_successfully' } })
      assert.equal(healthcheck, undefined, 'the image has its own')
    }
    const healthy = Object.keys(instances).map((name) => [name, { condition: 'service_healthy' }])
    assert.deepEqual(proxy.depends_on, Object.fromEntries(healthy))
  })

  test('lets an instance drain and finish before it is killed', () => {
    for (const { stop_grace_period, environment } of Object.values(instances))
      assert.ok(secondsOf(stop_grace_period) > Number(environment?.DRAIN_SECONDS) + graceMilliseconds / 1000)
  })

  test('publishes the port of the proxy, which PUBLIC_URL names', () => {
    assert.deepEqual(proxy.ports, [`${port}:${port}`])
    for (const { environment } of Object.values(instances))
      assert.equal(environment?.PUBLIC_URL, `http://localhost:${port}/v1`)
    assert.deepEqual(proxy.volumes, ['./nginx.conf:/etc/nginx/nginx.conf:ro'])
  })

  test('has a proxy that knows every instance, and closes an idle connection before the service does [D177]', () => {
    const upstream = matches(nginx, /^ +server (petstore\S+)/gm).map(([, name]) => name)
    assert.deepEqual(
      upstream,
      Object.keys(instances).map((name) => `${name}:${imagePort}`),
    )
    assert.ok(secondsOf(directive('keepalive_timeout')) < defaultTimeouts.idle / 1000)
    assert.ok(Number(directive('keepalive')) > 0)
    assert.deepEqual([directive('proxy_http_version'), directive('proxy_set_header Connection')], ['1.1', '""'])
  })

  test('has a proxy that waits longer than a request may take, and is no stricter than the service', () => {
    const { database: defaults } = loadConfig({})
    const longest = (limits.requestTime.milliseconds + defaults.timeoutMilliseconds) / 1000
    assert.ok(secondsOf(directive('proxy_read_timeout')) > longest)
    assert.equal(directive('client_max_body_size'), '1m')
    assert.ok(limits.bodySize.bytes < 1024 * 1024)
    assert.ok(Number(/^4 (\d+)k$/.exec(directive('large_client_header_buffers'))?.[1]) * 1024 > limits.headerSize.bytes)
  })

  test('has a proxy that sends no POST twice', () => {
    assert.equal(directive('proxy_next_upstream'), 'error timeout')
  })
})

describe('deploy/Caddyfile', () => {
  const caddy = projectFile('deploy/Caddyfile')

  test('knows the same instances as nginx, and answers as the service and nginx do when none responds', () => {
    const nginx = projectFile('deploy/nginx.conf')
    const upstreams = matches(nginx, /^ +server (petstore\S+)/gm).map(([, name]) => name)
    assert.ok(caddy.includes(`{$UPSTREAMS:${upstreams.join(' ')}}`))
    const [[, body = ''] = []] = matches(nginx, /return 503 '(.+)';/g)
    assert.ok(caddy.includes(`respond \`${body}\` 503`))
    assert.deepEqual(JSON.parse(body).code, 'unavailable')
  })

  test('closes an idle connection before the service does, waits as long as nginx, and does not compress', () => {
    assert.ok(Number(/^\t+keepalive (\d+)s$/m.exec(caddy)?.[1]) < defaultTimeouts.idle / 1000)
    assert.match(caddy, /^\t+response_header_timeout 30s$/m)
    assert.doesNotMatch(caddy, /^\s*encode/m)
  })

  testWith(['caddy'], 'is valid', async () => {
    const args = ['validate', '--config', join(root, 'deploy/Caddyfile'), '--adapter', 'caddyfile']
    const { code, stderr } = await new Program(['caddy', ...args]).ended
    assert.equal(code, 0, stderr)
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
