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
  /** Sends a request, and throws unless the answer is as expected. */
  check(send: Request, expect: Expected): Promise<Answer>
  /**
   * Reads a list from this page to the last one, or until it has `enough` items, because a page may be short or empty
   * although another one follows. Throws unless all items together are as expected.
   */
  checkPages(send: Request, items: Pattern, enough?: number): Promise<{ items: readonly Json[]; last: Answer }>
  /** Adds animals one after another, so that their ids rise, and returns the ids. */
  add(count: number, members?: object): Promise<readonly bigint[]>
  /** Reads one animal by its path, or by the filter `id` after the operation was removed. */
  find(id: bigint, body: Expected['body']): Promise<void>
  /** Returns a name that nothing else has. */
  name(): string
  /** Returns a category that nothing else has. */
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
  /**
   * What the service must have and the key must be allowed to do so that the rule can be checked. It does not include
   * the thing that the rule is about.
   */
  readonly needs?: readonly Need[]
  /** Set for rules about error codes. Other rules ignore the code of an error if the service has its own codes. */
  readonly about?: 'codes'
  /** The day from which the rule holds. */
  readonly since?: number
}
/** A rule that consists of requests, which are sent one after another and must be answered as expected. */
interface Steps extends Described {
  /** The number of animals that must exist. */
  readonly have?: number
  readonly steps: readonly Step[]
}
/** A rule that uses a value of an earlier answer, or a value that is new in each run. */
interface Run extends Described {
  readonly run: (shop: Shop) => Promise<unknown>
}

export type Rule = (Steps | Run) & {
  readonly level: Level
  /** The sentence of the interface or of a decision that the rule comes from. */
  readonly source: string
}

/** Makes the rules that come from one sentence. */
export const from = (level: Level, source: string, rules: readonly (Steps | Run)[]): Rule[] =>
  rules.map((rule) => ({ ...rule, level, source }))

/** Expects the same answer to several requests. */
export const each = (requests: readonly Request[], expect: Expected): Step[] =>
  requests.map((send) => ({ send, expect }))
