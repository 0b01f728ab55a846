/** `npm run bench:scale`: the service on Node with few, many and very many animals, each against the fewest. */
import { join } from 'node:path'
import { contest, table } from './contest.ts'
import { bars } from './picture.ts'
import { anyOf, loadsOf, pagePath, petstore, spreadOver } from './requests.ts'
import { node, serviceCommand, serviceOptions } from './server.ts'
import { onStage, type Stage } from './stage.ts'

await onStage(async (stage) => {
  const counts = stage.quick ? [1_000, 10_000, 100_000] : [10_000, 100_000, 1_000_000]
  const catalogues: Catalogue[] = []
  for (const count of counts) catalogues.push(await startCatalogue(stage, count))

  const [smallest] = catalogues as [Catalogue]
  const operations = Object.keys(smallest.loads) as (keyof Catalogue['loads'])[]
  const events = operations.map((name) => ({
    name,
    contenders: catalogues.map(({ loads, ...contender }) => ({ ...contender, load: loads[name] })),
  }))

  const rows = await contest(events, stage.pace)
  process.stdout.write(`${table(rows)}\n`)
  const title = 'Requests a second as the catalogue grows, as a part of the smallest'
  const names = catalogues.map(({ name }) => name)
  stage.record('scale', { animals: counts, rows }, bars(title, operations, names, rows))
})

type Catalogue = Awaited<ReturnType<typeof startCatalogue>>

async function startCatalogue(stage: Stage, count: number) {
  const name = `${count.toLocaleString('en')} animals`
  const database = `sqlite:${join(stage.folder, `${count}.db`)}`
  const key = await stage.fill(database, count)
  const server = await stage.start(name, serviceCommand(node), serviceOptions(database))
  const { 'GET /pets/{petId}': get, 'POST /pets': post, ...pages } = loadsOf(petstore, stage.folder, count)
  const everywhere = spreadOver(1, count)
  // In the last tenth, but not so near the end that a page would not be full.
  const end = spreadOver(Math.floor(count * 0.9), count - 25)
  const loads = {
    ...pages,
    'GET /pets, by status': anyOf(
      stage.folder,
      everywhere.map((id) => pagePath(id, 'available')),
    ),
    'GET /pets, deep page': anyOf(
      stage.folder,
      end.map((id) => pagePath(id)),
    ),
    'GET /pets/{petId}': get,
    'POST /pets': post,
  }
  return { name, servers: [server], key, loads }
}
