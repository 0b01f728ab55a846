/** What the declarations of operations must hold beyond their types: a wrong one keeps the service from starting. */
import { parseJson } from '../schema/json.ts'
import { startOfDay } from './deprecation.ts'
import type { Operation } from './operation.ts'

/** Throws an error that contains a sentence for each problem. The sentence says what to change. */
export function checkDeclarations(operations: readonly Operation[]): void {
  const problems = [
    ...operations.flatMap(problemsOf),
    ...repeated(operations, ({ id }) => `the id ${id}`),
    ...repeated(operations, ({ method, path }) => `${method} ${path}`),
    ...alike(operations),
  ]
  if (problems.length > 0) throw new TypeError(`Wrong declarations of operations:\n${problems.join('\n')}`)
}

const pathPattern = /^(?:\/(?:[a-z][a-z-]*|\{\w+\}))+$/

function isDay(text: string): boolean {
  const start = startOfDay(text)
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text)
}

function problemsOf({
  id,
  method,
  path,
  params = {},
  query = {},
  body,
  bodyCheck,
  sampleQuery = [],
  answer,
  deprecated,
}: Operation): string[] {
  const problems: string[] = []
  const add = (text: string) => problems.push(`${id}: ${text}`)
  if (!pathPattern.test(path))
    add(`its path ${path} may have only /words and /{names}; remove /v1 before them and a slash at the end.`)
  for (const name of ['since', 'sunset'] as const)
    if (deprecated && !isDay(deprecated[name]))
      add(`deprecated has the ${name} ${deprecated[name]}; write a day as 2030-12-05.`)
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  for (const name of inPath) if (!(name in params)) add(`its path has {${name}}; declare it in params.`)
  for (const name of Object.keys(params))
    if (!inPath.includes(name)) add(`params has ${name}; put {${name}} into its path, or declare it in query.`)
  for (const name of sampleQuery) if (!(name in query)) add(`sampleQuery names ${name}; declare it in query.`)
  if (body && (method === 'GET' || method === 'DELETE')) add(`${method} has no body; remove it, or use another method.`)
  if (answer.schema && answer.example === undefined && answer.examples === undefined)
    add('its answer has a schema; declare an example of it.')
  for (const [name, example] of Object.entries(body?.examples ?? {})) {
    const checked = bodyCheck?.(parseJson(JSON.stringify(example)))
    for (const { text } of checked?.problems ?? []) add(`its example ${name} is refused by its own schema: ${text}.`)
  }
  return problems
}

function repeated(operations: readonly Operation[], nameOf: (operation: Operation) => string): string[] {
  return [...Map.groupBy(operations, nameOf)]
    .filter(([, group]) => group.length > 1)
    .map(([name, group]) => `${name} is declared ${group.length} times; give each operation its own.`)
}

function alike(operations: readonly Operation[]): string[] {
  const paths = new Set(operations.map(({ path }) => path))
  return [...Map.groupBy(paths, (path) => path.replaceAll(/\{\w+\}/g, '{}')).values()]
    .filter((group) => group.length > 1)
    .map((group) => `${group.join(', ')}: only the first would be found; use the same names in both.`)
}
