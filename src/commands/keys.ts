/** `petstore keys` issues, lists, revokes and rotates API keys, even while the service runs. */

import { loadConfig } from '../config/config.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { findKey, type Issued, issueKey, rotateKey } from '../keys/keys.ts'
import { limits } from '../limits.ts'
import {
  defaultScopes,
  isLive,
  type Key,
  nameLengthMax,
  type Rate,
  rateForm,
  rateText,
  readRate,
  type Scope,
  scopes,
  scopesFor,
} from '../model/key.ts'
import type { KeyTable } from '../store/key-table.ts'
import { openStore } from '../store/open.ts'
import type { SchemaChange } from '../store/store.ts'
import { systemTime, timeText } from '../time.ts'
import { type Command, type CommandContext, readArgs, readDuration } from './command.ts'

const overlap = limits.rotatedKeyTime.text

export const keys: Command = {
  help: `Usage: petstore keys create --name NAME [--for staff|reader | --scope SCOPE...] [--expires TIME] [--rate RATE]
       petstore keys list [--json]
       petstore keys revoke ID|KEY
       petstore keys rotate ID|KEY

Manages the API keys in the database that DATABASE_URL names. The service may run meanwhile.

  create   creates a key and prints it on standard output; it cannot be shown again
  list     lists every key: its id, name, first characters, scopes and rate, and when it was created, expires and was
           last used
  revoke   revokes a key; every instance rejects it within ${limits.revokedKeyTime.text}
  rotate   creates a key with the same name, scopes, rate and lifetime; the old one keeps working for ${overlap}

  --name NAME      who or what the key is for
  --for WHOM       whom the key is for, which decides what it may do; not together with --scope
                   staff: ${scopesFor.staff.join(' ')}
                   reader: ${scopesFor.reader.join(' ')}
  --scope SCOPE    what the key may do; repeat the flag to give several of these scopes:
                   ${scopes.join(' ')}
                   default: ${defaultScopes.join(' ')}
  --expires TIME   when the key expires: 90d, 12h or 30m from now (default: never)
  --rate RATE      requests in a number of seconds, such as 600/60 (default: the setting RATE_LIMIT)
  --json           lists the keys as a JSON array: id, name, prefix, scopes, rate, createdAt, expiresAt, revokedAt,
                   lastUsedAt; a member without a value is left out

Example: KEY=$(petstore keys create --name shop --scope pets:read --expires 90d)
`,
  async run([verb, ...args], context) {
    const action = actions.get(verb ?? '')
    if (!action) throw new UsageError(`Give one of ${[...actions.keys()].join(', ')}.`)
    const [schema, read] = action
    const act = read(args)
    const store = await openStore({ time: systemTime, ...loadConfig(context.env).database, schema })
    try {
      await act(store.keys, systemTime.now(), context)
    } finally {
      await store.close()
    }
    return 0
  },
}

type Action = (table: KeyTable, now: number, output: CommandContext) => Promise<void>

/** Each action parses its arguments, before the database is opened, and returns what to do with it. */
const actions = new Map<string, readonly [SchemaChange, read: (args: string[]) => Action]>([
  ['create', ['create', create]],
  ['list', ['read', list]],
  ['revoke', ['none', revoke]],
  ['rotate', ['none', rotate]],
])

function create(args: string[]): Action {
  const { flags, positionals } = readArgs(
    args,
    {
      name: { type: 'string' },
      for: { type: 'string' },
      scope: { type: 'string', multiple: true },
      expires: { type: 'string' },
      rate: { type: 'string' },
    },
    [],
    1,
  )
  const { name } = flags
  const [other] = positionals
  if (!name?.trim()) throw new UsageError(`Give the key a name: --name ${other ?? 'NAME'}`)
  if (other !== undefined) throw new UsageError(`Unexpected argument "${other}".`)
  if ([...name].length > nameLengthMax)
    throw new UsageError(`The name of a key may have at most ${nameLengthMax} characters.`)
  // Other characters could break the lines of the list, disguise another name, or send commands to the terminal.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(name))
    throw new UsageError('The name of a key may contain printable characters only.')
  if (flags.for !== undefined && flags.scope) throw new UsageError('Give either --for or --scope, not both.')
  const wanted = flags.for === undefined ? (flags.scope?.map(readScope) ?? defaultScopes) : readWhom(flags.for)
  const lifetime = flags.expires === undefined ? undefined : readDuration('--expires', flags.expires, '90d, 12h or 30m')
  const rate = flags.rate === undefined ? undefined : readOwnRate(flags.rate)
  return async (table, now, output) => {
    const expiresAt = lifetime === undefined ? undefined : now + lifetime
    show(await issueKey(table, { name, scopes: [...new Set(wanted)], now, expiresAt, rate }), output)
  }
}

