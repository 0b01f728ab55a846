/** Helpers that tests of HTTP answers share: the form of an error, a new animal, the next page. */
import assert from 'node:assert/strict'
import type { Answer, TestService } from './service.ts'

/** Checks the whole form of an error, and returns its message. */
export function expectError(answer: Answer, status: number, code: string): string {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.json ?? {}).sort(), ['code', 'message', 'status'], answer.text)
  assert.equal(answer.json.code, code, answer.text)
  assert.equal(answer.json.status, status)
  assert.ok(typeof answer.json.message === 'string' && answer.json.message !== '')
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  return answer.json.message
}

let lastCategory = 2 ** 47
/** Returns a category that no other test uses, so that a filter by it shows only the animals of one test. */
export const freshCategory = (): number => ++lastCategory

export interface Pet {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status?: string
}

export async function addPet(service: TestService, pet: object = {}): Promise<Pet> {
  const answer = await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1, ...pet } })
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}

/** Adds animals one after another, so that their ids rise in the given order. */
export async function addPets(service: TestService, count: number, pet: object = {}): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) ids.push((await addPet(service, pet)).id)
  return ids
}

export const idsOf = (answer: Answer): number[] => answer.json.map((pet: Pet) => pet.id)

/** Returns the address of the next page, relative to the base address, or undefined on the last page. */
export function nextPage(answer: Answer): string | undefined {
  const link = answer.headers.get('link')
  if (link === null) return undefined
  const [, target] = /^<[^>]*\/v1(\/[^>]*)>; rel="next"$/.exec(link) ?? []
  assert.ok(target, `not a link to a next page: ${link}`)
  return target
}

export function cursorOf(answer: Answer): string {
  const cursor = new URLSearchParams(nextPage(answer)?.split('?')[1]).get('cursor')
  assert.ok(cursor, 'the page has no next page')
  return cursor
}
