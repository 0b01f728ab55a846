/** What changed between two OpenAPI documents, in lines for people. Words and examples are left out. */

// biome-ignore lint/suspicious/noExplicitAny: a document is a tree of nodes of every shape.
type Tree = any
/** What is promised of each operation and each schema, a line each. */
type Promises = Map<string, Set<string>>

export function changesBetween(before: Tree, after: Tree): string[] {
  const [old, current] = [promisesOf(before), promisesOf(after)]
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((subject) => {
    const [was, is] = [old.get(subject), current.get(subject)]
    if (!was || !is) return `${was ? 'Removed' : 'Added'}: ${subject}`
    const gone = [...was.difference(is)].map((line) => `  - ${line}`)
    const lines = [...gone, ...[...is.difference(was)].map((line) => `  + ${line}`)]
    // What it is now stands below what it was.
    lines.sort((a, b) => keyOf(a).localeCompare(keyOf(b), 'en'))
    return lines.length === 0 ? [] : [`Changed: ${subject}`, ...lines]
  })
}

const keyOf = (line: string): string => line.slice(4).split(':', 1).join()

function promisesOf({ paths, components }: Tree): Promises {
  const promises: Promises = new Map()
  let say = (_line: string): unknown => undefined
  const begin = (subject: string): void => {
    const lines = new Set<string>()
    promises.set(subject, lines)
    say = (line) => lines.add(line)
  }
  const describe = (what: string, { enum: closed = [], 'x-extensible-enum': open = [], ...schema }: Tree): void => {
    say(`${what}: ${textOf(schema)}`)
    for (const value of [...closed, ...open]) say(`${what}: may be ${value}`)
  }
  for (const [path, item] of Object.entries<Tree>(paths))
    for (const [method, node] of Object.entries<Tree>(item)) {
      begin(`${node.operationId}, ${method.toUpperCase()} ${path}`)
      say(node['x-stability'] ?? 'stable')
      say(`scope: ${node['x-scope'] ?? 'any'}`)
      if (node.deprecated) say(`deprecated: removed on ${node['x-deprecated-sunset']}`)
      for (const { name, in: place, required, schema, 'x-stability': stability = 'stable' } of node.parameters)
        describe(`${name} (${place}, ${required ? 'required' : 'optional'}, ${stability})`, schema)
      for (const [type, { schema }] of Object.entries<Tree>(node.requestBody?.content ?? {}))
        say(`body: ${type}, ${textOf(schema)}`)
      for (const [status, own] of Object.entries<Tree>(node.responses)) {
        const { content = {} } = own.$ref ? components.responses[own.$ref.split('/').at(-1)] : own
        say(`answer: ${status}`)
        for (const { schema, example, examples = { one: { value: example } } } of Object.values<Tree>(content))
          if (Number(status) < 400) say(`answer: ${status}, ${textOf(schema)}`)
          else for (const { value } of Object.values<Tree>(examples)) say(`answer: ${status}, ${value.code}`)
      }
    }
  for (const [name, { properties = {}, required = [], ...schema }] of Object.entries<Tree>(components.schemas)) {
    begin(name)
    describe('itself', schema)
    for (const [member, node] of Object.entries<Tree>(properties))
      describe(`${member} (${required.includes(member) ? 'required' : 'optional'})`, node)
  }
  return promises
}

/** A schema in one line. */
function textOf({ $ref, type = '', format = '', description, examples, ...rest }: Tree): string {
  if ($ref) return $ref.split('/').at(-1)
  const text = (value: Tree): string =>
    Array.isArray(value) ? value.map(text).join(', ') : typeof value === 'object' ? textOf(value) : String(value)
  return [type, format, ...Object.entries(rest).map(([name, value]) => `${name} ${text(value)}`)]
    .filter(Boolean)
    .join(' ')
}
