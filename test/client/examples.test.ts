/** The programs in examples/, run as the README says, on Node and on Bun. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Folder, Program, runtimes } from '../support/process.ts'
import { root } from '../support/project.ts'
import { describeInFull } from '../support/scope.ts'
import { TestService } from '../support/service.ts'

describeInFull('the examples', () => {
  for (const [name, runtime] of runtimes)
    test(`do what they say on ${name}`, async () => {
      using folder = new Folder()
      const service = await TestService.start(runtime, folder.env)
      const run = async (program: string, ...args: string[]): Promise<string> => {
        const env = { PETSTORE_URL: `${service.url}/v1`, PETSTORE_KEY: service.key }
        const { code, stdout, stderr } = await new Program([runtime, join(root, 'examples', program), ...args], { env })
          .ended
        assert.equal(code, 0, stderr)
        return stdout
      }
      try {
        const full = '1: Rex, category 1\n2: Ada, category 1\n3: Whiskers, category 2\n'
        assert.equal(await run('fill-a-shop.ts'), full)
        assert.equal(await run('fill-a-shop.ts'), full, 'a second run adds nothing')
        const sales = await Promise.all([run('sell-an-animal.ts'), run('sell-an-animal.ts')])
        assert.equal(new Set(sales.map((sale) => sale.split(' ')[0])).size, 2, `two customers, two animals: ${sales}`)
        assert.match(await run('sell-an-animal.ts'), /is sold/)
        assert.equal(await run('sell-an-animal.ts'), 'nothing is left to sell\n')
        assert.equal(await run('sync-a-catalogue.ts', 'Max', 'Eve'), '2 added, 0 removed, 0 kept\n')
        assert.equal(await run('sync-a-catalogue.ts', 'Eve', 'Bob', 'Tim'), '2 added, 1 removed, 1 kept\n')
        const { text } = await service.call('GET', '/pets?categoryId=9007199254740993')
        assert.deepEqual(
          [...text.matchAll(/"name":"(\w+)"/g)].map(([, pet]) => pet),
          ['Eve', 'Bob', 'Tim'],
        )
      } finally {
        await service.stop()
      }
    })
})
