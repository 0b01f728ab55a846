/** The headers that announce the removal of a deprecated operation. */
import { type Deprecation, instantOf } from './operation.ts'

export function deprecationHeaders({ since, sunset, successor }: Deprecation, publicUrl: string): readonly string[] {
  const docs = `<${new URL(publicUrl).origin}/docs>`
  return [
    'Deprecation',
    `@${instantOf(since) / 1000}`,
    'Sunset',
    new Date(instantOf(sunset)).toUTCString(),
    'Link',
    `${docs}; rel="deprecation"; type="text/html", ${docs}; rel="sunset"; type="text/html", <${publicUrl}${successor}>; rel="successor-version"`,
  ]
}
