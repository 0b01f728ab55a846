/** Holds a service against rules: sends what they say, compares what comes back, and removes what it added. */
import { randomInt, randomUUID } from 'node:crypto'
import { compare, describe, Mismatch, type Received } from './compare.ts'
import { type Level, type Rule, readStep, runsOf, type Step } from './rules.ts'

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
}
/** Rejects where no whole answer comes, with a message that says why. */
export type Send = (sent: Sent) => Promise<Received>

export interface Check extends Omit<Rule, 'steps'> {
  readonly status: 'pass' | 'fail' | 'skip'
  readonly expected: string
  /** What came instead, or why the check was skipped. */
  readonly actual: string
  /** A command that shows a failure. */
  readonly curl: string
}

interface RunOptions {
  /** The base address, without a slash at its end. */
  readonly url: string
  readonly key: string
  readonly send: Send
  readonly rules: readonly Rule[]
  /** The level whose operations the service must have: a check of one that it lacks then fails. */
  readonly demanded: Level
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** When the run must be over, by the clock. */
  readonly until: number
  readonly report: (check: Check) => void
}

/** The day on which getPet is removed, as the interface says. */
const removal = Date.UTC(2030, 11, 5)

/** The operations of level `store`, each with a request that shows whether the service has it. */
const probes: readonly (readonly [uses: RegExp, probe: string])[] = [
  [/^PATCH \/pets\//, 'PATCH /pets/$p1 {}'],
  [/^DELETE \/pets\//, 'DELETE /pets/0'],
  ...['/store/orders', '/categories', '/store/inventory', '/store/sales', '/me', '/events', '/webhooks'].map(
    (path) => [new RegExp(` ${path}\\b`), `GET ${path}`] as const,
  ),
]

/** What a check keeps while it runs. */
interface Scope {
  readonly variables: Map<string, string>
  last?: Sent
}

/** Resolves with what could not be removed. */
export async function run({ url, key, clock, until, ...options }: RunOptions): Promise<readonly string[]> {
  const label = `conform-${randomUUID().slice(0, 8)}`
  const today = new Date(clock()).toISOString().slice(0, 10)
  const constants = { apikey: key, keylong: `${key}0`, keyshort: key.slice(0, -1), base: url, run: label, today }
  /** What was added: the paths of animals, webhooks and names of categories. */
  const added = new Set<string>()
  /** The ids of animals that any rule may use. */
  const pool: string[] = []
  const absences = new Map<string, string | undefined>()
  let names = 0
  // The last seconds are for removing what was added.
  let deadline = until - 10_000

  const made = {
    cat: () => String(randomInt(2 ** 40, 2 ** 47)),
    key: () => randomUUID(),
    '': () => `${label}-${++names}`,
  }

  /** The text with its variables filled in. One that is not known yet is made: a category, a key for idempotency, or a name. */
  const fill = (text: string, { variables }: Scope): string =>
    text.replace(/\$(\w+)(?:\(([^,)]*),?([^)]*)\))?/g, (_, name: string, first = '', second = '') => {
      if (name === 'rep') return first.repeat(Number(second))
      if (name === 'seq') return Array.from({ length: Number(first) }, (_, i) => i + 1).join(second || ',')
      // See `bytesOf`.
      if (name === 'byte') return String.fromCharCode(0xdc00 + Number.parseInt(first, 16))
      const kind = /^(?:cat|key)?/.exec(name)?.[0] as keyof typeof made
      const value = variables.get(name) ?? constants[name as 'base'] ?? made[kind]()
      variables.set(name, value)
      return value
    })

  async function send({ method, path, body, headers }: Step, scope: Scope): Promise<Received> {
    if (clock() > deadline) throw new Error('not checked: the run took too long')
    const target = fill(path, scope)
    const pairs = headers.map((header) => /^([\w-]+):? ?(.*)$/s.exec(fill(header, scope))?.slice(1) as [string, string])
    const isGiven = (name: string) => pairs.some(([given]) => given === name || given === `-${name}`)
    if (!isGiven('Authorization')) pairs.push(['Authorization', `Bearer ${key}`])
    if (body !== undefined && !isGiven('Content-Type')) pairs.push(['Content-Type', 'application/json'])
    const sent: Sent = {
      method,
      url: target.startsWith('//') ? new URL(url).origin + target.slice(1) : url + target,
      headers: pairs.filter(([name]) => !name.startsWith('-')),
      body: body === undefined ? undefined : bytesOf(fill(body, scope)),
    }
    scope.last = sent
    let received = await options.send(sent)
    // A limited key: as the service asks, but not for ever.
    for (let tries = 1; received.status === 429 && tries < 5; tries++) {
      const seconds = Number(received.headers.get('retry-after') ?? Number.NaN)
      if (!(clock() + seconds * 1000 < deadline)) break
      await options.wait(seconds * 1000)
      received = await options.send(sent)
    }
    const [, id] = /"id":(-?\d+)/.exec(received.text) ?? []
    if (received.status === 201 && method === 'PUT') added.add(target)
    if (received.status === 201 && /^\/(pets|webhooks)\b/.test(target)) added.add(`${target.split('?')[0]}/${id}`)
    return received
  }

  /** Animals that any rule may use, or with these members: one after another, so that their ids rise. */
  async function add(count: number, members: string | undefined, scope: Scope): Promise<void> {
    const ids = members === undefined ? pool : []
    while (ids.length < count) {
      const step = readStep(`POST /pets {"name":"$name${++names}",${members ?? '"categoryId":1'}}`)
      const received = await send(step, scope)
      const [, id] = /"id":(-?\d+)/.exec(received.text) ?? []
      if (received.status !== 201 || id === undefined) throw new Mismatch('201 Pet', describe(received))
      ids.push(id)
    }
    for (const [i, id] of ids.entries()) scope.variables.set(`p${i + 1}`, id)
  }

  /** Why a rule cannot be checked; undefined if it can. */
  async function obstacle(steps: readonly Step[]): Promise<string | undefined> {
    const lines = steps.map(({ method, path }) => `${method} ${path}`)
    const isOver = clock() >= removal
    if (
      lines.some((line) => /^(?:GET|HEAD) \/pets\/./.test(line)) &&
      steps.some(({ expected }) => /\b410\b/.test(expected[0] ?? '')) !== isOver
    )
      return `getPet ${isOver ? 'was removed on' : 'is there until'} 5 December 2030`
    for (const [, probe] of probes.filter(([uses]) => lines.some((line) => uses.test(line)))) {
      if (!absences.has(probe)) absences.set(probe, await absence(probe))
      if (absences.get(probe)) return absences.get(probe)
    }
    return undefined
  }

  async function absence(probe: string): Promise<string | undefined> {
    const scope: Scope = { variables: new Map() }
    if (probe.includes('$p1')) await add(1, undefined, scope)
    const { status, text } = await send(readStep(probe), scope)
    if (status === 403) return `the key may not ${probe}: 403`
    const isThere = (status < 404 || status > 405) && status !== 501
    return isThere || options.demanded === 'store' || text.includes('"pet_not_found"')
      ? undefined
      : `the service has no ${probe.split(' {')[0]}`
  }

  async function check(rule: Rule): Promise<Check> {
    const { steps: _, ...about } = rule
    let expected = 'an answer'
    let scope: Scope = { variables: new Map() }
    try {
      const reason = await obstacle(runsOf(rule).flat())
      if (reason) return { ...about, status: 'skip', expected: '', actual: reason, curl: '' }
      for (const steps of runsOf(rule)) {
        scope = { variables: new Map() }
        const context = { fill: (text: string) => fill(text, scope), variables: scope.variables, base: url }
        for (const step of steps) {
          expected = step.expected.join(' ; ')
          if (step.add) await add(...step.add, scope)
          else compare(await send(step, scope), step.expected, context)
        }
      }
      return { ...about, status: 'pass', expected: '', actual: '', curl: '' }
    } catch (error) {
      const { expected: wanted = expected, message } = error as Mismatch
      const shown = (text: string) => withoutKey(text, key).replace(/^(.{300}).+$/s, '$1…')
      return {
        ...about,
        status: 'fail',
        expected: shown(wanted),
        actual: shown(message),
        curl: curlOf(scope.last, key),
      }
    }
  }

  // Those of level `store` count what others add, and so run alone; of the others several at a time, for distant services.
  const isAlone = ({ level }: Rule) => level === 'store'
  const queue = options.rules.filter((rule) => !isAlone(rule)).values()
  const work = async () => {
    for (const rule of queue) options.report(await check(rule))
  }
  await Promise.all(Array.from({ length: 8 }, work))
  for (const rule of options.rules.filter(isAlone)) options.report(await check(rule))
  deadline = until
  const left: string[] = []
  for (const path of added) {
    const { status } = await send(readStep(`DELETE ${path}`), { variables: new Map() }).catch(() => ({ status: 0 }))
    if (![200, 204, 404].includes(status)) left.push(path)
  }
  return left
}

