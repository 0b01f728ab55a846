/** GET /pets/{petId}: the end of the operation, and its announcement behind another address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { type Answer, onOneTarget } from '../support/service.ts'

const sunset = Date.UTC(2030, 11, 5)

function expectAnnouncement({ headers }: Answer, publicUrl: string, origin: string): void {
  assert.match(headers.get('deprecation') ?? '', /^@[1-9][0-9]*$/)
  assert.ok(Number(headers.get('deprecation')?.slice(1)) * 1000 < sunset)
  assert.equal(headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
  assert.equal(
    headers.get('link'),
    `<${origin}/docs>; rel="deprecation"; type="text/html", <${origin}/docs>; rel="sunset"; type="text/html", ` +
      `<${publicUrl}/pets>; rel="successor-version"`,
  )
}

onOneTarget('The end of getPet', (service) => {
  const documented = async () => {
    const { json } = await service().call('GET', '//openapi.json', { key: null })
    return Object.values<Record<string, { operationId: string }>>(json.paths)
      .flatMap((operations) => Object.values(operations))
      .map(({ operationId }) => operationId)
  }

  test('is not before 5 December 2030', async () => {
    const { id } = await addPet(service())
    await service().setClock(sunset - 1)
    assert.equal((await service().call('GET', `/pets/${id}`)).status, 200)
    assert.equal((await service().call('HEAD', `/pets/${id}`)).status, 200)
    assert.ok((await documented()).includes('getPet'))
    const { headers } = await service().call('OPTIONS', `/pets/${id}`, { key: null })
    assert.match(headers.get('allow') ?? '', /\bGET, HEAD\b/)
  })

  test('is from the first instant of that day on [D54]', async () => {
    const { id } = await addPet(service())
    for (const now of [sunset, sunset + 1, sunset + 365 * 24 * 60 * 60 * 1000]) {
      await service().setClock(now)
      for (const path of [`/pets/${id}`, '/pets/9223372036854775807', '/pets/abc'])
        expectError(await service().call('GET', path), 410, 'endpoint_removed')
      assert.equal((await service().call('HEAD', `/pets/${id}`)).status, 410)
    }
  })

  test('takes the operation out of the OpenAPI document and of Allow, and leaves the others [D54]', async () => {
    await service().setClock(sunset)
    const operations = await documented()
    assert.ok(!operations.includes('getPet'))
    assert.ok(operations.includes('listPets') && operations.includes('createPet'))
    const { headers } = await service().call('OPTIONS', '/pets/1', { key: null })
    assert.doesNotMatch(headers.get('allow') ?? '', /GET|HEAD/)
  })

  test('does not affect its replacement', async () => {
    const pet = await addPet(service())
    await service().setClock(sunset)
    assert.deepEqual((await service().call('GET', `/pets?id=${pet.id}`)).json, [pet])
  })
})

onOneTarget(
  'getPet behind another address',
  (service) => {
    test('names the docs and the successor under PUBLIC_URL', async () => {
      const answer = await service().call('GET', '/pets/1')
      expectAnnouncement(answer, 'https://shop.example/api/v1', 'https://shop.example')
    })
  },
  { PUBLIC_URL: 'https://shop.example/api/v1' },
)
