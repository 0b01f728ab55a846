/** For each operation a bare server that answers the bytes the service answers: the yardstick of a run. */
import type { Contender, Event } from './contest.ts'
import { loadsOf, type OperationName, operations, petstore } from './requests.ts'
import { node, type Server } from './server.ts'
import type { Stage } from './stage.ts'

export async function startLimits(
  stage: Stage,
  service: Server,
  key: string,
): Promise<(operation: OperationName) => Omit<Contender, 'load'>> {
  const limits = new Map<OperationName, Server>()
  for (const operation of operations) {
    const env = { BODY: await answerTo(operation, service, key) }
    limits.set(operation, await stage.start(`LIMIT for ${operation}`, [node, 'bench/limit.ts'], { env }))
  }
  return (operation) => ({ name: 'LIMIT', servers: [limits.get(operation) as Server], key })
}

/** Each operation on `count` animals, asked of the bare server and of the services. */
export async function againstLimits(
  stage: Stage,
  services: readonly Server[],
  key: string,
  count: number,
): Promise<Event[]> {
  const limitOf = await startLimits(stage, services[0] as Server, key)
  const loads = loadsOf(petstore, stage.folder, count)
  return operations.map((name) => ({
    name,
    contenders: [limitOf(name), ...services.map((server) => ({ name: server.name, servers: [server], key }))].map(
      (contender) => ({ ...contender, load: loads[name] }),
    ),
  }))
}

async function answerTo(operation: OperationName, { port }: Server, key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const animals = `http://127.0.0.1:${port}${petstore.animals}`
  const response =
    operation === 'POST /pets'
      ? await fetch(animals, { method: 'POST', headers, body: petstore.newAnimal })
      : await fetch(operation === 'GET /pets/{petId}' ? `${animals}/50000` : animals, { headers })
  if (!response.ok) throw new Error(`the service answers ${response.status} to ${operation}`)
  return response.text()
}
