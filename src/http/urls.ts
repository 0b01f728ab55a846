/** Where things are: operations under PUBLIC_URL, which ends in the version, and pages beside that. */

export const versionPrefix = '/v1'

/** The URL of a page, or of anything else outside the version. */
export const siteUrl = (publicUrl: string, path = ''): string => publicUrl.slice(0, -versionPrefix.length) + path

/** What the paths of PUBLIC_URL have in front: `/api` of `https://shop.example/api/v1`, mostly nothing. */
export const pathPrefixOf = (publicUrl: string): string => siteUrl(new URL(publicUrl).pathname)
