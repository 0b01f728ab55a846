/** Runs a workflow step by step, as the table of workflows has it. */
import type { Step, Value, Workflow } from './workflows.ts'

/** What steps have put out, by step and name. */
export type Outputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface Surroundings {
  /** The base URL of the API. */
  readonly baseUrl: string
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>
  /** Resolves with whether an awaited step that was tried so often is to be tried again, when that is to happen. */
  readonly again: (tries: number) => Promise<boolean>
}

/** Resolves with what all steps have put out. Those of `done` were taken already. Throws if one is not as expected. */
export async function runWorkflow(
  { title, steps }: Workflow,
  inputs: Readonly<Record<string, string>>,
  { baseUrl, fetch, again }: Surroundings,
  done: Outputs = {},
): Promise<Outputs> {
  const outputs: Record<string, Readonly<Record<string, unknown>>> = { ...done }
  const resolve = (value: Value | undefined): unknown => {
    const [, input, step = '', output = ''] =
      /^\$inputs\.(\w+)$|^\$steps\.(\w+)\.outputs\.(\w+)$/.exec(String(value)) ?? []
    if (step === '' && input === undefined) return value
    return found(input === undefined ? outputs[step]?.[output] : inputs[input], `${value} of "${title}"`)
  }
  for (const [id, step] of Object.entries(steps)) {
    if (id in done) continue
    for (let tries = 1; ; tries++) {
      const { url, ...request } = requestOf(step, resolve)
      const response = await fetch(baseUrl + url, request)
      const text = await response.text()
      const fault = faultIn(step, response.status, text, resolve)
      if (fault === undefined) {
        const read = ([name, where]: [string, string]) => [name, found(partOf(where, response, text), where)]
        outputs[id] = Object.fromEntries(Object.entries(step.outputs ?? {}).map(read))
        break
      }
      if (!step.isAwaited || response.status >= 400 || !(await again(tries)))
        throw new Error(`"${title}", ${id}: ${fault}: ${response.status} ${text.slice(0, 200)}`)
    }
  }
  return outputs
}

function requestOf({ operation, parameters = {}, body, key = 'apiKey' }: Step, resolve: (value: Value) => unknown) {
  const { method, path, params = {} } = operation
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (!(name in params)) query.append(name, String(resolve(value)))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(resolve(parameters[name] ?? ''))))
  const members = body && Object.entries(body).map(([name, value]) => [name, resolve(value)])
  return {
    url: query.size > 0 ? `${filled}?${query}` : filled,
    method,
    headers: {
      Authorization: `Bearer ${resolve(`$inputs.${key}`)}`,
      ...(members && { 'Content-Type': 'application/json' }),
    },
    ...(members && { body: JSON.stringify(Object.fromEntries(members)) }),
  }
}

/** Why a response is not as the step expects it. */
function faultIn({ operation, expect = {} }: Step, status: number, text: string, resolve: (value: Value) => unknown) {
  if (status !== operation.answer.status) return `the status is not ${operation.answer.status}`
  const wrong = Object.entries(expect).find(([pointer, value]) => atPointer(text, pointer) !== resolve(value))
  return wrong && `${wrong[0]} is not ${resolve(wrong[1])}`
}

/** What `$response.body#/POINTER` and `$response.header.NAME` stand for. */
function partOf(where: string, response: Response, text: string): unknown {
  const [, pointer] = /^\$response\.body#(.*)$/.exec(where) ?? []
  return pointer === undefined
    ? (response.headers.get(where.replace('$response.header.', '')) ?? undefined)
    : atPointer(text, pointer)
}

const atPointer = (json: string, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, name) => value?.[name], JSON.parse(json))

const found = (value: unknown, where: string): unknown => {
  if (value === undefined) throw new Error(`There is no ${where}.`)
  return value
}
