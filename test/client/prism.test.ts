/** Prism between the client and the service: whatever one says and the other answers, the document describes. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import * as client from '../../client/src/index.ts'
import { freshCategory } from '../support/expect.ts'
import { Folder, node, Program } from '../support/process.ts'
import { projectFile, root } from '../support/project.ts'
import { describeInFull } from '../support/scope.ts'
import { TestService } from '../support/service.ts'
import { changesOnlyWhatItMeans, makesNothingTwice, sells, walksPages } from './support/scenario.ts'

describeInFull('Prism', () => {
  const cli = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const folder = new Folder()
  let service: TestService

  before(async () => {
    service = await TestService.start(node, folder.env)
  })
  after(async () => {
    await service.stop()
    folder[Symbol.dispose]()
  })

  /** Prism before the service, refusing whatever the document does not describe, and a client that speaks to it. */
  async function throughPrism(document: string) {
    const prism = new Program([node, cli, 'proxy', document, `${service.url}/v1`, '--port', '0', '--errors'])
    const [, url = ''] = await prism.until(/listening on (http:\S+)/)
    const petstore = new client.PetStore({
      baseUrl: `${url}/v1`,
      apiKey: service.key,
      // Prism serves the paths of the document without the version.
      fetch: (target, init) => fetch(target.replace(`${url}/v1`, url), init),
    })
    return { prism, petstore, [Symbol.asyncDispose]: () => prism[Symbol.asyncDispose]() }
  }
  // Prism reads integers as floats, so every id here is below 2^53.
  const categoryId = () => BigInt(freshCategory())
  const complaint = / (?:warn|error) .*/

  test('the client and the service keep to the document', async () => {
    await using through = await throughPrism(join(root, 'openapi.json'))
    const { prism, petstore } = through
    await walksPages(petstore, categoryId())
    await changesOnlyWhatItMeans(client, petstore, categoryId())
    await sells(client, petstore, categoryId())
    await makesNothingTwice(petstore, categoryId())
    const [pet] = (await petstore.pets.list({ limit: 1 }).page()).items
    assert.deepEqual(pet, pet && (await petstore.pets.get(pet.id)))
    await assert.rejects(petstore.orders.get(2n ** 40n), client.NotFoundError)
    assert.equal(complaint.exec(prism.stdout)?.[0], undefined)

    await assert.rejects(petstore.pets.create({ name: '', categoryId: 1n }), client.UnexpectedAnswerError)
    assert.match((await prism.until(complaint))[0], /Invalid request/, 'Prism would have seen a bad request')
  })

  test('Prism would have seen an answer that the document does not describe', async () => {
    const other = join(folder.path, 'openapi.json')
    writeFileSync(other, projectFile('openapi.json').replaceAll('"available"', '"for-sale"'))
    await using through = await throughPrism(other)
    const call = through.petstore.pets.create({ name: 'Rex', categoryId: categoryId() })
    await assert.rejects(call, (error) => error instanceof client.UnexpectedAnswerError && error.status === 500)
  })
})
