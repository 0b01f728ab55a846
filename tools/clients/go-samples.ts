/**
 * Writes the Go samples of the document, checks and compiles all of them, and runs them. `npm test` runs those in other
 * languages.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import another from './another.json' with { type: 'json' }
import document from './openapi.json' with { type: 'json' }

interface Operation {
  operationId: string
  parameters?: { in: string; example?: unknown }[]
  'x-codeSamples': { lang: string; source: string }[]
}

const ids: string[] = []
for (const methods of Object.values<Record<string, Operation>>(document.paths))
  for (const [method, { operationId, parameters = [], 'x-codeSamples': samples }] of Object.entries(methods)) {
    let source = samples.find(({ lang }) => lang === 'Go')?.source ?? ''
    // A sample that changes something names an id that no store has. The body of an order contains the id of an animal.
    const given = [...parameters.filter((each) => each.in === 'path').map(({ example }) => example), 42]
    source = source.replaceAll('999999999999', () => String(given.shift()))
    for (const [of, from = '', to = ''] of another)
      if (of === method.toUpperCase()) source = source.replace(`${from}"`, `${to}"`)
    mkdirSync(`samples/${operationId}`, { recursive: true })
    writeFileSync(`samples/${operationId}/main.go`, source)
    ids.push(operationId)
  }
const run = (file: string, ...args: string[]) => execFileSync(file, args, { encoding: 'utf8', timeout: 600_000 })
const ill = run('gofmt', '-l', 'samples')
if (ill) throw new Error(`gofmt would write these otherwise: ${ill}`)
run('go', 'vet', './samples/...')
run('go', 'build', '-ldflags=-s -w', '-o', 'programs/', './samples/...')
// The stream never ends, and it is not known before which deliveries exist.
for (const id of ids.filter((id) => id !== 'streamEvents' && id !== 'redeliver')) {
  const output = run(`programs/${id}`)
  if (/^\{"code":/.test(output)) throw new Error(`${id}: ${output}`)
}
