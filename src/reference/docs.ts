/** The API reference at /docs, and the client that its samples use. */
import { readProjectFile } from '../config/program.ts'
import type { SiteReply } from '../http/site-route.ts'
import { pathPrefixOf, siteUrl } from '../http/urls.ts'
import { clientFile, clientFiles } from './client-files.ts'
import { groups } from './groups.ts'
import { errorsId, headersId, messagesId } from './html/book.ts'
import { guidePath } from './html/reference.ts'
import { sectionsOf } from './html/sections.ts'
import { documentPaths } from './openapi.ts'
import { createFile, createFiles, redirectTo, types } from './pages.ts'
import { createReference, type SiteOptions } from './site.ts'

export const guidesPath = 'docs/guides.md'

/** The pages after those of the groups. */
const otherIds = [messagesId, errorsId, headersId, 'limits']

/** The guides as they are, which have the addresses of a service on this machine. */
const readGuides = (): string => readProjectFile(guidesPath).toString()

export function createDocsSite(options: SiteOptions): [string, SiteReply][] {
  const { publicUrl } = options
  const prefix = pathPrefixOf(publicUrl)
  const files = createFiles('/docs', prefix, ['docs.js', 'favicon.svg'])
  const guides = () =>
    readGuides()
      .replaceAll('http://127.0.0.1:8080/v1', publicUrl)
      .replaceAll('http://127.0.0.1:8080/', siteUrl(publicUrl, '/'))
  const openApiType = 'application/vnd.oai.openapi+json'
  return [
    ['/', redirectTo(`${prefix}/docs`)],
    // Browsers ask for it, whatever a page says.
    ['/favicon.ico', redirectTo(`${prefix}/docs/favicon.svg`)],
    ['/client.tgz', redirectTo(`${prefix}/${clientFile}`)],
    ...clientFiles.map((file): [string, SiteReply] => [
      `/${file}`,
      createFile(() => readProjectFile(`contracts/${file}`), 'application/gzip'),
    ]),
    ['/docs/guides.md', createFile(() => Buffer.from(guides()), types.md)],
    ...files.routes,
    ...createReference({
      ...options,
      path: '/docs',
      others: [
        ...sectionsOf(readGuides())[1].map(({ id }) => guidePath(id)),
        ...[...groups.map(({ id }) => id), ...otherIds].map((id) => `/${id}`),
      ],
      groups,
      guides,
      files,
      links: [
        { title: 'OpenAPI 3.1', href: prefix + documentPaths['3.1'], rel: 'service-desc', type: openApiType },
        { title: 'OpenAPI 3.0', href: prefix + documentPaths['3.0'], rel: 'service-desc', type: openApiType },
        { title: 'llms.txt', href: `${prefix}/llms.txt`, rel: 'alternate', type: 'text/plain' },
        { title: 'Guides as Markdown', href: `${prefix}/docs/guides.md`, rel: 'alternate', type: 'text/markdown' },
        { title: 'TypeScript client', href: `${prefix}/${clientFile}`, rel: 'related', type: 'application/gzip' },
        { title: 'Shop', href: `${prefix}/shop` },
      ],
    }),
  ]
}
