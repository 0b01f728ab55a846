/** The real service as a shop: one process on SQLite, three on PostgreSQL, all asked over HTTP. */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import type { Database } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import type { Answer, Sale, Shop } from './shop.ts'

export class Doors implements Shop {
  readonly #services: readonly TestService[]
  // Leaner than fetch, which would keep one of the cores busy by itself.
  readonly #agent = new Agent({ keepAlive: true })

  readonly #remove: () => Promise<void>

  private constructor(services: readonly TestService[], remove: () => Promise<void>) {
    this.#services = services
    this.#remove = remove
  }

  static async open(database: Database): Promise<Doors> {
    const { url, remove } = await database.open()
    const env = { DATABASE_URL: url, LOG_LEVEL: 'warn' }
    const start = () => TestService.start(process.execPath, env)
    const services = [await start()]
    if (database.name !== 'SQLite') services.push(...(await Promise.all([start(), start()])))
    return new Doors(services, remove)
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    await Promise.all(this.#services.map((service) => service.stop()))
    await this.#remove()
    for (const { log } of this.#services) assert.equal(log, '', 'nothing failed inside')
  }

  call(door: number, method: string, path: string, body?: object): Promise<Answer> {
    const { port, key } = this.#services[door % this.#services.length] as TestService
    const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) }
    return new Promise((resolve, reject) => {
      const sent = request({ port, method, path: `/v1${path}`, headers, agent: this.#agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response
          resolve({ status, text, json: text && JSON.parse(text), link: String(headers.link ?? '') })
        })
      })
      sent.on('error', reject).end(body && JSON.stringify(body))
    })
  }

  async stock(count: number): Promise<number[]> {
    const ids: number[] = []
    while (ids.length < count) {
      const some = Array.from({ length: Math.min(100, count - ids.length) }, (_, i) =>
        this.call(i, 'POST', '/pets', { name: 'Rex', categoryId: 1 }),
      )
      for (const { json } of await Promise.all(some)) ids.push(json.id)
    }
    return ids
  }

  buy(petId: number, buyer: number): Promise<Answer> {
    return this.call(buyer, 'POST', '/store/orders', { petId })
  }

  move(id: number, verb: 'complete' | 'cancel' | 'return', door: number): Promise<Answer> {
    return this.call(door, 'POST', `/store/orders/${id}/${verb}`)
  }

  sales(): Promise<Sale[]> {
    return this.#walk('/store/orders?limit=100')
  }

  async statuses(): Promise<Map<number, string>> {
    const pets = await this.#walk<{ id: number; status: string }>('/pets?limit=100')
    return new Map(pets.map(({ id, status }) => [id, status]))
  }

  async #walk<Row>(first: string): Promise<Row[]> {
    const rows: Row[] = []
    for (let path: string | undefined = first; path; ) {
      const answer: Answer = await this.call(rows.length, 'GET', path)
      rows.push(...answer.json)
      path = /\/v1(\/[^>]*)>; rel="next"$/.exec(answer.link)?.[1]
    }
    return rows
  }
}
