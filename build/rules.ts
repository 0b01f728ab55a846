/** Writes docs/contract.md from the rules of the kit: `npm run build:rules [-- FILE]`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Level, Rule } from '../conform/src/rule.ts'
import { rules } from '../conform/src/rules/rules.ts'

/**
 * The items that the interface calls “not shown”, in its order, and where this page or another one contains the answer.
 */
const gaps: readonly (readonly [gap: string, answer: string])[] = [
  [
    'Fields of a category record, and operations on categories',
    'A category is any int64 and may have a name: [Categories](#categories).',
  ],
  [
    'The default of `status` when an animal is added without one',
    '`available`: `create.status.default` under [Adding an animal](#adding-an-animal).',
  ],
  [
    'Transitions between the values of `status`',
    'An animal changes its status with [its order](#orders). While it has none, PATCH changes it: [Changing and removing animals](#changing-and-removing-animals).',
  ],
  [
    'How a client gets from one page to the next',
    'It follows the `Link` header, which contains a cursor. The body stays a bare array: [Listing animals](#listing-animals).',
  ],
  [
    'What happens if `limit` or `status` is outside of its range',
    '400 `invalid_parameter`: `list.limit.refused` and `list.status.refused` under [Listing animals](#listing-animals).',
  ],
  [
    'How GET /pets replaces getPet, because the `status` filter alone finds no single animal',
    'The filter `id`: `list.id` under [Listing animals](#listing-animals).',
  ],
  ['Parameters, body and responses of GET /store/orders', '[Orders](#orders).'],
  [
    'Which operations are marked `x-stability`',
    'Every operation and parameter that the interface does not have. Those of level `store` are `beta`, except for `GET /store/sales`, which is `experimental`.',
  ],
  [
    'How API keys are issued, how long they live, and what they may do',
    'A command issues them. They do not expire unless the command says when, and there are seven scopes: [decision 10](decisions/10-api-keys.md). Responses: [Keys](#keys).',
  ],
  ['Events: kinds, delivery and payload', '[Events](#events) in a list and a stream, and [Webhooks](#webhooks).'],
  [
    'The values of `code`',
    'One list, which the OpenAPI document contains as `x-extensible-enum`: `error.codes` under [Errors](#errors).',
  ],
  [
    'Rate limits',
    'None unless the operator sets one; then 429 `rate_limited` with `Retry-After`: [decision 11](decisions/11-rate-limits.md). No rule checks it, because most services have no limit.',
  ],
  ['Size limits of request bodies', '64 KiB: `body.max` and `body.large` under [Adding an animal](#adding-an-animal).'],
  [
    'Which error comes first if a request is wrong in several ways',
    '401 before all others: `auth.first`. The whole order: [decision 3](decisions/03-order-of-checks.md).',
  ],
]

interface Section {
  readonly title: string
  /** The parts of the ids of its rules before the dot. */
  readonly prefixes: readonly string[]
  readonly records: readonly string[]
}

const sections: readonly Section[] = [
  { title: 'Keys', prefixes: ['auth', 'me'], records: ['10-api-keys', '03-order-of-checks'] },
  { title: 'Errors', prefixes: ['error'], records: ['04-errors'] },
  { title: 'Listing animals', prefixes: ['list'], records: ['06-pages', '07-search'] },
  {
    title: 'Adding an animal',
    prefixes: ['create', 'body', 'idempotency'],
    records: ['05-exact-json', '08-idempotency'],
  },
  { title: 'Getting one animal', prefixes: ['get'], records: ['09-removal-of-getpet'] },
  {
    title: 'Changing and removing animals',
    prefixes: ['change', 'remove', 'match'],
    records: ['20-caching-and-versions'],
  },
  { title: 'Orders', prefixes: ['order', 'orders'], records: ['12-orders', '07-search'] },
  { title: 'Categories', prefixes: ['category'], records: ['13-categories'] },
  { title: 'Counts and sales', prefixes: ['inventory', 'sales'], records: ['14-counts'] },
  { title: 'Events', prefixes: ['event'], records: ['15-events'] },
  { title: 'Webhooks', prefixes: ['webhook'], records: ['16-webhooks'] },
  {
    title: 'HTTP',
    prefixes: ['http', 'cache', 'version', 'open'],
    records: ['02-no-framework', '20-caching-and-versions'],
  },
]

const origins: Record<Level, string> = {
  core: 'The interface says, under',
  full: 'The interface leaves this open.',
  store: 'The interface does not have this.',
}

const prefixOf = ({ id }: Rule) => id.slice(0, id.indexOf('.'))

/** The rules of each sentence, in the order of the kit. A group belongs to the section of its first rule. */
const groups = [...Map.groupBy(rules, ({ level, source }) => `${level} ${source}`).values()]

const cellOf = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function groupText(group: readonly Rule[]): string {
  const [{ level, source } = { level: 'core', source: '' } as const] = group
  const sentence = source.replace(/^Decision: /, '')
  const rows = group.map(({ id, title }) => `| \`${id}\` | ${cellOf(title)} |`)
  return `*${origins[level]}* ${sentence}\n\n| rule | what it checks |\n|-|-|\n${rows.join('\n')}\n`
}

function sectionText({ title, prefixes, records }: Section): string {
  const own = groups.filter(([first]) => first && prefixes.includes(prefixOf(first)))
  const links = records.map((record) => `[decision ${Number(record.slice(0, 2))}](decisions/${record}.md)`)
  return `## ${title}\n\nWhy it is so: ${links.join(', ')}.\n\n${own.map(groupText).join('\n')}`
}

for (const [first] of groups) {
  const holders = sections.filter(({ prefixes }) => first && prefixes.includes(prefixOf(first)))
  if (holders.length !== 1)
    throw new Error(
      `${first?.id}: add the part of the id before the dot to the prefixes of a section in build/rules.ts`,
    )
}

const page = `<!-- Written by \`npm run build:rules\` from the rules in conform/src/rules. Change those. -->

# Contract

This page is for developers who write a client or another implementation of the pet store, and for contributors who want to know what a test holds the service to.

The published interface of the pet store, version 1.0.0, has three operations and leaves much open. This page lists what it says, what it leaves open, and how this service answers. Every row of the tables below is a rule that [\`petstore conform\`](conformance.md) checks against any service.

*${origins.core} …* marks a sentence of the interface (level \`core\`). *${origins.full}* marks our answer to a gap (level \`full\`). *${origins.store}* marks an operation that we have added (level \`store\`). The [decisions](decisions/README.md) say why, and what else was considered. The [guides](guides.md) show how to use it.

## What the interface leaves open

| the interface does not show | answer |
|-|-|
${gaps.map(([gap, answer]) => `| ${gap} | ${answer} |`).join('\n')}

${sections.map(sectionText).join('\n')}`

writeFileSync(process.argv[2] ?? join(import.meta.dirname, '../docs/contract.md'), page)
