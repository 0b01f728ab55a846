/** The Arazzo workflow in docs/, run by `redocly respect` against the live service. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { freshCategory } from '../support/expect.ts'
import { Folder, node, Program } from '../support/process.ts'
import { root } from '../support/project.ts'
import { testInFull } from '../support/scope.ts'
import { TestService } from '../support/service.ts'

const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js')
const workflow = join(root, 'docs/workflows/petstore.arazzo.yaml')

testInFull('an animal is added, found, ordered and sold, as the workflow says', async () => {
  using folder = new Folder()
  await using service = await TestService.start(node, folder.env)
  const respect = new Program([node, cli, 'respect', workflow], {
    env: {
      // In the environment rather than among the arguments, where every user of the machine could read the key.
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify({ apiKey: service.key, categoryId: freshCategory() }),
      REDOCLY_CLI_RESPECT_SERVER: `petstore=${service.url}/v1`,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  })
  const { code, stdout, stderr } = await respect.ended
  const said = stdout + stderr
  assert.equal(code, 0, said)
  assert.match(said, /Workflows: 1 passed, 1 total/)
  assert.ok(!said.includes(service.key), 'the key is not shown')
})
