/** What a rule is. */
import type { Answer } from './answer.ts'
import type { Expected } from './expect.ts'
import type { FeatureName } from './features.ts'
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
  /** As `2030-12-05`, in UTC. */
  readonly today: string
  /** Sends a request; throws unless it is answered as expected. */
  check(send: Request, expect: Expected): Promise<Answer>
  /** Adds animals one after another, so that their ids rise; gives the ids. */
  add(count: number, members?: object): Promise<readonly bigint[]>
  /** Reads one animal: by its path, and by the filter `id` once that is removed. */
  find(id: bigint, body: Expected['body']): Promise<void>
  /** A name that nothing else has. */
  name(): string
  /** A category that nothing else has. */
  category(): bigint
  wait(milliseconds: number): Promise<unknown>
}

interface Described {
  readonly id: string
  readonly title: string
  /** Where the service lacks this feature, other rules that use it are skipped; this one, which is about it, fails. */
  readonly about?: FeatureName
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
