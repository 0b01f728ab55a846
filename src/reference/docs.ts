/** The API reference at /docs: a page that shows whatever is in the OpenAPI document, and the guides; and the client that its samples install. */

import { embeddedFile, programVersion } from '../config/program.ts'
import type { SiteReply } from '../http/handler.ts'
import type { Read } from './modules.ts'
import {
  createSite,
  type File,
  fileFrom,
  fileReply,
  libraries,
  pageFile,
  readNow,
  redirectTo,
  type Site,
} from './pages.ts'

const own = (name: string): URL => pageFile(new URL('docs/', import.meta.url), name)

const named = (...names: string[]): Record<string, URL> => Object.fromEntries(names.map((name) => [name, own(name)]))

/** The colours, controls and icon of every page. */
export const shared: Readonly<Record<string, URL>> = named('variables.css', 'controls.css', 'favicon.svg')

/** A file of the project from elsewhere; build/pages.ts puts it beside this file of the package. */
const projectFile = (path: string, name: string): URL =>
  embeddedFile(name) ?? new URL(import.meta.url.endsWith('.ts') ? `../../${path}` : name, import.meta.url)

/** Our client as `npm pack` made it, of the version of the program. */
export const clientFile = projectFile(`contracts/client-${programVersion()}.tgz`, 'client.tgz')

export const guidesFile = projectFile('docs/guides.md', 'guides.md')

export const docs: Site = {
  path: '/docs',
  page: own('index.html'),
  files: {
    ...shared,
    ...named('docs.css', 'operations.css', 'samples.css', 'docs.js'),
    'guides.md': guidesFile,
    ...libraries,
  },
}

/** The page and its files, by path, and the client for `npm install`; `pathPrefix` is that of PUBLIC_URL, `read` reads a file. */
export function createDocsSite(pathPrefix: string, read: Read = readNow): ReadonlyMap<string, SiteReply> {
  let client: File | undefined
  const clientReply: SiteReply = async (incoming) => {
    client ??= fileFrom(await read(clientFile))
    return fileReply(client, { type: 'application/gzip' }, incoming)
  }
  return new Map([
    ['/', redirectTo(`${pathPrefix}/docs`)],
    // Browsers ask for it, whatever a page says.
    ['/favicon.ico', redirectTo(`${pathPrefix}/docs/favicon.svg`)],
    ['/client.tgz', clientReply],
    ...createSite(docs, pathPrefix, read),
  ])
}
