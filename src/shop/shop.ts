/** The page for staff at /shop: it asks for an API key itself, and calls the operations that any client can. */
import type { OpenPage } from '../http/handler.ts'
import { embeddedFile } from '../program.ts'
import { favicon, variables } from '../reference/docs.ts'
import { createPages, type Site } from '../reference/pages.ts'

const own = (name: string): URL => embeddedFile(name) ?? new URL(`page/${name}`, import.meta.url)
const installed = ([specifier, name]: [string, string]): [string, URL] => [
  name,
  embeddedFile(name) ?? new URL(import.meta.resolve(specifier)),
]

const modules = [
  'shop',
  'api',
  'address',
  'catalogue',
  'changes',
  'events',
  'parts',
  'summary',
  'list',
  'chunk',
  'animal',
  'edit',
  'forms',
]
const styles = ['shop.css', 'sheets.css']

/** Modules of others, by the specifier that imports them. */
const specifiers = {
  preact: 'preact.js',
  'preact/hooks': 'hooks.js',
  '@preact/signals': 'signals.js',
  '@preact/signals-core': 'signals-core.js',
  htm: 'htm.js',
}

const ownFiles = [...styles, ...modules.map((name) => `${name}.js`)]

export const shop: Site = {
  path: '/shop',
  page: own('shop.html'),
  files: {
    'favicon.svg': favicon,
    'variables.css': variables,
    ...Object.fromEntries(ownFiles.map((name) => [name, own(name)])),
    ...Object.fromEntries(Object.entries(specifiers).map(installed)),
  },
  specifiers,
}

export const createShopPages = (): [string, OpenPage][] => createPages(shop)
