/** Reads the parameters that an operation declares from the path and the query of a request. */
import { type ErrorCode, refuse } from '../errors.ts'
import type { Parameter, Parameters } from './parameters.ts'

/** Reads the parameters of a path. The router has found all of them. */
export function readParams(declared: Parameters, texts: Readonly<Record<string, string>>): Record<string, {}> {
  const params: Record<string, {}> = {}
  for (const name in declared) {
    const parameter = declared[name] as Parameter<{}>
    params[name] = parameter.parse(texts[name] as string) ?? refuse(parameter.refusal)
  }
  return params
}

/** Whether bytes that are not UTF-8 were replaced by U+FFFD, which the client did not send itself. */
const isGarbled = (text: string, query: string): boolean => text.includes('\ufffd') && !/%EF%BF%BD|\ufffd/i.test(query)

/** Reads the declared parameters from a query string and ignores others; the error names every problem. */
export function readQuery(declared: Parameters, query: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  let code: ErrorCode = 'invalid_parameter'
  const given = query === '' ? [] : [...new URLSearchParams(`?${query}`)]
  const mayHaveBrackets = /\[|%5b/i.test(query)
  for (const name in declared) {
    const parameter = declared[name] as Parameter<unknown>
    let text: string | undefined
    let isTwice = false
    let hasBrackets = false
    for (const [key, value] of given) {
      if (key !== name) {
        if (!mayHaveBrackets || !key.startsWith(`${name}[`)) continue
        // Many libraries write a list as id[]=1&id[]=2. Ignoring a filter in any other form would return unfiltered
        // rows.
        if (!parameter.isList || key !== `${name}[]`) {
          hasBrackets = true
          continue
        }
      }
      isTwice ||= text !== undefined
      text = text !== undefined && parameter.isList ? `${text},${value}` : value
    }
    if (hasBrackets) problems.push(`${name}: must be written without brackets, as ${name}=…`)
    if (isTwice && !parameter.isList) problems.push(`${name}: must be given only once`)
    else if (text === undefined) values[name] = parameter.fallback
    else {
      const value = parameter.parse(text)
      if (value === undefined) {
        problems.push(`${name}: must be ${parameter.expects}`)
        if (problems.length === 1) code = parameter.refusal
      } else if (isGarbled(text, query)) problems.push(`${name}: must be percent-encoded UTF-8`)
      else values[name] = value
    }
  }
  if (problems.length > 0) refuse(code, problems.join('; '))
  return values
}
