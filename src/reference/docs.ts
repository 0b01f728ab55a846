/** The API reference at /docs: a page that shows whatever is in the OpenAPI document. */

import type { SiteReply } from '../http/handler.ts'
import type { Read } from './modules.ts'
import { createSite, libraries, pageFile, redirectTo, type Site } from './pages.ts'

const own = (name: string): URL => pageFile(new URL('docs/', import.meta.url), name)

const named = (...names: string[]): Record<string, URL> => Object.fromEntries(names.map((name) => [name, own(name)]))

/** The colours, controls and icon of every page. */
export const shared: Readonly<Record<string, URL>> = named('variables.css', 'controls.css', 'favicon.svg')

export const docs: Site = {
  path: '/docs',
  page: own('index.html'),
  files: { ...shared, ...named('docs.css', 'operations.css', 'samples.css', 'docs.js'), ...libraries },
}

/** The page and its files, by path; `read` reads a file. */
export const createDocsSite = (read?: Read): ReadonlyMap<string, SiteReply> =>
  new Map([['/', redirectTo('/docs')], ...createSite(docs, read)])
