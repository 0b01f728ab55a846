/** The API reference at /docs: a page that shows whatever is in the OpenAPI document. */

import { embeddedFile } from '../config/program.ts'
import type { PageReply } from '../http/handler.ts'
import { createPages, libraries, type Read, redirectTo, type Site } from './pages.ts'

const own = (name: string): URL => embeddedFile(name) ?? new URL(`docs/${name}`, import.meta.url)

const named = (names: readonly string[]): Record<string, URL> =>
  Object.fromEntries(names.map((name) => [name, own(name)]))

/** The colours, controls and icon of every page. */
export const shared: Readonly<Record<string, URL>> = named(['variables.css', 'controls.css', 'favicon.svg'])

const modules = [
  'docs',
  'base',
  'contract',
  'markdown',
  'schema',
  'code',
  'responses',
  'operation',
  'request',
  'panel',
  'key',
  'side',
]

export const docs: Site = {
  path: '/docs',
  page: own('index.html'),
  files: {
    ...shared,
    ...named(['docs.css', 'operations.css', 'samples.css', ...modules.map((name) => `${name}.js`)]),
    ...libraries,
  },
}

/** The page and its files, by path; `read` reads a file. */
export const createDocsPages = (read?: Read): ReadonlyMap<string, PageReply> =>
  new Map([['/', redirectTo('/docs')], ...createPages(docs, read)])
