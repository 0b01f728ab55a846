/**
 * A wrong declaration of an operation fails at the type check or at the start, with a sentence that says what to
 * change.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '../../src/app.ts'
import { checkDeclarations } from '../../src/http/declarations.ts'
import { operation } from '../../src/http/operation.ts'
import { int64 } from '../../src/http/parameters.ts'
import { NewPet } from '../../src/model/pet.ts'

const plain = {
  id: 'feedPet',
  method: 'POST',
  path: '/pets/{petId}/feed',
  tag: 'animals',
  summary: 'Feed an animal',
  description: 'Feeds an animal.',
  params: { petId: int64('Identifier of the animal.', 42) },
  answer: { status: 204, description: 'It was fed.' },
  run: () => ({ status: 204, body: '' }),
} as const

const refused = (declared: Parameters<typeof checkDeclarations>[0], ...sentences: string[]) =>
  assert.throws(
    () => checkDeclarations(declared),
    (error: Error) => {
      assert.deepEqual(error.message.split('\n').slice(1), sentences)
      return true
    },
  )

describe('a declaration', () => {
  test('The declarations of all operations and of a minimal one are valid', () => {
    checkDeclarations(operations)
    checkDeclarations([operation(plain)])
  })

  test('A declaration is refused unless its params are exactly those of its path', () => {
    refused([operation({ ...plain, params: {} })], 'feedPet: its path has {petId}; declare it in params.')
    refused(
      [operation({ ...plain, path: '/feed' })],
      'feedPet: params has petId; put {petId} into its path, or declare it in query.',
    )
  })

  test('A declaration is refused if its path contains the version or ends in a slash', () => {
    for (const path of ['/v1/pets/{petId}', '/pets/{petId}/', '/pets/{petId}.json', '/pets/{petId}/{pet-id}'] as const)
      refused(
        [operation({ ...plain, path })],
        `feedPet: its path ${path} may have only /words and /{names}; remove /v1 before them and a slash at the end.`,
      )
  })

  test('A declaration is refused if its sunset is not an existing day', () => {
    const deprecated = { since: '2026-11-15', sunset: '2030-02-30', successor: '/pets', advice: '' } as const
    refused(
      [operation({ ...plain, deprecated })],
      'feedPet: deprecated has the sunset 2030-02-30; write a day as 2030-12-05.',
    )
    refused(
      [operation({ ...plain, deprecated: { ...deprecated, since: 'today', sunset: '2030-12-05' } })],
      'feedPet: deprecated has the since today; write a day as 2030-12-05.',
    )
  })

  test('A declaration of a GET or DELETE is refused if it has a body', () => {
    const body = { schema: NewPet, examples: { dog: { name: 'Rex', categoryId: 1 } } }
    for (const method of ['GET', 'DELETE'] as const)
      refused(
        [operation({ ...plain, method, body })],
        `feedPet: ${method} has no body; remove it, or use another method.`,
      )
  })

  test('A declaration is refused without an example that its schema accepts', () => {
    const body = { schema: NewPet, examples: { dog: { name: 'Rex', categoryId: '1', colour: 'red' } } }
    refused(
      [operation({ ...plain, body })],
      'feedPet: its example dog is refused by its own schema: categoryId: must be an int64 integer.',
      'feedPet: its example dog is refused by its own schema: colour: is not a known field.',
    )
    refused(
      [operation({ ...plain, answer: { ...plain.answer, status: 200, schema: NewPet } })],
      'feedPet: its answer has a schema; declare an example of it.',
    )
  })

  test('A declaration is refused if its sample uses an undeclared query parameter', () => {
    const given = { ...operation(plain), sampleQuery: ['limit'] }
    refused([given], 'feedPet: sampleQuery names limit; declare it in query.')
  })

  test('Two declarations are refused if they share an id or a path', () => {
    refused(
      [operation(plain), operation({ ...plain, path: '/pets/{petId}/food' })],
      'the id feedPet is declared 2 times; give each operation its own.',
    )
    refused(
      [operation(plain), operation({ ...plain, id: 'nourishPet' })],
      'POST /pets/{petId}/feed is declared 2 times; give each operation its own.',
    )
    const params = { id: int64('Identifier of the animal.', 42) }
    refused(
      [operation(plain), operation({ ...plain, id: 'starvePet', method: 'DELETE', path: '/pets/{id}/feed', params })],
      '/pets/{petId}/feed, /pets/{id}/feed: only the first would be found; use the same names in both.',
    )
  })

  test('The type check refuses a declaration with a scope, tag, method or error that does not exist', () => {
    // @ts-expect-error: no such scope
    operation({ ...plain, scope: 'pets:feed' })
    // @ts-expect-error: no such tag
    operation({ ...plain, tag: 'plants' })
    // @ts-expect-error: no such method
    operation({ ...plain, method: 'FEED' })
    // @ts-expect-error: no such error
    operation({ ...plain, refusals: ['pet_not_hungry'] })
    // @ts-expect-error: no such header
    operation({ ...plain, answer: { ...plain.answer, headers: ['X-Food'] } })
  })
})
