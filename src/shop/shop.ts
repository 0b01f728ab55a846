/** The page for staff at /shop: it asks for an API key itself, and calls the operations that any client can. */

import { embeddedFile } from '../config/program.ts'
import type { PageReply } from '../http/handler.ts'
import { shared } from '../reference/docs.ts'
import { createPages, libraries, type Site } from '../reference/pages.ts'

const own = (name: string): URL => embeddedFile(name) ?? new URL(`page/${name}`, import.meta.url)

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

const ownFiles = [...styles, ...modules.map((name) => `${name}.js`)]

export const shop: Site = {
  path: '/shop',
  page: own('shop.html'),
  files: { ...shared, ...Object.fromEntries(ownFiles.map((name) => [name, own(name)])), ...libraries },
}

export const createShopPages = (): [string, PageReply][] => createPages(shop)
