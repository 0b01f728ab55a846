/** The API reference at /docs. */
import type { OpenPage } from '../http/handler.ts'
import { embeddedFile } from '../program.ts'
import { createPages, type Read, redirectTo } from './pages.ts'

const own = (name: string): URL => embeddedFile(name) ?? new URL(`docs/${name}`, import.meta.url)
const swaggerUi = (name: string): URL => embeddedFile(name) ?? new URL(import.meta.resolve(`swagger-ui-dist/${name}`))

/** The colours and fonts of every page. */
export const variables = own('variables.css')
export const favicon = own('favicon.svg')

const files: Readonly<Record<string, URL>> = {
  'variables.css': variables,
  'docs.css': own('docs.css'),
  'reference.css': own('reference.css'),
  'operations.css': own('operations.css'),
  'responses.css': own('responses.css'),
  'docs.js': own('docs.js'),
  'plugin.js': own('plugin.js'),
  'favicon.svg': favicon,
  'swagger-ui.css': swaggerUi('swagger-ui.css'),
  'swagger-ui-bundle.js': swaggerUi('swagger-ui-bundle.js'),
}

/** The page and its files, by path; `read` reads a file. */
export const createDocsPages = (read?: Read): ReadonlyMap<string, OpenPage> =>
  new Map([['/', redirectTo('/docs')], ...createPages({ path: '/docs', page: own('index.html'), files }, read)])
