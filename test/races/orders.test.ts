/** Races for an animal: of many who want it one gets it, of two ends of an order one comes first, and the animal always agrees. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { releasePostgres } from '../support/postgres.ts'
import { some } from '../support/scope.ts'
import { Doors } from './doors.ts'
import { type Answer, checkAgreement, outcome, sellToMany } from './shop.ts'

const buyers = 64
const racesEach = 40

after(releasePostgres)

const outcomes = (answers: readonly Answer[]): string[] => answers.map(outcome).sort()

/** Sends requests at the same instant, on every other animal in the opposite order. */
async function together(petId: number, sends: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  if (petId % 2 === 0) return Promise.all(sends.map((send) => send()))
  return (await Promise.all(sends.toReversed().map((send) => send()))).reverse()
}

/** Runs the same race on several animals at once, and checks that all agree in the end. */
async function races(doors: Doors, race: (petId: number, door: number) => Promise<void>): Promise<void> {
  await Promise.all((await doors.stock(racesEach)).map(race))
  checkAgreement(await doors.statuses(), await doors.sales())
}

for (const database of some(databases))
  describe(`races on ${database.name}`, () => {
    let doors: Doors
    before(async () => {
      doors = await Doors.open(database)
    })
    after(() => doors?.close())
    const placed = async (petId: number): Promise<number> => (await doors.buy(petId, petId)).json.id
    const patch = (petId: number, status: string, door: number) =>
      doors.call(door, 'PATCH', `/pets/${petId}`, { status })

    const animals = database.name === 'SQLite' ? 40 : 25
    test(`${buyers} buyers on each of ${animals} animals make ${animals} orders, and every loser gets 409 [D80]`, async () => {
      await sellToMany(doors, animals, buyers)
      checkAgreement(await doors.statuses(), await doors.sales())
    })

    test('complete against cancel: one comes first, and all who succeed see the same end', () =>
      races(doors, async (petId, door) => {
        const id = await placed(petId)
        const verbs = ['complete', 'cancel', 'complete', 'cancel'] as const
        const answers = await Promise.all(verbs.map((verb, i) => doors.move(id, verb, door + i)))
        const conflict = '409 order_state_conflict'
        assert.deepEqual(outcomes(answers), ['200', '200', conflict, conflict])
        const won = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
        const [order] = won
        assert.equal(won.size, 1)
        assert.equal((await doors.call(door, 'GET', `/store/orders/${id}`)).text, order)
      }))

    test('return against return and the next buyer: it is taken back once, and at most one buys it then', () =>
      races(doors, async (petId, door) => {
        const id = await placed(petId)
        await doors.move(id, 'complete', door)
        const [first, second, ...bought] = await Promise.all([
          doors.move(id, 'return', door),
          doors.move(id, 'return', door + 1),
          doors.buy(petId, door + 1),
          doors.buy(petId, door + 2),
        ])
        assert.deepEqual([first?.status, second?.status, first?.text], [200, 200, second?.text])
        const sold = bought.filter(({ status }) => status === 201)
        assert.ok(sold.length <= 1)
        for (const answer of bought) assert.match(outcome(answer), /^(201|409 pet_not_available)$/)
        const { json } = await doors.call(door, 'GET', `/pets/${petId}`)
        assert.equal(json.status, sold.length > 0 ? 'pending' : 'available')
      }))

    test('PATCH of the status against an order: one finds the animal as the other left it', () =>
      races(doors, async (petId, door) => {
        const answers = await together(petId, [() => patch(petId, 'sold', door), () => doors.buy(petId, door + 1)])
        const isPatched = answers[0]?.status === 200
        const expected = isPatched ? ['200', '409 pet_not_available'] : ['201', '409 order_state_conflict']
        assert.deepEqual(outcomes(answers), expected)
        const { json } = await doors.call(door, 'GET', `/pets/${petId}`)
        assert.equal(json.status, isPatched ? 'sold' : 'pending')
      }))

    test('DELETE against an order: the animal is gone or ordered, never both', () =>
      races(doors, async (petId, door) => {
        const remove = () => doors.call(door, 'DELETE', `/pets/${petId}`)
        const answers = await together(petId, [remove, () => doors.buy(petId, door + 1)])
        const isGone = answers[0]?.status === 204
        assert.deepEqual(outcomes(answers), isGone ? ['204', '422 unknown_pet'] : ['201', '409 order_state_conflict'])
        assert.equal((await doors.call(door, 'GET', `/pets/${petId}`)).status, isGone ? 404 : 200)
      }))

    test('cancel against the next buyer and a PATCH: who comes too early is told so', () =>
      races(doors, async (petId, door) => {
        const id = await placed(petId)
        const [cancelled, bought, patched] = await Promise.all([
          doors.move(id, 'cancel', door),
          doors.buy(petId, door + 1),
          patch(petId, 'available', door + 2),
        ])
        assert.equal(cancelled.status, 200)
        assert.match(outcome(bought), /^(201|409 pet_not_available)$/)
        assert.match(outcome(patched), /^(200|409 order_state_conflict)$/)
        const { json } = await doors.call(door, 'GET', `/pets/${petId}`)
        assert.equal(json.status, bought.status === 201 ? 'pending' : 'available')
      }))
  })
