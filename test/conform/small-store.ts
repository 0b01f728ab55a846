/**
 * A correct pet store that was written from the interface alone. Where the interface leaves something open, it does the
 * simplest thing.
 */
import type { Received } from '../../conform/src/expect.ts'
import type { Sent } from '../../conform/src/request.ts'

interface Pet {
  readonly name: string
  /** The digits follow a mark, because a number cannot contain every int64. */
  readonly categoryId: string
  readonly status?: string
}

const statuses = ['available', 'pending', 'sold']
const isInt64 = (digits: string) => BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)

export function smallStore(key: string): (sent: Sent) => Promise<Received> {
  const pets: Pet[] = []
  const headers = new Map([['content-type', 'application/json']])
  const answer = (status: number, text: string): Received => ({ status, headers, text })
  const failure = (status: number, code: string) =>
    answer(status, JSON.stringify({ code, message: `The request cannot be answered: ${code}.`, status }))
  const written = (id: number) => {
    const text = JSON.stringify({ id, ...pets[id - 1] })
    return text.replace(/"#(-?\d+)"/, '$1')
  }

  function list(query: URLSearchParams): Received {
    const [limit, status] = [Number(query.get('limit') ?? 20), query.get('status')]
    if (!(limit >= 1 && limit <= 100)) return failure(400, 'bad_limit')
    if (status !== null && !statuses.includes(status)) return failure(400, 'bad_status')
    const found = pets.flatMap((pet, i) => (status === null || pet.status === status ? [i + 1] : []))
    return answer(200, `[${found.slice(0, limit).map(written)}]`)
  }

  function create(text: string): Received {
    try {
      const marked = text.replace(/("categoryId"\s*:\s*)(-?\d+)(?=\s*[,}])/, '$1"#$2"')
      const { name, categoryId, status }: Pet = JSON.parse(marked)
      const isRight =
        typeof name === 'string' &&
        /^#-?\d+$/.test(categoryId) &&
        isInt64(categoryId.slice(1)) &&
        (status === undefined || (typeof status === 'string' && statuses.includes(status)))
      if (!isRight) return failure(400, 'bad_pet')
      return answer(201, written(pets.push({ name, categoryId, ...(status && { status }) })))
    } catch {
      return failure(400, 'bad_json')
    }
  }

  return async ({ method, url, headers, body = Buffer.alloc(0) }) => {
    const { pathname, searchParams } = new URL(url)
    if (new Headers(headers as [string, string][]).get('authorization') !== `Bearer ${key}`)
      return failure(401, 'unauthorized')
    const [, id] = /^\/v1\/pets\/(-?\d+)$/.exec(pathname) ?? []
    if (method === 'GET' && id !== undefined)
      return pets[Number(id) - 1] ? answer(200, written(Number(id))) : failure(404, 'no_pet')
    if (method === 'GET' && pathname === '/v1/pets') return list(searchParams)
    return method === 'POST' && pathname === '/v1/pets' ? create(String(body)) : failure(404, 'not_found')
  }
}
