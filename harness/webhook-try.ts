/** One attempt to send a webhook, with names that resolve as the test says. */

import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { networksOf } from '../src/config/network.ts'
import { systemTime } from '../src/time.ts'
import { addressesOf } from '../src/webhooks/address.ts'
import type { TryResult } from '../src/webhooks/send.ts'
import { createSender } from '../src/webhooks/send.ts'

export interface Attempt {
  readonly url: string
  /** The addresses of any name. Each list answers one query, and the last list also answers all further ones. */
  readonly addresses?: readonly (readonly string[])[]
  /** A lookup of names, instead of a list of their addresses. */
  readonly names?: Parameters<typeof addressesOf>[2]
  readonly allowed?: readonly string[]
  /** Certificates that are trusted instead of the authorities of the runtime. */
  readonly ca?: string
  readonly timeoutMilliseconds?: number
  /** How often the message is sent. The outcomes of all attempts are returned. */
  readonly times?: number
  /** Interrupts the attempt after it has begun. In a list, this happens after the last attempt of the list has ended. */
  readonly isBrokenOff?: boolean
}

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

export async function attempt(request: Attempt, later: Promise<unknown> = nextTurn()): Promise<TryResult[]> {
  const { url, addresses = [[]], names, allowed = [], ca, timeoutMilliseconds = 10_000, times = 1 } = request
  let asked = 0
  const sender = createSender({
    time: systemTime,
    allowed: networksOf(...allowed),
    resolve: async (name, signal) =>
      names ? addressesOf(name, signal, names) : (addresses[Math.min(asked++, addresses.length - 1)] ?? []),
    timeoutMilliseconds,
    ...(ca !== undefined && { ca }),
  })
  const breaking = new AbortController()
  const { signal } = breaking
  const outcomes: TryResult[] = []
  for (let tries = 0; tries < times; tries++) {
    const sent = sender.send({ url, id: 'msg_1_2', body: '{"id":2}', secrets: [secret], tries, signal })
    if (request.isBrokenOff) later.then(() => breaking.abort())
    outcomes.push(await sent)
  }
  return outcomes
}

/** Makes all attempts concurrently. */
async function attemptAll(requests: readonly Attempt[]): Promise<TryResult[]> {
  const last = Promise.withResolvers<void>()
  const sent = requests.map((request) => attempt(request, last.promise))
  sent.at(-1)?.then(() => last.resolve())
  return (await Promise.all(sent)).flat()
}

if (import.meta.main)
  for await (const line of createInterface({ input: process.stdin })) {
    const given: Attempt | Attempt[] = JSON.parse(line)
    const outcomes = Array.isArray(given) ? await attemptAll(given) : await attempt(given)
    process.stdout.write(`${JSON.stringify(outcomes)}\n`)
  }
