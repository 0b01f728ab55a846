/** Where a command finds its settings: the environment, and the file of --env-file. Names that are probably mistyped are told. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError, type Environment, formerSettings, settings } from '../config/config.ts'
import { fileFault, UsageError } from '../errors.ts'
import { editDistance, nearest, type Output } from './command.ts'

/** The file after --env-file, and the other arguments. */
export function takeEnvFile(args: readonly string[]): [file: string | undefined, rest: readonly string[]] {
  const isOption = (arg: string) => /^--env-file(?:=|$)/.test(arg)
  const at = args.findIndex(isOption)
  if (at < 0) return [undefined, args]
  const [inline] = /(?<==).*$/s.exec(args[at] ?? '') ?? []
  const file = inline ?? args[at + 1]
  if (!file) throw new UsageError('Give a file: --env-file FILE')
  const rest = args.toSpliced(at, inline === undefined ? 2 : 1)
  if (rest.some(isOption)) throw new UsageError('Give --env-file only once.')
  return [file, rest]
}

/** The environment, and what it leaves out as the file says. A mistyped name is a warning: it may be meant for another program. */
export function readSettings(environment: Environment, file: string | undefined, stderr: Output): Environment {
  const fromFile = file === undefined ? {} : readEnvFile(file)
  const env = { ...fromFile, ...environment }
  const warn = (text: string) => stderr.write(`petstore: warning: ${text}\n`)
  for (const name of Object.keys(fromFile)) {
    if (name in settings || name in formerSettings) continue
    const meant = nearest(name, Object.keys(settings))
    warn(`${name} in ${file} is no setting${meant ? `; did you mean ${meant}?` : '.'}`)
  }
  for (const name of Object.keys(environment)) {
    // Node has put those of the file into the environment, too, where it was started without "--".
    if (name in settings || name in fromFile) continue
    const meant = Object.keys(settings).find((setting) => isTypo(name, setting))
    if (meant && !env[meant]) warn(`${name} is no setting; did you mean ${meant}?`)
  }
  return env
}

/** The settings of a file, one NAME=value per line. */
function readEnvFile(path: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
    // Of such a file no setting would be found, and the service would run with the default of each.
    if (text.includes('\0')) throw new Error('it is not UTF-8')
  } catch (error) {
    throw new ConfigError([`--env-file ${path} cannot be read: ${fileFault(error)}.`])
  }
  const faults: string[] = []
  const found: Record<string, string> = {}
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name] = /^\s*(?:export\s+)?([^\s=]+)\s*=/.exec(line) ?? []
    if (name) found[name] = parseEnv(line)[name] ?? ''
    // Without the text, which may be secret.
    else faults.push(`--env-file ${path}, line ${i + 1}: must be NAME=value.`)
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return found
}

/**
 * Whether a variable of the environment is a setting with one letter too many, too few or wrong, or two swapped. Others have
 * names of their own near ours, and are never complained of: short ones, and those with another ending or other words
 * (DATABASE_URI, CORS_ORIGIN, LOGLEVEL).
 */
function isTypo(name: string, setting: string): boolean {
  const words = (text: string) => text.split('_').length
  const letters = (text: string) => [...text].sort().join('')
  if (setting.length < 8 || Math.abs(name.length - setting.length) > 1) return false
  if (name.at(-1) !== setting.at(-1) || words(name) !== words(setting)) return false
  const distance = editDistance(name, setting)
  return distance === 1 || (distance === 2 && letters(name) === letters(setting))
}
