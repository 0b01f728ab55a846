/** The receiver of a webhook, which accepts every message. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventText } from '../../harness/simulation/followers.ts'
import type { Waiting } from '../../harness/simulation/real.ts'
import type { RealShop } from '../../harness/simulation/real-shop.ts'

export class Receiver implements Waiting {
  readonly name = 'the receiver of the webhook'
  readonly #shop: RealShop
  readonly #received = new Set<string>()
  /** The last event before the receiver existed. */
  #since = 0
  readonly #server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    this.#received.add(body)
    response.end()
  })

  constructor(shop: RealShop) {
    this.#shop = shop
  }

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
    const add = () => this.#shop.send(this.#shop.clients.staff, 'POST', '/webhooks', { url })
    let answer = await add()
    // The client may have left before the answer. A second webhook then sends the same messages again.
    while (answer === 'lost') answer = await add()
    if (answer === 'stream' || answer.status !== 201)
      throw new Error(`the webhook was refused: ${JSON.stringify(answer)}`)
    this.#since = this.#shop.ledger.lastId
  }

  /** Whether each event was sent at least once. */
  get isUpToDate(): boolean {
    const { told } = this.#shop.ledger
    return told.every((event) => event.id <= this.#since || this.#received.has(eventText(event)))
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
