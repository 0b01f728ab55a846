/** `/.well-known/api-catalog`: where the API, its documents and its state are, after RFC 9727. */
import type { SiteReply } from '../http/site-route.ts'
import { siteUrl } from '../http/urls.ts'
import { documentPaths } from './openapi.ts'
import { createFile } from './pages.ts'

export const createApiCatalog = (publicUrl: string): SiteReply =>
  createFile(
    () => Buffer.from(JSON.stringify({ linkset: [linksFrom(publicUrl)] })),
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  )

function linksFrom(publicUrl: string): object {
  const link = (path: string, type: string) => ({ href: siteUrl(publicUrl, path), type })
  return {
    anchor: publicUrl,
    'service-desc': [
      ...Object.entries(documentPaths).map(([version, path]) =>
        link(path, `application/vnd.oai.openapi+json;version=${version}`),
      ),
    ],
    'service-doc': [link('/docs', 'text/html'), link('/llms.txt', 'text/plain')],
    status: [link('/readyz', 'application/json')],
  }
}
