/** The fuzzer sends requests that are derived from the served OpenAPI document, and compares each answer with it. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { scopes } from '../src/model/key.ts'
import { createChecker, type DocumentedOperation, operationsOf } from './openapi.ts'
import type { Run } from './random.ts'
import { type FuzzRequest, requests, type TokenKind, tokenPattern } from './requests.ts'
import type { Answer, TestService } from './service.ts'

/**
 * Every operation must be reached, with success and with failure. An outcome that chance has left out is tried in this
 * many more requests; if none of them has it, the outcome cannot be reached.
 */
const requestsForOneOutcome = 2_000

/**
 * After this many requests, the webhooks that they have created are removed. Otherwise the service would mostly try to
 * reach their receivers.
 */
const requestsPerWebhooks = 200

/** The service must be allowed to send webhooks to this machine, where nobody receives them. */
export const fuzzEnvironment = { LOG_LEVEL: 'warn', WEBHOOKS_ALLOW: '127.0.0.1' }

/** Sends random requests, and fails at the first answer that the document does not describe. */
export async function fuzz(service: TestService, count: number, { seed, progress }: Run): Promise<void> {
  const { json: document } = await service.call('GET', '//openapi.json', { key: null })
  const check = createChecker(document)
  const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]))
  const client = new FuzzClient(
    service,
    await service.makeKey({ scopes }),
    await service.makeKey({ scopes: ['metrics:read'] }),
  )
  await client.prime()
  const isLimited = (await service.call('GET', '/me')).headers.has('ratelimit')
  const seen = new Set<string>()
  const send = async (request: FuzzRequest): Promise<void> => {
    const answer = await client.send(request)
    seen.add(`${request.operation} ${Math.floor(answer.status / 100)}xx`)
    assert.deepEqual(check(operations.get(request.operation) as DocumentedOperation, answer, request.method), [])
    assert.notEqual(answer.status, 503, 'each comes when the one before it is over')
    // A target that is too long is refused before the key is read.
    const isToldLimits = isLimited && ['good', 'weak'].includes(request.key) && answer.status !== 414
    for (const name of ['ratelimit', 'ratelimit-policy'])
      assert.equal(answer.headers.has(name), isToldLimits, `${request.method} ${request.path}: ${answer.status}`)
  }
  let sent = 0
  const property = fc.asyncProperty(requests(document), async (request) => {
    await send(request)
    if (++sent % requestsPerWebhooks === 0) await client.removeWebhooks()
    progress(sent)
  })
  await fc.assert(property, { numRuns: count, seed })
  // The two ids of redeliver must belong together, which happens rarely by chance.
  for (const operation of operations.values())
    for (const kind of operation.id === 'redeliver' ? ['4xx'] : ['2xx', '4xx']) {
      const outcome = `${operation.id} ${kind}`
      const ofOperation = requests(document, [operation])
      // The existing webhooks may have been removed.
      if (!seen.has(outcome)) await client.addWebhook()
      for (let more = 0; more < requestsForOneOutcome && !seen.has(outcome); more++)
        for (const request of fc.sample(ofOperation, { numRuns: 1, seed: seed + more })) await send(request)
      assert.ok(seen.has(outcome), `${operation.id} was never answered with ${kind}: the fuzzer does not reach it`)
    }
  assert.equal(service.log, '', 'nothing failed inside')
}

/** Sends requests, and fills in values from earlier answers. */
class FuzzClient {
  readonly #service: TestService
  readonly #key: string
  readonly #weakKey: string
  readonly #known: Record<TokenKind, string[]> = { id: ['1'], etag: ['"none"'], cursor: ['none'] }

  constructor(service: TestService, key: string, weakKey: string) {
    this.#service = service
    this.#key = key
    this.#weakKey = weakKey
  }

  /** Adds animals, open and completed orders, and named categories, so that random ids often exist. */
  async prime(): Promise<void> {
    for (let i = 0; i < 60; i++) {
      const pet = await this.#service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      await this.#service.call('PUT', `/categories/${pet.json.id}`, { body: { name: 'Dogs' } })
      if (i % 2 === 1) continue
      const order = await this.#service.call('POST', '/store/orders', { body: { petId: pet.json.id } })
      if (i % 4 === 0) await this.#service.call('POST', `/store/orders/${order.json.id}/complete`)
    }
  }

  async addWebhook(): Promise<void> {
    const answer = await this.#service.call('POST', '/webhooks', {
      key: this.#key,
      body: { url: 'https://127.0.0.1:1/' },
    })
    assert.equal(answer.status, 201, answer.text)
    this.#learn(answer)
  }

  async removeWebhooks(): Promise<void> {
    const { json, status, text } = await this.#service.call('GET', '/webhooks?limit=100', { key: this.#key })
    assert.equal(status, 200, text)
    for (const { id } of json) {
      const { status, text } = await this.#service.call('DELETE', `/webhooks/${id}`, { key: this.#key })
      assert.equal(status, 204, text)
    }
  }

  async send({ method, path, headers, body, key }: FuzzRequest): Promise<Answer> {
    const keys = { good: this.#key, weak: this.#weakKey, bad: 'pst_bad', none: null }
    const answer = await this.#service.call(method, this.#fill(path), {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#fill(value)])),
      ...(body !== undefined && { body: typeof body === 'string' ? this.#fill(body) : body }),
      key: keys[key],
    })
    this.#learn(answer)
    return answer
  }

  #fill(text: string): string {
    return text.replaceAll(tokenPattern, (_, kind: TokenKind, n: string) => {
      const known = this.#known[kind]
      return known[Number(n) % known.length] as string
    })
  }

  #learn({ text, headers }: Answer): void {
    const bring = (kind: TokenKind, value: string | null | undefined) => {
      if (value && !this.#known[kind].includes(value)) this.#known[kind] = [value, ...this.#known[kind]].slice(0, 50)
    }
    // These are ids that the service assigned. Clients choose the ids of categories.
    for (const [, id] of text.matchAll(/\{"id":(\d{1,6}),/g)) bring('id', id)
    bring('etag', headers.get('etag'))
    bring('cursor', /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1])
  }
}
