/** Keeps what a release promises, in contracts/: its OpenAPI document and its client, with the scenario that tests it. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installClient } from '../test/client/support/package.ts'
import { projectFile, root } from '../test/support/project.ts'

const { version } = JSON.parse(projectFile('package.json'))
if (readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## ${version} (20`))
  throw new Error(`${version} is released: what it promises stays as it is`)
copyFileSync(join(root, 'openapi.json'), join(root, `contracts/${version}.json`))
const client = await installClient()
try {
  const archive = join(root, `contracts/client-${version}.tgz`)
  const sameEveryTime = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  const notNeeded = ['src', 'LICENSE', 'README.md', '*.map', '.package-lock.json'].map((name) => `--exclude=${name}`)
  execFileSync('tar', [
    '--create',
    ...sameEveryTime,
    ...notNeeded,
    '--file',
    archive,
    '-I',
    'gzip -n9',
    '-C',
    client.path,
    '.',
  ])
} finally {
  client.remove()
}
