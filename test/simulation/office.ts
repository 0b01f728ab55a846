/** The commands of the operator, each a process beside the service: a file is imported, keys are rotated and revoked. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Folder, petstore } from '../support/process.ts'
import type { RealShop } from './real-shop.ts'
import { Violation } from './world.ts'

/** Who look just when an import ends. */
const lookers = 6
const rowsMax = 40

export class Office {
  readonly #shop: RealShop
  readonly #env: Record<string, string>
  readonly #folder = new Folder()

  constructor(shop: RealShop, url: string) {
    this.#shop = shop
    this.#env = { DATABASE_URL: url, DATABASE_TIMEOUT: '60000' }
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }

  async run(): Promise<void> {
    const { world, clients } = this.#shop
    await this.#import()
    const { buyers, doomed } = clients
    const { code, stdout, stderr } = await petstore(['keys', 'rotate', buyers.token], { env: this.#env })
    if (code !== 0) throw new Violation('commands work beside the service', stderr)
    // The old one keeps working: some go on with it.
    clients.buyers = { ...buyers, token: stdout.trim() }
    world.note('a key is rotated')
    doomed.isRevoking = true
    const revoked = await petstore(['keys', 'revoke', doomed.token], { env: this.#env })
    if (revoked.code !== 0) throw new Violation('commands work beside the service', revoked.stderr)
    doomed.revokedAt = world.ticks
    world.note('a key is revoked')
  }

  /** By two at the same time, who have the same file: its animals are added once. */
  async #import(): Promise<void> {
    const { world, clients } = this.#shop
    const rows = world.whole(1, rowsMax)
    const file = join(this.#folder.path, 'animals.csv')
    const lines = Array.from({ length: rows }, (_, row) => `Imported ${row},2\n`)
    writeFileSync(file, `name,categoryId\n${lines.join('')}`)
    const importing = [0, 1].map(() => petstore(['import', file], { env: this.#env }))
    const looking = Array.from({ length: lookers }, (_, looker) =>
      this.#shop.ask(clients.staff, looker % 2 ? { kind: 'counts' } : { kind: 'list', limit: 100 }),
    )
    const ended = await Promise.all(importing)
    await Promise.all(looking)
    if (!ended.some(({ code }) => code === 0))
      throw new Violation('commands work beside the service', ended.map(({ stderr }) => stderr).join(''))
    await this.#shop.observe()
    const added = this.#shop.ledger.events.filter(({ cause }) => cause === 'an import').length
    if (added !== rows) throw new Violation('a file is imported once', `${added} of ${rows} animals were added`)
    world.note(`import of ${rows}`)
  }
}
