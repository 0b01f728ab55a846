/**
 * The commands of the operator, each of which is a process beside the service. They import a file, and rotate and
 * revoke keys.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Folder, petstore } from '../process.ts'
import type { RealShop } from './real-shop.ts'
import { Violation } from './world.ts'

/** The number of clients who read just when an import ends. */
const lookers = 6
const rowsMax = 40
const triesMax = 5

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
    // The old key continues to work, and some buyers continue to use it.
    clients.buyers = { ...buyers, token: (await this.#done('keys', 'rotate', buyers.token)).trim() }
    world.note('a key is rotated')
    doomed.isRevoking = true
    await this.#done('keys', 'revoke', doomed.token)
    doomed.revokedAt = world.ticks
    world.note('a key is revoked')
  }

  /**
   * Runs a command that must succeed, and returns its output. It may fail if another process has had the lock for too
   * long.
   */
  async #done(...args: string[]): Promise<string> {
    for (let tries = 1; ; tries++) {
      const { code, stdout, stderr } = await petstore(args, { env: this.#env })
      if (code === 0) return stdout
      if (tries === triesMax) throw new Violation('commands work beside the service', stderr)
    }
  }

  /** Two processes import the same file concurrently, and its animals must be added once. */
  async #import(): Promise<void> {
    const { world, clients } = this.#shop
    const rows = world.whole(1, rowsMax)
    const file = join(this.#folder.path, 'animals.csv')
    const lines = Array.from({ length: rows }, (_, row) => `Imported ${row},2\n`)
    writeFileSync(file, `name,categoryId\n${lines.join('')}`)
    // One process is refused after the other has finished, and each resumes where the other has given up.
    const importing = [0, 1].map(() => petstore(['import', file], { env: this.#env }))
    const looking = Array.from({ length: lookers }, (_, looker) =>
      this.#shop.ask(clients.staff, looker % 2 ? { kind: 'counts' } : { kind: 'list', limit: 100 }),
    )
    const ended = await Promise.all(importing)
    await Promise.all(looking)
    if (!ended.some(({ code }) => code === 0)) await this.#done('import', file)
    await this.#shop.observe()
    const added = this.#shop.ledger.events.filter(({ cause }) => cause === 'an import').length
    if (added !== rows) throw new Violation('a file is imported once', `${added} of ${rows} animals were added`)
    world.note(`import of ${rows}`)
  }
}
