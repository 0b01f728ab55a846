/**
 * Stores what a release promises in contracts/: its OpenAPI document, its client as /client.tgz offers it, and the
 * scenario that tests it.
 */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFile, root } from '../harness/project.ts'
import { installClient } from '../test/client/support/package.ts'

const { version } = JSON.parse(projectFile('package.json'))
if (readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## ${version} (20`))
  throw new Error(`${version} is released: what it promises stays as it is`)
copyFileSync(join(root, 'openapi.json'), join(root, `contracts/${version}.json`))
const client = await installClient()
try {
  copyFileSync(client.tarball, join(root, `contracts/client-${version}.tgz`))
  copyFileSync(join(client.path, 'scenario.js'), join(root, `contracts/scenario-${version}.js`))
} finally {
  client.remove()
}
