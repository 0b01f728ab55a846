/** Looks at what a server does for its speed, by asking it: the table of work left out is seen, not claimed. */
import { type Dialect, largeInteger } from './requests.ts'

export interface Work {
  /** Animals on a first page. */
  readonly page: number
  readonly key: 'checked' | 'any will do' | 'not asked for'
  readonly validation: 'yes' | 'no'
  readonly int64: 'exact' | 'rounded' | 'refused'
  /** Whether an animal that was added can be read afterwards. */
  readonly kept: 'yes' | 'no'
  /** Whether an unchanged page is answered with 304. */
  readonly etag: 'yes' | 'no'
  readonly requestId: 'yes' | 'no'
}

export async function observe(port: number, dialect: Dialect, key: string): Promise<Work> {
  const base = `http://127.0.0.1:${port}`
  const ask = (path: string, headers: Record<string, string> = {}, token: string | undefined = key) =>
    fetch(base + path, { headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers } })
  const add = (body: string) =>
    fetch(base + dialect.animals, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body,
    })
  const yes = (is: boolean) => (is ? 'yes' : 'no')

  const first = await ask(dialect.firstPage)
  // Left to itself fetch would add `Cache-Control: no-cache`, and thereby ask for no 304.
  const conditional = {
    'If-None-Match': first.headers.get('etag') ?? '"none"',
    'Cache-Control': 'max-age=0',
    Pragma: '',
  }
  const again = await ask(dialect.firstPage, conditional)
  const requestId = first.headers.get('x-request-id')
  const page = (await first.json()) as unknown[]

  const isOpen = (await ask(dialect.firstPage, {}, '')).ok
  const takesAny = (await ask(dialect.firstPage, {}, 'wrong')).ok

  const large = await add(`{"name":"Large","categoryId":${largeInteger},"status":"sold"}`)
  const largeText = await large.text()
  const added = await add('{"name":"Observed","categoryId":7,"status":"sold"}')
  const { id } = (await added.json()) as { id: number }
  const found = await (await ask(`${dialect.animals}/${id}`)).text()
  return {
    page: page.length,
    key: isOpen ? 'not asked for' : takesAny ? 'any will do' : 'checked',
    validation: yes(!(await add('{"name":"","categoryId":"seven"}')).ok),
    int64: !large.ok ? 'refused' : largeText.includes(largeInteger) ? 'exact' : 'rounded',
    kept: yes(found.includes('Observed')),
    etag: yes(again.status === 304),
    requestId: yes(requestId !== null && requestId !== again.headers.get('x-request-id')),
  }
}
