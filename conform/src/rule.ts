/** The types of a rule. */
import type { Answer } from './answer.ts'
import type { Expected } from './expect.ts'
import type { Json } from './json.ts'
import type { Need } from './needs.ts'
import type { Pattern } from './pattern.ts'
import type { Inbox } from './receiver.ts'
import type { Request } from './request.ts'

export const levels = ['core', 'full', 'store'] as const
export type Level = (typeof levels)[number]

export interface Step {
  readonly send: Request
  readonly expect: Expected
}

/** The service that is checked, as a rule sees it. */
export interface Shop {
  readonly key: string
  /** The base address, without a slash at its end. */
  readonly base: string
  /** Whether the service has something that the rule can use but does not need. */
  has(need: 'categoryId'): boolean
  /** Sends a request; throws unless it is answered as expected. */
  check(send: Request, expect: Expected): Promise<Answer>
  /**
   * Reads a list from this page on to its last, or until it has `enough` items, since a page may be short, or empty,
   * and still lead to the next one. Throws unless all items together are as expected.
   */
  checkPages(send: Request, items: Pattern, enough?: number): Promise<{ items: readonly Json[]; last: Answer }>
  /** Adds animals one after another, so that their ids rise; gives the ids. */
  add(count: number, members?: object): Promise<readonly bigint[]>
  /** Reads one animal: by its path, and by the filter `id` once that is removed. */
  find(id: bigint, body: Expected['body']): Promise<void>
  /** A name that nothing else has. */
  name(): string
  /** A category that nothing else has. */
  category(): bigint
  /** An address to send webhooks to. The first messages are answered with these statuses, all others with 204. */
  inbox(...statuses: readonly number[]): Inbox
  /** The time of the machine that runs the kit, in milliseconds. */
  now(): number
  wait(milliseconds: number): Promise<unknown>
}

interface Described {
  readonly id: string
  readonly title: string
  /** What the service must have and the key may do for the rule to be checked. Of a thing that it is about: nothing. */
  readonly needs?: readonly Need[]
  /** Other rules ignore the code of an error if the service has its own codes. */
  readonly about?: 'codes'
  /** The day from which it holds. */
  readonly since?: number
}
/** Requests that are sent one after another, each answered as expected. */
interface Steps extends Described {
  /** How many animals there must be. */
  readonly have?: number
  readonly steps: readonly Step[]
}
/** For what needs a value of an earlier answer, or one that is new in each run. */
interface Run extends Described {
  readonly run: (shop: Shop) => Promise<unknown>
}

export type Rule = (Steps | Run) & {
  readonly level: Level
  /** The sentence it comes from. */
  readonly source: string
}

/** The rules that come from one sentence. */
export const from = (level: Level, source: string, rules: readonly (Steps | Run)[]): Rule[] =>
  rules.map((rule) => ({ ...rule, level, source }))

/** The same expectation of several requests. */
export const each = (requests: readonly Request[], expect: Expected): Step[] =>
  requests.map((send) => ({ send, expect }))
