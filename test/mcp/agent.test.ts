/** `/mcp` as an agent uses it, with the official client, in both revisions of the protocol. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onOneTarget, type TestService } from '../../harness/service.ts'

const revisions = { '2026-07-28': { mode: { pin: '2026-07-28' } }, '2025-11-25': { mode: 'legacy' } } as const

async function connect({ url, key }: TestService, revision: keyof typeof revisions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: revisions[revision] })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return client
}

/** The client checks what comes against the output schema of the tool. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as unknown as [{ text: string }]
  if (isError) return { error: JSON.parse(text) }
  if (structuredContent) assert.deepEqual(JSON.parse(text), structuredContent)
  return structuredContent ?? text
}

onOneTarget('an agent', (service) => {
  for (const revision of Object.keys(revisions) as (keyof typeof revisions)[])
    test(`An agent can sell an animal with only the list of tools, in revision ${revision} [decision 17]`, async () => {
      const client = await connect(service(), revision)
      assert.equal(client.getServerVersion()?.name, 'petstore')
      assert.match(client.getInstructions() ?? '', /listPets.*placeOrder.*completeOrder/)
      const { tools } = await client.listTools()
      /** Returns the tool whose title contains these words, and its only required argument. */
      const find = (title: RegExp) => {
        const tool = tools.find((each) => title.test(each.title ?? ''))
        assert.ok(tool, String(title))
        return { name: tool.name, needs: tool.inputSchema.required?.[0] as string, tool }
      }
      const add = find(/^Add an animal/)
      for (let i = 0; i < 3; i++)
        await use(client, add.name, { name: `Agent ${revision} ${i}`, categoryId: '9007199254740993' })

      const list = find(/^List animals/)
      assert.ok(list.tool.annotations?.readOnlyHint)
      const filters = { search: `agent ${revision}`, status: 'available', limit: 1 }
      const found = []
      for (let next: string | undefined, pages = 0; pages === 0 || next; pages++) {
        assert.ok(pages < 10)
        const page = await use(client, list.name, { ...filters, ...(next && { cursor: next }) })
        found.push(...page.body)
        next = page.next
      }
      assert.deepEqual(
        found.map(({ name }) => name),
        [0, 1, 2].map((i) => `Agent ${revision} ${i}`),
      )
      assert.ok(
        found.every(({ categoryId }) => categoryId === '9007199254740993'),
        'exact, as a string',
      )

      const order = find(/^Order an animal/)
      const sale = { [order.needs]: found[1].id, 'Idempotency-Key': `sale ${revision}`.replace(' ', '-') }
      const placed = await use(client, order.name, sale)
      assert.deepEqual(await use(client, order.name, sale), placed, 'a repeated call is one order')
      const taken = await use(client, order.name, { [order.needs]: found[1].id })
      assert.equal(taken.error.code, 'pet_not_available')
      const complete = find(/^Complete an order/)
      const done = await use(client, complete.name, { [complete.needs]: placed.body.id })
      assert.equal(done.body.status, 'completed')
      const sold = await use(client, list.name, { id: [found[1].id] })
      assert.equal(sold.body[0].status, 'sold')
      await client.close()
    })

  test('An agent can change only the version that it has seen, and removes an animal if it may', async () => {
    const client = await connect(service(), '2026-07-28')
    const added = await use(client, 'createPet', { name: 'Once', categoryId: 1 })
    const change = { petId: added.body.id, 'If-Match': added.etag }
    const changed = await use(client, 'updatePet', { ...change, name: 'Twice' })
    assert.equal(changed.body.name, 'Twice')
    assert.equal((await use(client, 'updatePet', { ...change, name: 'Thrice' })).error.code, 'precondition_failed')
    const read = await use(client, 'listPets', { id: [String(added.body.id)] })
    assert.equal(read.etag, changed.etag)
    assert.equal(await use(client, 'deletePet', { petId: String(added.body.id) }), 'The animal was removed.')
    assert.equal((await use(client, 'deletePet', { petId: added.body.id })).error.status, 404)
    await client.close()
  })
})
