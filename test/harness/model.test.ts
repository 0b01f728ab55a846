/** Which answers the model of the simulation accepts, where their order on the network matters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger } from '../../harness/simulation/ledger.ts'
import { Model } from '../../harness/simulation/model.ts'
import { RealWorld } from '../../harness/simulation/real-world.ts'
import type { Answer, Call } from '../../harness/simulation/requests.ts'

const pet = { name: 'Rex', categoryId: 1 }
const text = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
const first: Answer = { status: 201, text, headers: new Map(), code: undefined }
const repetition: Answer = { ...first, headers: new Map([['idempotency-replayed', 'true']]) }

/** Makes two requests with one Idempotency-Key, one of which has added an animal. */
function twoRequests() {
  const world = new RealWorld({ seed: 1 })
  const ledger = new Ledger(() => ({ ticks: 0, now: 0, disturbedAt: 0, isPunctual: false }))
  const model = new Model(world, ledger, undefined)
  const call: Call = { ask: { kind: 'create', pet, key: 'one' }, by: 'staff', since: 0, ...world.instant }
  for (const each of [call, call]) model.begun(each)
  ledger.take([{ id: 1, at: Date.now(), type: 'pet.created', petId: 1, data: text, by: 'staff' }])
  return { model, call }
}

test('The model of the simulation lets the repetition of an answer arrive before the answer', () => {
  const { model, call } = twoRequests()
  model.check(call, repetition)
  model.check(call, first)
  assert.throws(() => model.check(call, first), /a repeated request is made once/)
})

test('The model of the simulation refuses two first answers to one Idempotency-Key', () => {
  const { model, call } = twoRequests()
  model.check(call, first)
  assert.throws(() => model.check(call, first), /a repeated request is made once/)
})
