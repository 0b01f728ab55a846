/** The command: reads its arguments, checks a service, prints what fails, and writes a report. */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { causesOf, fileFault, formats, numbersOf, reportFault, writeReport } from './report.ts'
import { GET, toSend } from './request.ts'
import { type Level, levels, type Rule } from './rule.ts'
import { rules } from './rules/rules.ts'
import { type Check, run } from './run.ts'
import { createSend, type Send } from './send.ts'
import type { Left } from './session.ts'

export interface Surroundings {
  /** The words that the user types to start the command, for the help. */
  readonly program: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
}
interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export const options = {
  key: { type: 'string' },
  level: { type: 'string' },
  only: { type: 'string', multiple: true },
  expect: { type: 'string' },
  'request-timeout': { type: 'string', default: '10' },
  timeout: { type: 'string' },
  report: { type: 'string' },
  force: { type: 'boolean', default: false },
  list: { type: 'boolean' },
} as const

const bytesMax = 4 * 1024 * 1024
/** The longest time that a timer can wait is about 24 days. */
const secondsMax = 2_000_000

export const help = (program: string): string => `Usage: ${program} URL [--key KEY] [--level LEVEL] [--only ID …]
         [--expect FILE] [--report FILE [--force]]
         [--request-timeout SECONDS] [--timeout SECONDS]
       ${program} --list [--level LEVEL] [--only ID …]

Checks whether the service at URL follows the ${rules.length} rules of the pet store's interface. URL ends in the version (/v1).
The command adds about 400 animals whose names begin with "conform", some orders, and some names of categories. It
removes what it can, and lists the animals that it cannot remove because they have orders. Run it on a store for tests
that nobody else changes meanwhile. It prints each check that fails, with a command that shows the failure.

  --key KEY      an API key of the service (default: the environment variable PETSTORE_KEY)
  --level LEVEL  core (the interface itself), full (also the decisions on what it leaves open) or store (also orders,
                 categories, counts, events and webhooks). Without it, all rules are checked, but the service may lack
                 operations of store
  --only ID      only the check with this id, or those whose ids begin with it and a dot; may be repeated
  --expect FILE  a file with one id per line: checks that are known to fail, or cannot be checked; they do not count
  --report FILE  write the result as JSON or as JUnit, if the name ends in .json or .xml; an existing file is refused
  --force        replace the file of --report
  --request-timeout SECONDS
                 how long a request may take (default: 10); a check whose request takes longer is not checked
  --timeout SECONDS
                 how long the run may take (default: no limit); checks that remain after it are not checked
  --list         print the checks instead of running them, each under the sentence that it comes from

Exit codes: 0 if all checks pass, 1 if some fail, 2 if the command could not run, 3 if none fails but some could not be
checked, for example because the key lacks a scope. Checks that do not apply to the service are skipped and do not
count.

Example: PETSTORE_KEY=pst_… ${program} http://127.0.0.1:8080/v1 --level full
`

/** Why the command cannot run, or cannot write its report. */
class CannotRun extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs the command, and resolves with the exit code. */
export async function conform(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { program, stdout, stderr } = surroundings
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(help(program))
    return 0
  }
  let task: Task | undefined
  try {
    task = readTask(args, surroundings.env)
    if (!task.list) return await checkService(task, surroundings)
    stdout.write(listing(task.chosen))
    return 0
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    const advice = task ? '' : `See: ${program} --help\n`
    stderr.write(`${program.split(' ')[0]}: ${error.message}\n${advice}`)
    return error.exitCode
  }
}

type Task = ReturnType<typeof readTask>

const isAmong = (id: string, ids: readonly string[]) => ids.some((each) => `${id}.`.startsWith(`${each}.`))

