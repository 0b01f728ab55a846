/**
 * Builds URLs: those of operations are below PUBLIC_URL, which ends in the version, and those of pages are beside it.
 */

export const versionPrefix = '/v1'

/** The URL of a page, or of anything else outside the version. */
export const siteUrl = (publicUrl: string, path = ''): string => publicUrl.slice(0, -versionPrefix.length) + path

/** The prefix in the path of PUBLIC_URL, such as `/api` in `https://shop.example/api/v1`. Usually it is empty. */
export const pathPrefixOf = (publicUrl: string): string => siteUrl(new URL(publicUrl).pathname)
