/** Checks a service against rules: sends their requests, compares the answers, and removes what was added. */
import { Answer } from './answer.ts'
import { compare, type Expected, expectItems, Mismatch } from './expect.ts'
import type { Json } from './json.ts'
import { type Lack, type Need, needs, removal } from './needs.ts'
import { listOf } from './pattern.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { curlOf, GET, type Request, toSend, withoutKey } from './request.ts'
import type { Level, Rule, Shop } from './rule.ts'
import { type Exchange, type Left, Session, type SessionOptions } from './session.ts'
import { Unchecked } from './unchecked.ts'

export interface Check extends Pick<Rule, 'id' | 'level' | 'title' | 'source'> {
  /**
   * `skip` means that the rule does not apply to this service, or not yet. `unchecked` means that it applies and could
   * not be checked.
   */
  readonly status: 'pass' | 'fail' | 'unchecked' | 'skip'
  readonly expected: string
  /** What came instead, or why the rule was not checked. */
  readonly actual: string
  /** A shell command that reproduces a failure. */
  readonly curl: string
  /**
   * The cause of a failure: which request was answered wrongly, and how. Failures with the same text have the same
   * cause.
   */
  readonly cause: string
  readonly milliseconds: number
  /** Every request of a rule that failed. */
  readonly requests: readonly { readonly curl: string; readonly status?: number; readonly milliseconds: number }[]
}

interface RunOptions extends SessionOptions {
  readonly rules: readonly Rule[]
  /** The level whose operations the service must have. A check of an operation that it lacks then fails. */
  readonly demanded: Level
  /** Called with each check, in the order of the rules. */
  readonly report: (check: Check) => void
  /** Receives a line that says what is being done. */
  readonly progress?: (line: string) => void
}

/** The number of rules that run concurrently. Without this, a run against a distant service takes too long. */
const atATime = 8
/** The most pages that are read of one list. */
const pagesMax = 10_000

/** Runs the rules, and resolves with what could not be removed. */
export async function run(options: RunOptions): Promise<readonly Left[]> {
  const { rules, report, progress = () => {} } = options
  const session = new Session(options)
  let receiver: Promise<Receiver> | undefined
  try {
    const lacks = await probe(session, options, () => (receiver ??= openReceiver()))
    const open = await receiver
    const checks: (Check | undefined)[] = rules.map(() => undefined)
    let [done, reported] = [0, 0]
    progress(`0 of ${rules.length} checked`)
    async function check(index: number): Promise<void> {
      checks[index] = await checkRule(rules[index] as Rule, session, lacks, open)
      progress(`${++done} of ${rules.length} checked`)
      for (let next = checks[reported]; next; next = checks[reported]) {
        reported++
        report(next)
      }
    }
    // Rules of level `store` would count the rows that other rules add, so they run alone.
    const indexes = [...rules.keys()]
    const runsAlone = (index: number) => rules[index]?.level === 'store'
    const queue = indexes.filter((index) => !runsAlone(index)).values()
    const work = async () => {
      for (const index of queue) await check(index)
    }
    await Promise.all(Array.from({ length: atATime }, work))
    for (const index of indexes.filter(runsAlone)) await check(index)
    progress('removing what was added')
    return await session.removeAdded()
  } finally {
    await (await receiver)?.close()
  }
}

type Lacks = ReadonlyMap<Need, Lack>

/** Asks the service once about everything that the rules need. */
async function probe(
  session: Session,
  { rules, demanded, progress = () => {} }: RunOptions,
  receiver: () => Promise<Receiver>,
): Promise<Lacks> {
  const lacks = new Map<Need, Lack>()
  const { ask, have, category, clock } = session
  const probing = { ask, have, category, clock, receiver, isStoreDemanded: demanded === 'store' }
  const asked = new Set<Need>(rules.flatMap(({ needs = [] }) => needs))
  // Whether the service has codes and filters of ours matters to rules that do not need them.
  for (const name of ['codes', 'categoryId'] as const) if (rules.length > 0) asked.add(name)
  for (const name of Object.keys(needs) as Need[]) {
    if (!asked.has(name)) continue
    progress(`asking what the service has: ${name}`)
    // A probe that fails shows nothing, and the rules that need it show why.
    const lack = await needs[name](probing).catch((error: Error): Lack | undefined =>
      error instanceof Unchecked ? { status: 'unchecked', reason: error.message } : undefined,
    )
    if (lack) lacks.set(name, lack)
  }
  return lacks
}

/** Returns the reason not to check a rule, if there is one. */
function lackOf({ needs = [], since }: Rule, session: Session, lacks: Lacks): Lack | undefined {
  if (since !== undefined && session.clock() < since) return { status: 'skip', reason: `holds from ${dayOf(since)} on` }
  const found = needs.flatMap((need) => lacks.get(need) ?? [])
  return found.find(({ status }) => status === 'skip') ?? found[0]
}