/** In UTF-8, but for the bytes of `$byte`, which need not be. */
function bytesOf(text: string): Buffer {
  const parts = text.split(/(?<![\ud800-\udbff])([\udc00-\udcff])/)
  return Buffer.concat(parts.map((part, i) => (i % 2 ? Buffer.from([part.charCodeAt(0) & 0xff]) : Buffer.from(part))))
}

/** A report may be published: the key in it, also without its last character, is the name of a variable. */
const withoutKey = (text: string, key: string, before = '', after = ''): string =>
  text
    .replaceAll(key, `${before}$PETSTORE_KEY${after}`)
    .replaceAll(key.slice(0, -1) || key, `${before}\${PETSTORE_KEY%?}${after}`)

/** The request as a line for a shell, with the key in a variable. */
function curlOf(sent: Sent | undefined, key: string): string {
  if (!sent) return ''
  const { method, url, headers, body } = sent
  const quoted = (text: string) => `'${withoutKey(text.replaceAll("'", `'\\''`), key, `'"`, `"'`)}'`
  const parts = headers.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  if (body) parts.push(`--data-binary ${quoted(body.length > 500 ? `${body.subarray(0, 500)}…` : String(body))}`)
  return ['curl -sSg', method === 'HEAD' ? '-I' : `-iX ${method}`, ...parts, quoted(url)].join(' ')
}