function readTask(args: readonly string[], env: Surroundings['env']) {
  const { values: flags, positionals } = parsed(args)
  const level = (flags.level ?? 'store') as Level
  if (!levels.includes(level)) throw new CannotRun(`--level must be one of ${levels.join(', ')}.`)
  const format = flags.report ? formats[extname(flags.report)] : undefined
  if (flags.report && !format) throw new CannotRun(`--report must end with one of ${Object.keys(formats).join(', ')}.`)
  const expected = flags.expect ? linesOf(flags.expect) : []
  for (const id of [...(flags.only ?? []), ...expected])
    if (!rules.some((rule) => isAmong(rule.id, [id]))) throw new CannotRun(`No check has the id "${id}".`)
  const chosen = rules.filter(
    (rule) => levels.indexOf(rule.level) <= levels.indexOf(level) && (!flags.only || isAmong(rule.id, flags.only)),
  )
  const [first, second] = positionals
  if (second !== undefined) throw new CannotRun(`Unexpected argument "${second}".`)
  if (!flags.list && !first) throw new CannotRun('Give the URL of a service.')
  const key = flags.key ?? env.PETSTORE_KEY
  if (!flags.list && !key) throw new CannotRun('Give an API key with --key or PETSTORE_KEY.')
  const url = flags.list ? '' : baseUrl(first as string)
  // If no level is demanded, a service may lack operations.
  const demanded: Level = flags.level ? level : 'full'
  const requestTimeout = secondsIn('request-timeout', flags['request-timeout'])
  const timeout = flags.timeout === undefined ? Number.POSITIVE_INFINITY : secondsIn('timeout', flags.timeout)
  return { ...flags, level, demanded, format, expected, chosen, url, key: key ?? '', requestTimeout, timeout }
}

function secondsIn(name: string, text: string): number {
  const seconds = Number(text)
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds <= 0 || seconds > secondsMax)
    throw new CannotRun(`--${name} must be a number of seconds, above 0 and at most ${secondsMax}.`)
  return seconds
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // The first sentence says what is wrong. The rest is advice, which the help gives better.
    throw new CannotRun((error as Error).message.split(/\n|(?<=\.) /, 1).join())
  }
}

async function checkService(task: Task, { stdout, stderr }: Surroundings): Promise<number> {
  const { url, key, chosen, expected, level } = task
  // This is checked before anything is added to the service.
  const fault = task.report && reportFault(task.report, task.force)
  if (fault) throw new CannotRun(fault)
  const send = createSend({ bytesMax, timeoutMilliseconds: task.requestTimeout * 1000 })
  const line = progressLine(stderr)
  const stopping = new AbortController()
  // A second signal ends the process, as it would without this handler.
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  const checks: Check[] = []
  const startedAt = Date.now()
  let left: readonly Left[] = []
  try {
    await assertReachable(send, url, key)
    stderr.write(`${chosen.length} checks on ${url}; adds animals named conform… and removes what it can.\n`)
    const printed = new Map<string, string>()
    left = await run({
      url,
      key,
      send,
      rules: chosen,
      demanded: task.demanded,
      wait,
      clock: Date.now,
      until: startedAt + task.timeout * 1000,
      signal: stopping.signal,
      progress: line.show,
      report(check) {
        checks.push(check)
        if (check.status !== 'fail' || isAmong(check.id, expected)) return
        line.clear()
        stdout.write(failure(check, printed.get(check.cause)))
        if (!printed.has(check.cause)) printed.set(check.cause, check.id)
      },
    })
  } finally {
    line.clear()
    process.off('SIGINT', stop)
    send.close()
  }
  stderr.write(leftovers(left))
  stdout.write(summary(checks, task))
  const result = { url, level, startedAt, milliseconds: Date.now() - startedAt, checks, left }
  const unwritten = task.format && writeReport(task.report as string, task.force, task.format(result))
  if (unwritten) throw new CannotRun(unwritten, 1)
  const counts = (status: Check['status']) =>
    checks.some((check) => check.status === status && !isAmong(check.id, expected))
  return counts('fail') ? 1 : counts('unchecked') ? 3 : 0
}

/** Shows in one line of a terminal what is being done. Nothing is shown elsewhere. */
function progressLine(output: Output) {
  let isShown = false
  const write = (text: string) => {
    isShown = text !== ''
    output.write(`\r\u001b[K${text}`)
  }
  return {
    show: (text: string) => (output.isTTY ? write(text) : undefined),
    clear: () => (isShown ? write('') : undefined),
  }
}

