/**
 * Refuses a tag that cannot be released: `npm run release:check -- TAG`, in a checkout with its tags and branches. It
 * needs no installed package, so that the workflow can run it first.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pageOf, sectionOf } from './release-notes.ts'

const tag = process.argv[2] ?? ''
const version = tag.replace(/^v/, '')
const faults: string[] = []
// GitHub sets this to OWNER/NAME. npm refuses a package whose repository is not the one that publishes it.
const { GITHUB_REPOSITORY } = process.env

for (const file of ['package.json', 'client/package.json', 'conform/package.json']) {
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  if (tag !== `v${manifest.version}`) faults.push(`${file} has the version ${manifest.version}.`)
  const page = pageOf(manifest.repository.url)
  if (GITHUB_REPOSITORY !== undefined && !page.endsWith(`/${GITHUB_REPOSITORY}`))
    faults.push(`${file} names the repository ${page}, and this is ${GITHUB_REPOSITORY}.`)
}
if (sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version)?.date === undefined)
  faults.push(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)".`)
if (spawnSync('git', ['merge-base', '--is-ancestor', `refs/tags/${tag}`, 'origin/main']).status !== 0)
  faults.push('The tag is not on the branch main.')

if (faults.length > 0) {
  process.stderr.write(`${tag} cannot be released:\n${faults.map((fault) => `- ${fault}\n`).join('')}`)
  process.exitCode = 1
}
