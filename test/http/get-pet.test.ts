/** GET /pets/{petId}: finding one animal, the announcement of its end, and the end itself. */
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

onOneTarget('getPet', (service) => {
  test('answers the animal as it was added', async () => {
    const pet = await addPet(service(), { name: 'Ada', categoryId: 3, status: 'sold' })
    const answer = await service().call('GET', `/pets/${pet.id}`)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, pet)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  })

  test('announces its removal on 200 and on 404', async () => {
    const { id } = await addPet(service())
    for (const path of [`/pets/${id}`, '/pets/9223372036854775807', '/pets/abc'])
      expectAnnouncement(await service().call('GET', path), `${service().url}/v1`, service().url)
  })

  test('announces nothing on other operations', async () => {
    const { headers } = await service().call('GET', '/pets?limit=1')
    for (const name of ['deprecation', 'sunset']) assert.equal(headers.get(name), null)
  })

  for (const id of ['9223372036854775807', '-9223372036854775808', '-1', '0'])
    test(`answers 404 for the identifier ${id}, which no animal has`, async () => {
      expectError(await service().call('GET', `/pets/${id}`), 404, 'pet_not_found')
    })

  const noInt64 = ['abc', '007', '+5', '5.0', '-0', '1e3', '9223372036854775808', '-9223372036854775809', '%31', '1%00']
  for (const id of [...noInt64, '%F0%9F%90%95', '%', '1,2', '١', 'x'.repeat(3000)])
    test(`answers 404 for "${id.slice(0, 24)}", which is no canonical int64`, async () => {
      await addPet(service())
      expectError(await service().call('GET', `/pets/${id}`), 404, 'pet_not_found')
    })

  test('ignores the query', async () => {
    const { id } = await addPet(service())
    assert.equal((await service().call('GET', `/pets/${id}?limit=0&x`)).status, 200)
  })
})

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

  test('is from the first instant of that day on', async () => {
    const { id } = await addPet(service())
    for (const now of [sunset, sunset + 1, sunset + 365 * 24 * 60 * 60 * 1000]) {
      await service().setClock(now)
      for (const path of [`/pets/${id}`, '/pets/9223372036854775807', '/pets/abc'])
        expectError(await service().call('GET', path), 410, 'endpoint_removed')
      assert.equal((await service().call('HEAD', `/pets/${id}`)).status, 410)
    }
  })

  test('takes the operation out of the OpenAPI document and of Allow, and leaves the others', async () => {
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
