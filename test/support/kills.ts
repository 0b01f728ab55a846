/** Kills a service that adds animals, again and again, and checks at each start that nothing acknowledged is lost, and that events tell of all there is. */
import assert from 'node:assert/strict'
import { onStore } from './catalogue.ts'
import { Follower } from './follower.ts'
import { Folder, makeKey, Served } from './process.ts'
import { integrityOf } from './sqlite.ts'

const clients = 6

/** A POST that was sent: with its answer where one came, without where the service was killed before. */
interface Sent {
  readonly name: string
  readonly body: string | undefined
}

/** Sends POSTs from several clients until the service dies; it is killed when the given number have been answered. */
async function loadUntilKilled(served: Served, key: string, cycle: number, answersMax: number): Promise<Sent[]> {
  const sent: Sent[] = []
  let answers = 0
  async function client(number: number): Promise<void> {
    for (let i = 0; ; i++) {
      const name = `cycle ${cycle}, client ${number}, animal ${i}`
      const answer = await post(served, key, name).catch(() => undefined)
      sent.push({ name, body: answer?.text })
      if (!answer) return
      assert.equal(answer.status, 201, answer.text)
      if (++answers === answersMax) served.signal('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  await served.ended
  return sent
}

const post = (served: Served, key: string, name: string) =>
  served.call('POST', '/pets', {
    key,
    body: { name, categoryId: 7 },
    headers: { 'Idempotency-Key': name.replaceAll(/\W/g, '-') },
  })

/** Every animal the service shows, by name; no name may come twice. */
async function animals(served: Served, key: string): Promise<Map<string, string>> {
  const byName = new Map<string, string>()
  let path: string | undefined = '/pets?limit=100'
  while (path !== undefined) {
    const { text, headers }: { text: string; headers: Headers } = await served.call('GET', path, { key })
    for (const pet of JSON.parse(text)) {
      assert.ok(!byName.has(pet.name), `twice: ${pet.name}`)
      byName.set(pet.name, JSON.stringify(pet))
    }
    const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    path = next?.slice(next.indexOf('/pets'))
  }
  return byName
}

/** Gives how many animals were acknowledged, and found, in all. */
export async function killUnderLoad(cycles: number, progress: (done: number) => void = () => {}): Promise<number> {
  using folder = new Folder()
  const key = await makeKey(folder.env)
  const acknowledged = new Map<string, string>()
  const follower = new Follower()
  let sent: Sent[] = []

  for (let cycle = 0; cycle <= cycles; cycle++) {
    await using served = await Served.start(folder.env)
    const held = await animals(served, key)
    for (const [name, body] of acknowledged) assert.equal(held.get(name), body, `lost: ${name}`)

    // A client that got no answer, or forgot it, sends the request again.
    async function repeat({ name }: Sent): Promise<void> {
      const again = await post(served, key, name)
      assert.equal(again.status, 201, `stuck: ${name}: ${again.text}`)
      assert.equal(again.headers.get('idempotency-replayed') === 'true', held.has(name), name)
      if (held.has(name)) assert.equal(again.text, held.get(name))
      acknowledged.set(name, again.text)
    }
    await Promise.all(sent.map(repeat))
    assert.deepEqual(await animals(served, key), acknowledged)
    const { json: counts } = await served.call('GET', '/store/inventory', { key })
    assert.deepEqual(counts, { available: acknowledged.size, pending: 0, sold: 0 })
    assert.equal(integrityOf(folder.database), 'ok')
    await onStore(folder.url, (store) => follower.check(store))
    if (cycle === cycles) break

    // From the first answer on, at another place in every cycle.
    sent = await loadUntilKilled(served, key, cycle, 1 + ((cycle * 37) % 101))
    for (const { name, body } of sent) if (body !== undefined) acknowledged.set(name, body)
    assert.equal(sent.filter(({ body }) => body === undefined).length, clients, 'each client was cut off')
    progress(cycle + 1)
  }
  return acknowledged.size
}