async function checkRule(rule: Rule, session: Session, lacks: Lacks, receiver: Receiver | undefined): Promise<Check> {
  const { id, level, title, source } = rule
  const began = session.clock()
  const exchanges: Exchange[] = []
  const checkOf = (status: Check['status'], actual = ''): Check => {
    const milliseconds = session.clock() - began
    return { id, level, title, source, status, expected: '', actual, curl: '', cause: '', milliseconds, requests: [] }
  }
  const lack = lackOf(rule, session, lacks)
  if (lack) return checkOf(lack.status, lack.reason)
  try {
    await runRule(rule, session, lacks, exchanges, receiver)
    return checkOf('pass')
  } catch (error) {
    if (error instanceof Unchecked) return checkOf('unchecked', error.message)
    const shown = (text: string) => withoutKey(text, session.key).replace(/^(.{300}).+$/s, '$1…')
    const requests = exchanges.map(({ request, ...answered }) => {
      return { curl: curlOf(toSend(request, session.base, session.key), session.key), ...answered }
    })
    return {
      ...checkOf('fail', shown((error as Error).message)),
      expected: shown(error instanceof Mismatch ? error.expected : 'an answer'),
      curl: requests.at(-1)?.curl ?? '',
      cause: withoutKey(causeOf(error as Error, exchanges.at(-1)), session.key),
      requests,
    }
  }
}

/**
 * Describes what different rules see of one fault: the operation and what is wrong with its answer, without ids and
 * values.
 */
function causeOf(error: Error, last: Exchange | undefined): string {
  if (!(error instanceof Mismatch) || !last) return error.message
  const { method, path } = last.request
  const shape = path.replace(/\?.*/s, '').replace(/\/-?\d+(?=\/|$)/g, '/{id}')
  const member = error.expected
    .split(': ', 1)
    .join()
    .replace(/\[\d+\]/g, '[]')
  if (error.subject === 'message') return `what is sent to a webhook has another ${member}`
  const wrong = {
    status: `answers ${last.status}, not ${error.expected.replace(/ [a-z_]+$/, '')}`,
    body: `answers ${last.status} with another ${member.startsWith('body') ? member : 'body'}`,
    code: `answers ${last.status} with another code`,
  }
  const seen = wrong[error.subject as 'body'] ?? `answers ${last.status} with another ${error.subject}`
  return `${method} ${shape} ${seen}`
}

async function runRule(
  rule: Rule,
  session: Session,
  lacks: Lacks,
  exchanges: Exchange[],
  receiver: Receiver | undefined,
): Promise<void> {
  const ask: Session['ask'] = (request) => session.ask(request, (exchange) => exchanges.push(exchange))
  async function check(request: Request, expect: Expected): Promise<Answer> {
    const received = await ask(request)
    try {
      compare(received, expect)
    } catch (error) {
      // A service may have its own error codes. One rule is about the codes, and the other rules ignore them.
      const isCode = error instanceof Mismatch && error.subject === 'code' && rule.about !== 'codes'
      if (!isCode || !lacks.has('codes')) throw error
    }
    return new Answer(received, session.base)
  }
  const checkPages: Shop['checkPages'] = async (request, expected, enough = Number.POSITIVE_INFINITY) => {
    const items: Json[] = []
    for (let [path, pages] = [request.path, 1]; ; pages++) {
      const last = await check({ ...request, path }, { status: 200, body: listOf({}) })
      items.push(...(last.body as Json[]))
      // A feed always has a next page. At its end, that is the page itself.
      const next = last.hasNext ? last.next : path
      if (next === path || items.length >= enough) {
        expectItems(items, expected)
        return { items, last }
      }
      if (pages === pagesMax) throw new Unchecked(`the list has more than ${pagesMax} pages`)
      path = next
    }
  }
  if ('run' in rule) {
    await rule.run({
      key: session.key,
      base: session.base,
      has: (need) => !lacks.has(need),
      check,
      checkPages,
      add: (count, members = {}) => session.add(count, members, ask),
      async find(id, body) {
        const isThere = session.clock() < removal
        await check(GET(isThere ? `/pets/${id}` : `/pets?id=${id}`), { status: 200, body: isThere ? body : [body] })
      },
      name: session.name,
      category: session.category,
      inbox(...statuses) {
        if (!receiver) throw new Unchecked('there is no receiver of webhooks')
        return receiver.inbox(...statuses)
      },
      now: session.clock,
      wait: session.wait,
    })
    return
  }
  if (rule.have) await session.have(rule.have, ask)
  for (const { send, expect } of rule.steps) await check(send, expect)
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