/** Lists everything that the run added and could not remove, grouped by reason. */
function leftovers(left: readonly Left[]): string {
  const groups = new Map<string, string[]>()
  for (const { path, reason } of left) {
    const [, collection = '', id = ''] = /^(.*)\/(.*)$/.exec(path) ?? []
    const head = collection ? `Could not remove from ${collection} (${reason}): ` : `Something may be left: ${reason}`
    groups.set(head, [...(groups.get(head) ?? []), id])
  }
  return [...groups].map(([head, ids]) => `${head}${ids.join(', ')}.\n`).join('')
}

function summary(checks: readonly Check[], { level, expected, expect }: Task): string {
  const lines = checks
    .filter(({ id, status }) => status === 'pass' && isAmong(id, expected))
    .map(({ id }) => `PASS ${id}: is expected to fail; take it out of ${expect}\n`)
  for (const { cause, checks: ids } of causesOf(checks))
    lines.push(`CAUSE of ${ids.length} failures: ${cause} (${ids.join(', ')})\n`)
  for (const [status, word] of [
    ['unchecked', 'NOT CHECKED'],
    ['skip', 'SKIP'],
  ] as const) {
    const some = checks.filter((check) => check.status === status)
    for (const reason of new Set(some.map(({ actual }) => actual))) {
      const ids = some.filter(({ actual }) => actual === reason).map(({ id }) => id)
      lines.push(`${word} ${ids.join(', ')}: ${reason}\n`)
    }
  }
  const { passed, failed, unchecked, skipped } = numbersOf(checks)
  const known = checks.filter(({ id, status }) => status === 'fail' && isAmong(id, expected)).length
  const ofThem = known > 0 ? ` (${known} of them expected)` : ''
  const numbers = `${passed} passed, ${failed} failed${ofThem}, ${unchecked} not checked, ${skipped} skipped`
  return `${lines.join('')}Level ${level}: ${numbers}.\n`
}

function listing(chosen: readonly Rule[]): string {
  const headOf = ({ level, source }: Rule) => `[${level}] ${source}\n`
  return chosen
    .map((rule, i) => {
      const before = chosen[i - 1]
      const head = before && headOf(before) === headOf(rule) ? '' : `${before ? '\n' : ''}${headOf(rule)}`
      return `${head}  ${rule.id}: ${rule.title}\n`
    })
    .join('')
}

function baseUrl(text: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(text) ? new URL(text) : ({ protocol: '' } as URL)
  if (!/^https?:$/.test(protocol) || username || password || search || hash)
    throw new CannotRun(`"${text}" is no base address such as http://127.0.0.1:8080/v1.`)
  return text.replace(/\/+$/, '')
}

/** Throws an error if no check can run. */
async function assertReachable(send: Send, url: string, key: string): Promise<void> {
  const { status } = await send(toSend(GET('/pets?limit=1'), url, key)).catch((error: Error) => {
    throw new CannotRun(`Cannot ask ${url}: ${error.message}.`)
  })
  if (status === 401) throw new CannotRun('The service does not take the key: 401.')
  if (status === 403) throw new CannotRun('The key may not list animals: 403.')
  if (status === 404)
    throw new CannotRun(
      `There is no ${url}/pets: 404. The base address ends with the version, such as ${versioned(url)}.`,
    )
}

const versioned = (url: string) => `${new URL(url).origin}/v1`

function linesOf(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
    return lines.filter((line) => line !== '')
  } catch (error) {
    throw new CannotRun(`Cannot read ${file}: ${fileFault(error)}.`)
  }
}

/** Describes a failure with its details, or names the earlier failure that has the same cause. */
function failure({ id, title, expected, actual, curl, cause }: Check, before: string | undefined): string {
  const head = `FAIL ${id}: ${title}\n`
  if (before !== undefined) return `${head}  as ${before}: ${cause}\n`
  return `${head}  expected  ${expected}\n  actual    ${actual.replaceAll('\n', '\n            ')}\n  ${curl}\n`
}
