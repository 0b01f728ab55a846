/** The API reference at /docs, which shows the OpenAPI document and the guides, and the client that its samples use. */
import { programVersion, readProjectFile } from '../config/program.ts'
import type { SiteReply } from '../http/site-route.ts'
import { createFile, createPage, redirectTo } from './pages.ts'

/** The released versions of our client, this one last: a lockfile may have any. */
const clientVersions = [programVersion()]
/** As `npm pack` made them. */
export const clientFiles = clientVersions.map((version) => `client-${version}.tgz`)
export const clientFile = clientFiles.at(-1) as string

export const guidesPath = 'docs/guides.md'
/** The files that the page uses besides its own. */
export const guidesFile = { 'guides.md': guidesPath }

/** The page and its files, by path, and the client for `npm install`; `pathPrefix` is that of PUBLIC_URL. */
export function createDocsSite(pathPrefix: string): ReadonlyMap<string, SiteReply> {
  return new Map([
    ['/', redirectTo(`${pathPrefix}/docs`)],
    // Browsers ask for it, whatever a page says.
    ['/favicon.ico', redirectTo(`${pathPrefix}/docs/favicon.svg`)],
    ['/client.tgz', redirectTo(`${pathPrefix}/${clientFile}`)],
    ...clientFiles.map((file): [string, SiteReply] => [
      `/${file}`,
      createFile(() => readProjectFile(`contracts/${file}`), 'application/gzip'),
    ]),
    ...createPage('docs', pathPrefix, guidesFile),
  ])
}
