/** Holds a service against rules: sends what they say, compares what comes back, and removes what was added. */
import { Answer } from './answer.ts'
import { compare, type Expected, Mismatch } from './expect.ts'
import { type FeatureName, features, removal } from './features.ts'
import { curlOf, GET, type Request, toSend, withoutKey } from './request.ts'
import type { Level, Rule, Shop } from './rule.ts'
import { Session, type SessionOptions } from './session.ts'

export interface Check extends Pick<Rule, 'id' | 'level' | 'title' | 'source'> {
  readonly status: 'pass' | 'fail' | 'skip'
  readonly expected: string
  /** What came instead, or why the check was skipped. */
  readonly actual: string
  /** A command that shows a failure. */
  readonly curl: string
}

interface RunOptions extends SessionOptions {
  readonly rules: readonly Rule[]
  /** The level whose operations the service must have: a check of one that it lacks then fails. */
  readonly demanded: Level
  /** Called in the order of the rules. */
  readonly report: (check: Check) => void
}

/** Thrown where a rule cannot be checked; its message says why. */
class Skip extends Error {}

/** Rules that run at a time, for distant services. */
const atATime = 8

/** Resolves with what could not be removed. */
export async function run({ rules, demanded, report, ...options }: RunOptions): Promise<readonly string[]> {
  const session = new Session(options)
  const missing = missingFeatures(session, demanded === 'store')
  const checks: (Check | undefined)[] = rules.map(() => undefined)
  let reported = 0
  async function check(place: number): Promise<void> {
    checks[place] = await checkRule(rules[place] as Rule, session, missing)
    for (let next = checks[reported]; next; next = checks[reported]) {
      reported++
      report(next)
    }
  }
  // Those of level `store` count what others add, and so run alone.
  const places = [...rules.keys()]
  const isAlone = (place: number) => rules[place]?.level === 'store'
  const queue = places.filter((place) => !isAlone(place)).values()
  const work = async () => {
    for (const place of queue) await check(place)
  }
  await Promise.all(Array.from({ length: atATime }, work))
  for (const place of places.filter(isAlone)) await check(place)
  return session.removeAdded()
}

/** Why the service lacks a feature; undefined if it has it. */
type Missing = (name: FeatureName) => Promise<string | undefined>

/** Asks the service about each feature once. */
function missingFeatures(session: Session, isStoreDemanded: boolean): Missing {
  const known = new Map<FeatureName, Promise<string | undefined>>()
  const { ask, have, category, clock } = session
  return (name) => {
    // A probe that fails shows nothing, and the rule fails.
    const probe = () => features[name].missing({ ask, have, category, clock, isStoreDemanded }).catch(() => undefined)
    const reason = known.get(name) ?? probe()
    known.set(name, reason)
    return reason
  }
}

async function checkRule(rule: Rule, session: Session, missing: Missing): Promise<Check> {
  const { id, level, title, source } = rule
  const about = { id, level, title, source }
  const skipped = (reason: string): Check => ({ ...about, status: 'skip', expected: '', actual: reason, curl: '' })
  const requests: Request[] = []
  if (rule.since !== undefined && session.clock() < rule.since) return skipped(`holds from ${dayOf(rule.since)} on`)
  try {
    await runRule(rule, session, missing, requests)
    return { ...about, status: 'pass', expected: '', actual: '', curl: '' }
  } catch (error) {
    if (error instanceof Skip) return skipped(error.message)
    if (error instanceof Mismatch) {
      const used = (Object.keys(features) as FeatureName[]).filter(
        (name) => name !== rule.about && requests.some((request) => features[name].used(request, error.subject)),
      )
      for (const name of used) {
        const reason = await missing(name)
        if (reason) return skipped(reason)
      }
    }
    const last = requests.at(-1)
    const shown = (text: string) => withoutKey(text, session.key).replace(/^(.{300}).+$/s, '$1…')
    return {
      ...about,
      status: 'fail',
      expected: shown(error instanceof Mismatch ? error.expected : 'an answer'),
      actual: shown((error as Error).message),
      curl: last ? curlOf(toSend(last, session.base, session.key), session.key) : '',
    }
  }
}

async function runRule(rule: Rule, session: Session, missing: Missing, requests: Request[]): Promise<void> {
  const ask: Session['ask'] = (request, waiting) => {
    requests.push(request)
    return session.ask(request, waiting)
  }
  async function check(request: Request, expect: Expected): Promise<Answer> {
    const isRefusal = [expect.status].flat().includes(401)
    const received = await ask(request, { isWaiting: !isRefusal })
    if (isRefusal && received.status === 429) throw new Skip('the service limits requests with wrong keys: 429')
    try {
      compare(received, expect)
    } catch (error) {
      // A service may have codes of its own: there is a rule about that, and the others pass over the code.
      const isCode = error instanceof Mismatch && error.subject === 'code' && rule.about !== 'codes'
      if (!isCode || !(await missing('codes'))) throw error
    }
    return new Answer(received, session.base)
  }
  if ('run' in rule) {
    const shop: Shop = {
      key: session.key,
      base: session.base,
      today: dayOf(session.clock()),
      check,
      add: (count, members = {}) => session.add(count, members, ask),
      async find(id, body) {
        const isThere = session.clock() < removal
        await check(GET(isThere ? `/pets/${id}` : `/pets?id=${id}`), { status: 200, body: isThere ? body : [body] })
      },
      name: session.name,
      category: session.category,
      wait: session.wait,
    }
    await rule.run(shop)
    return
  }
  if (rule.have) await session.have(rule.have, ask)
  for (const { send, expect } of rule.steps) await check(send, expect)
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
