/** Finds the operations for a path. */
import type { Operation } from './operation.ts'

export interface Route {
  readonly path: string
  /** The path with the prefix, which the log and the metrics use. */
  readonly label: string
  readonly operations: ReadonlyMap<string, Operation>
  readonly pattern: RegExp
  readonly names: readonly string[]
}
export interface Match {
  readonly route: Route
  /** Path parameters as sent, in the order of the path. */
  readonly texts: readonly string[]
}

/** Paths are looked up without the prefix. */
export function createRouter(operations: readonly Operation[], prefix: string): (path: string) => Match | undefined {
  const routes = [...Map.groupBy(operations, (operation) => operation.path)].map(([path, group]): Route => {
    const source = path.replaceAll(/\{\w+\}/g, '([^/]+)')
    return {
      path,
      label: prefix + path,
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