function list(args: string[]): Action {
  const { flags } = readArgs(args, { json: { type: 'boolean' } })
  return flags.json ? listJson : listAll
}

const listAll: Action = async (table, now, { stdout, stderr }) => {
  const rows = (await table.list()).map((key) => [
    String(key.id),
    key.name,
    `${key.prefix}…`,
    key.scopes.join(' '),
    key.rate ? rateText(key.rate) : 'default',
    dateText(key.createdAt),
    endText(key, now),
    key.lastUsedAt === undefined ? 'never' : dateText(key.lastUsedAt),
  ])
  if (rows.length === 0) stderr.write('No keys yet. Create one: petstore keys create --name NAME\n')
  else stdout.write(aligned([['id', 'name', 'key', 'scopes', 'rate', 'created', 'expires', 'last used'], ...rows]))
}

const listJson: Action = async (table, _now, { stdout }) => {
  const timeOf = (time: number | undefined) => (time === undefined ? undefined : timeText(time))
  const keys = (await table.list()).map(({ id, name, prefix, scopes, rate, ...times }) => ({
    id,
    name,
    prefix,
    scopes,
    rate,
    createdAt: timeOf(times.createdAt),
    expiresAt: timeOf(times.expiresAt),
    revokedAt: timeOf(times.revokedAt),
    lastUsedAt: timeOf(times.lastUsedAt),
  }))
  stdout.write(`${JSON.stringify(keys)}\n`)
}

function revoke(args: string[]): Action {
  const [which] = readArgs(args, {}, ['the ID of a key, or the key itself']).positionals as [string]
  return async (table, now, { stderr }) => {
    const key = await required(table, which)
    await table.revoke(key.id, now)
    stderr.write(
      `Key ${key.id} (${key.name}) is revoked; every instance rejects it within ${limits.revokedKeyTime.text}.\n`,
    )
  }
}

function rotate(args: string[]): Action {
  const [which] = readArgs(args, {}, ['the ID of a key, or the key itself']).positionals as [string]
  return async (table, now, output) => {
    const old = await required(table, which)
    const rotated = isLive(old, now) ? await rotateKey(table, old, now) : undefined
    if (!rotated)
      throw new CommandFailed(
        `Key ${old.id} (${old.name}) has expired or was revoked; create a new one with keys create.`,
      )
    show(rotated, output)
    output.stderr.write(`The old key, ${old.id}, keeps working for at most ${limits.rotatedKeyTime.text}.\n`)
  }
}

async function required(table: KeyTable, which: string): Promise<Key> {
  const key = await findKey(table, which)
  // The argument may be a mistyped key, so it is not repeated in the message.
  if (!key) throw new CommandFailed('There is no such key; "petstore keys list" lists all keys.')
  return key
}

/** Only the key goes to standard output, for `KEY=$(petstore keys create …)`; the rest goes to standard error. */
function show({ token, key }: Issued, { stdout, stderr }: CommandContext): void {
  stdout.write(`${token}\n`)
  const until = key.expiresAt === undefined ? '' : `, until ${dateText(key.expiresAt)}`
  const rate = key.rate ? `, at most ${key.rate.requests} requests in ${key.rate.seconds} seconds` : ''
  const scopes = `scope${key.scopes.length > 1 ? 's' : ''} ${key.scopes.join(' ')}`
  stderr.write(`Key ${key.id} (${key.name}) has the ${scopes}${until}${rate}. It is not shown again.\n`)
}

function readScope(text: string): Scope {
  const scope = scopes.find((known) => known === text)
  if (!scope) throw new UsageError(`Unknown scope "${text}"; give each --scope one of ${scopes.join(', ')}.`)
  return scope
}

function readWhom(text: string): readonly Scope[] {
  const known = Object.entries(scopesFor).find(([whom]) => whom === text)
  if (!known) throw new UsageError(`--for takes ${Object.keys(scopesFor).join(' or ')}, not "${text}".`)
  return known[1]
}

function readOwnRate(text: string): Rate {
  const rate = readRate(text)
  if (!rate) throw new UsageError(`--rate takes ${rateForm}, not "${text}".`)
  return rate
}

function endText(key: Key, now: number): string {
  if (key.revokedAt !== undefined) return `revoked ${dateText(key.revokedAt)}`
  if (key.expiresAt === undefined) return 'never'
  return isLive(key, now) ? dateText(key.expiresAt) : `expired ${dateText(key.expiresAt)}`
}

const dateText = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
