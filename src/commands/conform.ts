/** `petstore conform`: holds any service against the rules of the interface. */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formats, numbersOf, reportFile } from '../conform/report.ts'
import { type Level, levels, type Rule, rules } from '../conform/rules.ts'
import { type Check, run, type Send } from '../conform/run.ts'
import { createSend } from '../conform/send.ts'
import { CommandFailed, fileFault, UsageError } from '../errors.ts'
import { type Command, readArgs } from './command.ts'
import { type OutputFile, openOutputFile } from './output.ts'

const bounds = { bytesMax: 4 * 1024 * 1024, timeoutMilliseconds: 5_000 }
const secondsMax = 54

export const conform: Command = {
  help: `Usage: petstore conform URL [--key KEY] [--level LEVEL] [--only ID …] [--expect FILE] [--report FILE]
       petstore conform --list [--level LEVEL] [--only ID …]

Checks whether the service at URL, which ends with the version (/v1), keeps the rules of the pet store's interface:
${rules.length} checks, in under a minute. It adds about 400 animals with names that begin with "conform-", some orders
and names of categories, and removes what it can: about 50 animals, which have orders, stay. Prints each check that
fails, with a command that shows it.

  --key KEY      an API key of the service (default: the environment variable PETSTORE_KEY)
  --level LEVEL  core (the interface itself), full (with the decisions on what it leaves open) or store (with orders,
                 categories, counts, events and webhooks). Without it: all, but a service may lack operations of store
  --only ID      only this check, or those whose ids begin with it and a dot; may be repeated
  --expect FILE  ids of checks that are known to fail, one per line; they do not count
  --report FILE  write the result, by the ending of its name as .json, .xml (JUnit), .tap or .html; an earlier report is
                 replaced, and no other file
  --list         print the checks instead, under the sentence that they come from

Exit code: 0 if all rules hold, 1 if some do not, 2 if it could not run.

Example: PETSTORE_KEY=pst_… petstore conform http://127.0.0.1:8080/v1 --level full
`,
  async run(args, { env, stdout, stderr }) {
    const options = {
      key: { type: 'string' },
      level: { type: 'string' },
      only: { type: 'string', multiple: true },
      list: { type: 'boolean' },
    } as const
    const files = { expect: { type: 'string' }, report: { type: 'string' } } as const
    const needed = args.includes('--list') ? [] : ['the URL of a service']
    const { flags, positionals } = readArgs(args, { ...options, ...files }, needed)
    const level = (flags.level ?? 'store') as Level
    if (!levels.includes(level)) throw new UsageError(`--level must be one of ${levels.join(', ')}.`)
    const format = flags.report && formats[extname(flags.report)]
    if (flags.report && !format)
      throw new UsageError(`--report must end with one of ${Object.keys(formats).join(', ')}.`)
    const expected = flags.expect ? linesOf(flags.expect) : []
    const isAmong = (id: string, ids: readonly string[]) => ids.some((each) => `${id}.`.startsWith(`${each}.`))
    for (const id of [...(flags.only ?? []), ...expected])
      if (!rules.some((rule) => isAmong(rule.id, [id]))) throw new UsageError(`No check has the id "${id}".`)
    const chosen = rules.filter(
      (rule) => levels.indexOf(rule.level) <= levels.indexOf(level) && (!flags.only || isAmong(rule.id, flags.only)),
    )
    if (flags.list) {
      stdout.write(listing(chosen))
      return 0
    }
    const url = baseUrl(positionals[0] as string)
    const key = flags.key ?? env.PETSTORE_KEY
    if (!key) throw new UsageError('Give an API key with --key or PETSTORE_KEY.')

    const openReport = () =>
      flags.report === undefined ? undefined : openOutputFile(flags.report, env.DATABASE_URL ?? '', stdout, reportFile)
    const send = createSend(bounds)
    const refusal = faultOf(openReport) ?? (await refusalOf(send, url, key))
    if (refusal) {
      send.close()
      stderr.write(`petstore: ${refusal}\n`)
      return 2
    }
    stderr.write(`${chosen.length} checks on ${url}; adds animals named conform-… and removes what it can.\n`)
    const checks: Check[] = []
    const order = chosen.map(({ id }) => id)
    const left = await run({
      ...{ url, key, send, rules: chosen, demanded: flags.level ? level : 'full', wait, clock: Date.now },
      until: Date.now() + secondsMax * 1000,
      report(check) {
        checks.push(check)
        if (check.status === 'fail' && !isAmong(check.id, expected)) stdout.write(failure(check))
      },
    })
    send.close()
    if (left.length > 0) stderr.write(`Could not remove ${left.length}, such as ${left[0]}.\n`)
    for (const { id } of checks.filter(({ id, status }) => status === 'pass' && isAmong(id, expected)))
      stdout.write(`PASS ${id}: is expected to fail; take it out of ${flags.expect}\n`)
    for (const [reason, skipped] of Map.groupBy(
      checks.filter(({ status }) => status === 'skip'),
      ({ actual }) => actual,
    ))
      stdout.write(`SKIP ${skipped.map(({ id }) => id).join(', ')}: ${reason}\n`)
    checks.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    const report = openReport()
    if (format) report?.write(format({ url, level, checks }))
    report?.end()
    const { passed, failed, skipped } = numbersOf(checks)
    const unexpected = checks.filter(({ id, status }) => status === 'fail' && !isAmong(id, expected)).length
    const known = failed > unexpected ? ` (${failed - unexpected} of them expected)` : ''
    stdout.write(`Level ${level}: ${passed} passed, ${failed} failed${known}, ${skipped} skipped.\n`)
    return unexpected > 0 ? 1 : 0
  },
}

const listing = (chosen: readonly Rule[]): string =>
  [...Map.groupBy(chosen, ({ level, source }) => `[${level}] ${source}`)]
    .map(([head, group]) => `${head}\n${group.map(({ id, title }) => `  ${id}: ${title}\n`).join('')}`)
    .join('\n')

function baseUrl(text: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(text) ? new URL(text) : ({ protocol: '' } as URL)
  if (!/^https?:$/.test(protocol) || username || password || search || hash)
    throw new UsageError(`"${text}" is no base address such as http://127.0.0.1:8080/v1.`)
  return text.replace(/\/+$/, '')
}

/** Why the report cannot be written, which is told before anything is added to the service. */
function faultOf(openReport: () => OutputFile | undefined): string | undefined {
  try {
    openReport()?.abort()
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    return error.message
  }
}

/** Why no check can run; undefined if they can. */
async function refusalOf(send: Send, url: string, key: string): Promise<string | undefined> {
  try {
    const headers = [['Authorization', `Bearer ${key}`]] as const
    const { status } = await send({ method: 'GET', url: `${url}/pets?limit=1`, headers, body: undefined })
    return status === 401 ? 'The service does not take the key: 401.' : undefined
  } catch (error) {
    return `Cannot ask ${url}: ${(error as Error).message}.`
  }
}

function linesOf(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
    return lines.filter((line) => line !== '')
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${fileFault(error)}.`)
  }
}

const failure = ({ id, title, expected, actual, curl }: Check): string =>
  `FAIL ${id}: ${title}\n  expected  ${expected}\n  actual    ${actual.replaceAll('\n', '\n            ')}\n  ${curl}\n`
