/** Clients that were released, with the scenario of their time, against the service of today. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaultScopes } from '../../src/model/key.ts'
import { freshCategory } from '../support/expect.ts'
import { Folder, node, Program } from '../support/process.ts'
import { root } from '../support/project.ts'
import { onEveryTarget, type TestService, targets } from '../support/service.ts'
import { FaultProxy, seeded } from './support/fault-proxy.ts'

const define = (service: () => TestService): void => {
  for (const archive of readdirSync(join(root, 'contracts')).filter((name) => name.endsWith('.tgz')))
    test(`does what it did: ${archive}`, async () => {
      using folder = new Folder()
      const path = join(folder.path, 'client')
      mkdirSync(path)
      execFileSync('tar', ['-xzf', join(root, 'contracts', archive), '-C', path])
      await using proxy = await FaultProxy.start(service().port, seeded(1))
      const surroundings = {
        baseUrl: `${service().url}/v1`,
        faultyUrl: proxy.url,
        apiKey: await service().makeKey({ scopes: [...defaultScopes, 'events:read'] }),
        category: String(freshCategory()),
      }
      const { code, stderr } = await new Program([node, join(path, 'run.js'), JSON.stringify(surroundings)]).ended
      assert.equal(code, 0, stderr)
    })
}

onEveryTarget('A released client', define, {}, targets.slice(0, 1))
