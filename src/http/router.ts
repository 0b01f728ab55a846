/** Finds the operations of a path. */
import type { Operation } from './operation.ts'

interface Route<S> {
  readonly path: string
  /** The declared path with its prefix, which the log and the metrics use. */
  readonly label: string
  readonly operations: ReadonlyMap<string, Operation<S>>
  readonly pattern: RegExp
}

/** The methods of a path at this time, as the Allow header lists them. */
export function allowOf(operations: ReadonlyMap<string, Operation<never>>, now: number): string {
  const methods: string[] = []
  for (const [method, { removedAt }] of operations)
    if (now < removedAt) methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

interface Match<S> {
  readonly route: Route<S>
  readonly texts: Readonly<Record<string, string>>
}

/** Paths are looked up without `basePath`. */
export function createRouter<S>(
  operations: readonly Operation<S>[],
  basePath: string,
): (path: string) => Match<S> | undefined {
  const routes = [...Map.groupBy(operations, (operation) => operation.path)].map(([path, group]): Route<S> => {
    const source = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    return {
      path,
      label: basePath + path,
      operations: new Map(group.map((operation) => [operation.method, operation])),
      pattern: new RegExp(`^${source}$`),
    }
  })
  const open = routes.filter(({ path }) => path.includes('{'))
  const fixed = new Map(
    routes.filter((route) => !open.includes(route)).map((route) => [route.path, { route, texts: {} }]),
  )

  return function findRoute(path) {
    const match = fixed.get(path)
    if (match) return match
    for (const route of open) {
      const found = route.pattern.exec(path)
      if (found) return { route, texts: found.groups ?? {} }
    }
    return undefined
  }
}
