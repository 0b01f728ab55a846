/** Released clients, with the scenario of their time, against the current service. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshCategory } from '../../harness/expect.ts'
import { Folder, node, Program } from '../../harness/process.ts'
import { projectFile, root } from '../../harness/project.ts'
import { describeInFull, test } from '../../harness/scope.ts'
import { onOneTarget, type TestService } from '../../harness/service.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { FaultProxy } from './support/fault-proxy.ts'
import { scenarioProgram, unpackClient } from './support/package.ts'

test('The service offers the client of the coming version, built from the current source [decision 25]', () => {
  const { version } = JSON.parse(projectFile('package.json'))
  assert.equal(JSON.parse(projectFile('client/package.json')).version, version)
  // A released client does not change any more.
  if (projectFile('CHANGELOG.md').includes(`## ${version} (20`)) return
  const archive = join(root, `contracts/client-${version}.tgz`)
  for (const path of [
    'package.json',
    'README.md',
    ...readdirSync(join(root, 'client/src')).map((name) => `src/${name}`),
  ])
    assert.equal(
      execFileSync('tar', ['-xzOf', archive, `package/${path}`], { encoding: 'utf8' }),
      projectFile(`client/${path}`),
      `${path}: npm run build:contract`,
    )
})

const define = (service: () => TestService): void => {
  for (const archive of readdirSync(join(root, 'contracts')).filter((name) => name.endsWith('.tgz')))
    test(`The released client ${archive} works as before, and does nothing twice through a network that fails [decision 25, 31]`, async () => {
      using folder = new Folder()
      unpackClient(archive, folder.path)
      const scenario = archive.replace('client', 'scenario').replace('.tgz', '.js')
      writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}')
      copyFileSync(join(root, 'contracts', scenario), join(folder.path, 'scenario.js'))
      const program = join(folder.path, 'run.js')
      writeFileSync(program, scenarioProgram)
      await using proxy = await FaultProxy.start(service().port, 1)
      const surroundings = {
        baseUrl: `${service().url}/v1`,
        faultyUrl: proxy.url,
        apiKey: await service().makeKey({ scopes: [...defaultScopes, 'events:read', 'webhooks:write'] }),
        category: String(freshCategory()),
      }
      await new Program([node, program, JSON.stringify(surroundings)]).succeeded
    })
}

describeInFull('released clients', () => onOneTarget('A released client', define))
