/** The requests of a busy shop: workflows, one after another and beside each other, at a steady rate. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { issueKey, rotateKey } from '../keys/keys.ts'
import { limits } from '../limits.ts'
import { scopes } from '../model/key.ts'
import type { KeyTable } from '../store/key-table.ts'
import { every, sleep, type Time, timeText } from '../time.ts'
import { type Outputs, runWorkflow } from '../workflows/run.ts'
import { workflows } from '../workflows/workflows.ts'

interface TrafficOptions {
  readonly keys: KeyTable
  readonly baseUrl: string
  /** Requests per second. */
  readonly rate: number
  readonly time: Time
  readonly stopped: Promise<unknown>
}

export const rateRange = [0.1, 1_000] as const
const tickMilliseconds = 20
/** Requests under way at a time: if the service is slower than the rate, it gets fewer. */
const underWayMax = 50
const holdMilliseconds = 20_000
const lookMilliseconds = 5_000
const looksMax = 60
/** So many stay sold; then one is taken back for each that is sold, as an animal with orders cannot be removed. */
const soldMax = 30
/** What is done in turns. */
const turns = ['follow', 'sell', 'reserve', 'sell', 'takeWebhook', 'sell'] as const
/** How many animals must be for sale; with fewer, the shop is followed. */
const animalsFor: Readonly<Record<string, number>> = { sell: 1, reserve: 50 }
/** Done by one at a time; meanwhile the shop is followed. */
const alone = ['restock', 'takeWebhook']

/** Resolves with what was sent, once `stopped` has. */
export async function sendTraffic({ keys, baseUrl, rate, time, stopped }: TrafficOptions): Promise<string> {
  const aborting = new AbortController()
  const { signal } = aborting
  /** Requests that wait for their time. */
  const waiting: (() => void)[] = []
  let [requests, underWay, begun, done, failed, fault] = [0, 0, 0, 0, 0, '']
  const underWayAlone = new Set<string>()

  const surroundings = {
    baseUrl,
    async fetch(url: string, request: RequestInit) {
      if (!signal.aborted) await new Promise<void>((resolve) => waiting.push(resolve))
      signal.throwIfAborted()
      requests++
      underWay++
      return fetch(url, { ...request, signal }).finally(() => underWay--)
    },
    async again(looks: number) {
      await sleep(time, lookMilliseconds)
      return looks < looksMax && !signal.aborted
    },
  }
  const now = time.now()
  const ownRate = { requests: limits.rate.requestsMax, seconds: 1 }
  const old = await issueKey(keys, { name: 'traffic', scopes, now, expiresAt: undefined, rate: ownRate })
  const { token: apiKey } = await rotateKey(keys, old.key, now)
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const inputs = { apiKey, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` }

  /** Animals by id: those the traffic is about, those of them that are for sale, and those that a workflow is about. */
  let stock: readonly number[] = []
  const free = new Set<unknown>()
  const inHand = new Set<unknown>()
  const sold: Outputs[] = []
  const run = (name: keyof typeof workflows, more = {}, taken: Outputs = {}) =>
    runWorkflow(workflows[name], { ...inputs, ...more }, surroundings, taken)
  /** With an animal that the shop has, instead of a new one. */
  async function withAnimal(
    name: keyof typeof workflows,
    more = {},
    taken: Outputs = { addAnimal: { petId: free.values().next().value } },
  ): Promise<Outputs> {
    const petId = taken.addAnimal?.petId
    free.delete(petId)
    inHand.add(petId)
    return run(name, more, taken).finally(() => inHand.delete(petId))
  }
  const work = {
    rotate: () => run('rotateKey', { apiKey: old.token, newKey: apiKey }),
    follow: () => run('follow'),
    takeWebhook: () => run('webhook'),
    async sell() {
      const { addAnimal = {}, orderAnimal = {}, sellAnimal = {} } = await withAnimal('firstSale')
      sold.push({ addAnimal, orderAnimal, sellAnimal })
      if (sold.length > soldMax) free.add((await withAnimal('takeBack', {}, sold.shift())).addAnimal?.petId)
    },
    async reserve() {
      const heldUntil = timeText(time.now() + holdMilliseconds)
      free.add((await withAnimal('reservation', { heldUntil })).addAnimal?.petId)
    },
    async restock() {
      const taken = new Set(inHand)
      const headers = { Authorization: `Bearer ${apiKey}` }
      const own = stock.length > 0 ? `&id=${stock.join()}` : ''
      const list = await surroundings.fetch(`${baseUrl}/pets?status=available&limit=100${own}`, { headers })
      if (!list.ok) throw new Error(`the animals for sale cannot be listed: ${list.status}`)
      const found = ((await list.json()) as { id: number }[]).map(({ id }) => id)
      if (stock.length === 0) stock = found
      for (const id of found) if (!taken.has(id) && !inHand.has(id)) free.add(id)
    },
  }

  function begin(): void {
    const wanted = begun === 0 ? 'rotate' : (turns[begun % turns.length] ?? 'follow')
    const possible = free.size >= (animalsFor[wanted] ?? 0) ? wanted : wanted === 'sell' ? 'restock' : 'follow'
    const name = underWayAlone.has(possible) ? 'follow' : possible
    if (alone.includes(name)) underWayAlone.add(name)
    begun++
    work[name]()
      .then(() => void done++)
      .catch((error: Error) => {
        if (signal.aborted) return
        failed++
        fault ||= `; the first: ${error.message}`
      })
      .finally(() => underWayAlone.delete(name))
  }

  const startedAt = time.ticks()
  let given = 0
  const cancel = every(time, tickMilliseconds, () => {
    const due = ((time.ticks() - startedAt) * rate) / 1_000
    for (; given < due && underWay < underWayMax; given++) {
      if (waiting.length === 0) begin()
      waiting.shift()?.()
    }
    // What the service could not take in its time, or was missed as the computer slept, is not made up for.
    given = Math.max(given, Math.floor(due))
  })
  await stopped
  cancel()
  aborting.abort()
  for (const resolve of waiting) resolve()
  receiver.close()
  receiver.closeAllConnections()
  const seconds = Math.round((time.ticks() - startedAt) / 1_000)
  return `Traffic: ${requests} requests in ${seconds} s; ${done} workflows done, ${failed} failed${fault}`
}
