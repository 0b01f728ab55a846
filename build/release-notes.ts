/** Prints what CHANGELOG.md says about this version, as the notes of its release: `npx node build/release-notes.ts`. */
import { readFileSync } from 'node:fs'

interface Section {
  /** The day of the release, if the section contains one. */
  readonly date: string | undefined
  readonly text: string
}

/** Returns the section of a version, without its heading. */
export function sectionOf(changelog: string, version: string): Section | undefined {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((each) => each.startsWith(`${version} (`))
  if (section === undefined) return undefined
  const [heading = '', ...lines] = section.split('\n')
  const [, date] = /\((\d{4}-\d\d-\d\d)\)$/.exec(heading) ?? []
  return { date, text: lines.join('\n').trim() }
}

/** The page of a release is elsewhere, so links to files of the repository are replaced by links to this version. */
const linksAt = (text: string, url: string): string => text.replaceAll(/\]\((?!#|[a-z]+:)([^)]+)\)/g, `](${url}/$1)`)

/** Returns the address of a `repository` in package.json for browsers. */
export const pageOf = (url: string): string => url.replace(/^git\+/, '').replace(/\.git$/, '')

if (import.meta.main) {
  const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8'))
  const section = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version)
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`)
  process.stdout.write(`${linksAt(section.text, `${pageOf(repository.url)}/blob/v${version}`)}\n`)
}
