/** Finds the operations of a path. */
import type { Operation } from './operation.ts'
import { versionPrefix } from './urls.ts'

/** The operations of one path, by method. */
export interface Route<S> {
  readonly path: string
  /** The path with the version, which the log and the metrics use. */
  readonly label: string
  readonly operations: ReadonlyMap<string, Operation<S>>
  readonly pattern: RegExp
  readonly names: readonly string[]
}

interface Match<S> {
  readonly route: Route<S>
  /** Path parameters as sent, in the order of the path. */
  readonly texts: readonly string[]
}

/** Paths are looked up without the version. */
export function createRouter<S>(operations: readonly Operation<S>[]): (path: string) => Match<S> | undefined {
  const routes = [...Map.groupBy(operations, (operation) => operation.path)].map(([path, group]): Route<S> => {
    const source = path.replaceAll(/\{\w+\}/g, '([^/]+)')
    return {
      path,
      label: versionPrefix + path,
      operations: new Map(group.map((operation) => [operation.method, operation])),
      pattern: new RegExp(`^${source}$`),
      names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    }
  })
  const fixed = new Map(
    routes.filter(({ names }) => names.length === 0).map((route) => [route.path, { route, texts: [] }]),
  )
  const open = routes.filter(({ names }) => names.length > 0)

  return (path) => {
    const match = fixed.get(path)
    if (match) return match
    for (const route of open) {
      const found = route.pattern.exec(path)
      if (found) return { route, texts: found.slice(1) }
    }
    return undefined
  }
}
