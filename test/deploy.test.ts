/** The examples in deploy/ and the page on operating name settings, files and services that exist. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { loadConfig, settings } from '../src/config.ts'
import { Folder } from './support/process.ts'
import { projectFile, root } from './support/project.ts'

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

describe('deploy/', () => {
  const dockerfile = projectFile('deploy/Dockerfile')
  const compose = projectFile('deploy/compose.yaml')
  const unit = projectFile('deploy/petstore.service')

  test('the Dockerfile sets settings there are, and runs the program', () => {
    const [[, line = ''] = []] = matches(dockerfile, /^ENV (.+)$/gm)
    accepts(Object.fromEntries(line.split(' ').map((pair) => pair.split('=', 2))))
    assert.match(dockerfile, /^ENTRYPOINT \["node", "--max-semi-space-size=8", "\/app\/src\/main\.ts"\]$/m)
    assert.match(dockerfile, /^USER node$/m)
    const { engines } = JSON.parse(projectFile('package.json'))
    const least = Number(/\d+/.exec(engines.node)?.[0])
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

  test('the instances of the compose file have settings there are', () => {
    const [[, block = ''] = []] = matches(compose, /^ {2}environment: &settings\n((?: {4}.+\n)+)/gm)
    const env = matches(block, /^ {4}(\w+): "?(.+?)"?$/gm).map(([, name, value = '']) => [
      name,
      value.replace(/\$\{\w+:\?[^}]*\}/, 'secret').replace(/\$\{\w+:-([^}]*)\}/, '$1'),
    ])
    assert.ok(env.length > 0)
    accepts(Object.fromEntries(env))
  })

  test('the proxy knows every instance, and waits as long as the service keeps a connection', () => {
    const instances = matches(compose, /^ {2}(petstore-\d+):$/gm).map(([, name]) => `${name}:8080`)
    const upstream = matches(projectFile('deploy/nginx.conf'), /^ +server (petstore\S+)/gm).map(([, name]) => name)
    assert.deepEqual(upstream, instances)
  })

  test('the systemd unit sets settings there are, and keeps its database in its own folder', () => {
    const env = Object.fromEntries(
      matches(unit, /^Environment=(\w+)=(.*)$/gm).map(([, name = '', value = '']) => [name, value]),
    )
    accepts(env)
    const [[, state] = []] = matches(unit, /^StateDirectory=(.+)$/gm)
    assert.equal(dirname(env.DATABASE_URL?.slice('sqlite:'.length) ?? ''), `/var/lib/${state}`)
    assert.match(unit, /^ExecStart=\S+\/node --max-semi-space-size=8 \/opt\/petstore\/src\/main\.ts serve$/m)
  })
})

describe('docs/operating.md', () => {
  const page = projectFile('docs/operating.md')

  test('has the table of settings as the program has it', () => {
    const section = page.split('\n## ').find((text) => text.startsWith('Settings')) ?? ''
    const table = matches(section, /^\| `.+\|$/gm).map(([row = '']) => row.replaceAll(/ +/g, ' '))
    const expected = Object.entries(settings).map(
      ([name, [fallback, meaning]]) => `| \`${name}\` | ${fallback && `\`${fallback}\` `}| ${meaning} |`,
    )
    assert.deepEqual(table, expected)
  })

  test('links to files that are there', () => {
    for (const file of ['docs/operating.md', 'deploy/README.md'])
      for (const [, link = ''] of matches(projectFile(file), /\]\(([^)#]+)\)/g))
        assert.ok(existsSync(join(root, dirname(file), link)), `${file}: ${link}`)
  })
})
