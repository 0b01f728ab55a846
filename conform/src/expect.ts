/** The expectations of a rule, and the comparison of an answer with them. */
import { type Json, parseJson } from './json.ts'
import { differenceOf, type Matcher, type Pattern } from './pattern.ts'

export interface Received {
  readonly status: number
  /** The names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

export interface Expected {
  /** If there are several, any of them will do. */
  readonly status: number | readonly number[]
  /** The expected code of an error. */
  readonly code?: string
  readonly headers?: Readonly<Record<string, string | RegExp | Matcher | undefined>>
  readonly body?: Pattern
  /** The expected body, as the text that was sent. */
  readonly text?: string
}

/** Says what was expected. The message says what came instead. */
export class Mismatch extends Error {
  readonly expected: string
  /**
   * The part that was not as expected: the name of a header, `code`, `status` or `body`, or `message` for a webhook.
   */
  readonly subject: string
  constructor(subject: string, expected: string, actual: string) {
    super(actual)
    this.expected = expected
    this.subject = subject
  }
}

export const describe = ({ status, text }: Received): string => `${status} ${text}`.trim()

/** Throws at the first expectation that does not hold. */
export function compare(received: Received, { status, code, headers = {}, ...expected }: Expected): void {
  if (![status].flat().includes(received.status))
    throw new Mismatch('status', [status].flat().join(' or ') + (code ? ` ${code}` : ''), describe(received))
  for (const [name, pattern] of Object.entries(headers))
    compareValue(name, received.headers.get(name.toLowerCase()), pattern, name)
  if ('body' in expected) compareValue('body', bodyOf(received), expected.body)
  if (expected.text !== undefined) compareValue('body', received.text, expected.text)
  // The code comes last, so that a mismatch of the code means that everything else is as expected.
  if (code !== undefined) compareValue('code', bodyOf(received), { code })
}

/** Compares the items of several pages together. */
export const expectItems = (items: Json[], expected: Pattern): void => compareValue('body', items, expected)

function compareValue(subject: string, value: Json | undefined, pattern: Pattern, path = 'body'): void {
  const { expected, actual } = differenceOf(value, pattern, path) ?? {}
  if (expected !== undefined) throw new Mismatch(subject, expected, actual as string)
}

/** Parses the body, and throws a mismatch if it is not JSON. */
export function bodyOf(received: Received): Json {
  try {
    return parseJson(received.text)
  } catch {
    throw new Mismatch('body', 'a body of JSON', describe(received))
  }
}
