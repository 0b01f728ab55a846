/** Reads the request that a panel describes, writes it as programs, and formats JSON as it was received. */
import { programsOf, type SampleRequest } from './programs.ts'

/** The address for requests: the service that served the page, the only origin that the policy of the page allows. */
export const here = location.origin + (document.body.dataset.base ?? '')

/** Returns the request for what is entered. In a list, commas separate the items. */
export function requestOf(form: HTMLFormElement): SampleRequest {
  const { method = 'GET', path = '' } = form.dataset
  let target = path
  const query: string[] = []
  const headers: [string, string][] = []
  const { type = '', body } = Object.fromEntries(new FormData(form)) as Record<string, string>
  for (const input of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name*=" "]')) {
    const [parameterIn, name = ''] = input.name.split(' ')
    const text = input.value.trim()
    const items = input.dataset.list === undefined ? [text] : text.split(',')
    const value = items.map((item) => encodeURIComponent(item.trim())).join(',')
    if (text === '') continue
    if (parameterIn === 'path') target = target.replace(`{${name}}`, value)
    else if (parameterIn === 'query') query.push(`${name}=${value}`)
    else headers.push([name, text])
  }
  if (body) headers.push(['Content-Type', type])
  const url = here + target + (query.length > 0 ? `?${query.join('&')}` : '')
  return { method, url, headers, body: body || undefined }
}

/** Returns the programs by the name of the language. */
export const programsFor = (request: SampleRequest): Readonly<Record<string, string>> =>
  programsOf({ ...request, body: request.body && compact(request.body) })

const jsonTokens = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g

/** Returns the tokens of JSON as they were sent, or undefined if the text is not JSON. */
function tokensOf(text: string): string[] | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  return text.match(jsonTokens)?.map((token) => token.replace(/^([{[])\s+/, '$1'))
}

/** Writes JSON on one line. Other texts stay unchanged. */
const compact = (text: string): string => tokensOf(text)?.join('') ?? text

/**
 * Writes JSON over several lines with every token as it was sent, so that no integer is rounded. Other texts stay
 * unchanged.
 */
export function pretty(text: string): string {
  const tokens = tokensOf(text)
  if (!tokens) return text
  let depth = 0
  let made = ''
  const line = () => `\n${'  '.repeat(depth)}`
  for (const token of tokens) {
    if (token === '{' || token === '[') {
      depth++
      made += token + line()
    } else if (token === '}' || token === ']') {
      depth--
      made += line() + token
    } else if (token === ',') made += token + line()
    else made += token === ':' ? ': ' : token
  }
  return made
}
