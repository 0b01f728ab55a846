/** The page for staff at /shop: it asks for an API key itself, and calls the operations that any client can. */

import type { SiteReply } from '../http/handler.ts'
import { shared } from '../reference/docs.ts'
import { createSite, libraries, pageFile, type Site } from '../reference/pages.ts'

const own = (name: string): URL => pageFile(new URL('page/', import.meta.url), name)

export const shop: Site = {
  path: '/shop',
  page: own('shop.html'),
  files: {
    ...shared,
    ...Object.fromEntries(['shop.css', 'sheets.css', 'shop.js'].map((name) => [name, own(name)])),
    ...libraries,
  },
}

export const createShopSite = (pathPrefix: string): [string, SiteReply][] => createSite(shop, pathPrefix)
