/**
 * The rules that a pet store can be held against, as one table. A rule is an id, a title and steps; the line `>` above it
 * is the sentence that it comes from. A step is a request and what must come back:
 *
 *     METHOD /path body | Header: value | -Header not sent -> status Shape-or-error-code ; subject relation value
 *
 * A path that begins with `//` is outside of the version. A subject is a member (`.0.id`, `.*.id` of each), a header, `body`,
 * `next` or `cursor` (of the link to the next page) or a variable; `as` keeps it in a variable. `«a|b»` runs the rule once
 * for each. `have 21` sees to 21 animals in all, `pets 3 "categoryId":$cat` adds three. `::` stands between steps in one line.
 */
import { core } from './rules-core.ts'
import { full } from './rules-full.ts'
import { store } from './rules-store.ts'

export const levels = ['core', 'full', 'store'] as const
export type Level = (typeof levels)[number]

export interface Rule {
  readonly id: string
  readonly level: Level
  readonly title: string
  /** The sentence it comes from. */
  readonly source: string
  /** As written, with all alternatives. */
  readonly steps: readonly string[]
}

/** What is sent and what must come back, with variables still in it. */
export interface Step {
  /** Instead of a request: how many animals to add, and their members. */
  readonly add?: [count: number, members: string | undefined]
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly headers: readonly string[]
  readonly expected: readonly string[]
}

function read(level: Level, text: string): Rule[] {
  const found: (Rule & { steps: string[] })[] = []
  let source = ''
  for (const line of text.trim().split('\n')) {
    const [, id, title = '', first] = /^([a-z0-9.-]+): (.+?)(?: :: (.*))?$/.exec(line) ?? []
    if (line.startsWith('> ')) source = line.slice(2)
    else if (id) found.push({ id, level, title, source, steps: first?.split(' :: ') ?? [] })
    else found.at(-1)?.steps.push(...line.trim().split(' :: '))
  }
  return found
}

export const rules: readonly Rule[] = [...read('core', core), ...read('full', full), ...read('store', store)]

/** The steps of a rule, once for each alternative. */
export function runsOf({ steps }: Pick<Rule, 'steps'>): Step[][] {
  const alternatives = /«([^»]*)»/.exec(steps.join())?.[1]?.split('|') ?? ['']
  return alternatives.map((_, i) =>
    steps.map((step) => readStep(step.replace(/«([^»]*)»/g, (_, group: string) => group.split('|')[i] ?? ''))),
  )
}

export function readStep(text: string): Step {
  const [sent = '', back = ''] = text.split(' -> ')
  const [line = '', ...headers] = sent.split(' | ')
  const [, method = '', path = '', body] = /^(\S+) (\S+)(?: (.*))?$/s.exec(line) ?? []
  const step = { method, path, body, headers, expected: back.split(' ; ') }
  return method === 'have' || method === 'pets' ? { ...step, add: [Number(path), body] } : step
}
