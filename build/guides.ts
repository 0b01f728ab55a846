/** Writes the walk-through of the workflows into the guides, from their table; a part of `npm run build:pages`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Step, type Value, type Workflow, workflows } from '../src/workflows/workflows.ts'

/** `$steps.addAnimal.outputs.petId` and `$inputs.url` are what a reader puts there. */
const shown = (value: Value): string => String(value).replace(/^\$.*\.(\w+)$/, '{$1}')

function requestOf({ operation, parameters = {}, body }: Step): string {
  const { method, path, params = {} } = operation
  const query = Object.entries(parameters).filter(([name]) => !(name in params))
  const target = path + query.map(([name, value], i) => `${i === 0 ? '?' : '&'}${name}=${shown(value)}`).join('')
  const json = body && JSON.stringify(body, (_, value) => (typeof value === 'string' ? shown(value) : value))
  const numbers = json?.replaceAll(/"(\{\w+Id\})"/g, '$1')
  return `\`${method} ${target}\`${numbers ? ` \`${numbers}\`` : ''}`
}

/** A request that an earlier workflow has shown is not shown again. */
const partOf = ({ title, text, steps }: Workflow, place: number, all: readonly Workflow[]): string => {
  const shown = new Set(all.slice(0, place).flatMap(({ steps }) => Object.values(steps)))
  const request = (step: Step) => (shown.has(step) ? '' : ` ${requestOf(step)}`)
  const lines = Object.values(steps).map((step, i) => `${i + 1}. ${step.text}${request(step)}\n`)
  return `**${title}**: ${text}\n\n${lines.join('')}`
}

export const walkThrough = `## Workflows

What one does in several steps; \`/arazzo.json\` has it for programs. \`{petId}\` is what an earlier response had.

${Object.values(workflows).map(partOf).join('\n')}
`

if (import.meta.main) {
  const file = join(import.meta.dirname, '../docs/guides.md')
  const guides = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    guides.replace(/^## Workflows\n.*?(?=^## )/ms, () => walkThrough),
  )
}
