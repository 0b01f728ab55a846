/** Writes the list of checks in docs/conformance.md from the table of rules; `bench/conform.ts` writes what other services hold. */
import { readFileSync, writeFileSync } from 'node:fs'
import { levels, type Rule, rules } from '../src/conform/rules.ts'

const file = new URL('../docs/conformance.md', import.meta.url)

/** The page with another text between the marks of a part. */
export const withPart = (page: string, name: string, text: string): string =>
  page.replace(new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`), (_, begin, end) => `${begin}\n${text}\n\n${end}`)

export function checksPart(): string {
  const parts = levels.map((level) => {
    const own = rules.filter((rule) => rule.level === level)
    const lines = [...Map.groupBy(own, ({ source }) => source)].map(
      ([source, group]) => `${source}\n\n${group.map(item).join('\n')}`,
    )
    return `### Level ${level}: ${own.length} checks\n\n${lines.join('\n\n')}`
  })
  return parts.join('\n\n')
}

const item = ({ id, title }: Rule): string => `- \`${id}\`: ${title}`

export const writePart = (name: string, text: string): void =>
  writeFileSync(file, withPart(readFileSync(file, 'utf8'), name, text))

if (import.meta.main) writePart('checks', checksPart())
