/** Several instances on one PostgreSQL are one service: killed and restarted under load, nothing acknowledged is lost. */
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { expectError } from '../support/expect.ts'
import { keepWalking, Load, walk } from '../support/load.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { bun, node } from '../support/process.ts'
import { describeInFull, testInFull } from '../support/scope.ts'
import { TestService } from '../support/service.ts'

const kills = Number(process.env.TEST_INSTANCE_KILLS ?? 3)
const rounds = 50
/** A store may move from one runtime to the other without standing still, so both work side by side. */
const runtimes = [node, bun, node]

describeInFull('three instances on one PostgreSQL', { timeout: 300_000 }, () => {
  let env: Record<string, string>
  let removeDatabase: () => Promise<void>
  let instances: TestService[]
  before(async () => {
    const { url, remove } = await postgresDatabase()
    removeDatabase = remove
    env = { DATABASE_URL: url, LOG_LEVEL: 'warn' }
    instances = await Promise.all(runtimes.map((runtime) => TestService.start(runtime, env)))
  })
  after(async () => {
    await Promise.all(instances?.map((instance) => instance.stop()) ?? [])
    await removeDatabase?.()
    await releasePostgres()
  })

  const instance = (i: number): TestService => instances[i] as TestService

  testInFull(
    'one is killed and restarted under load: no acknowledged animal is lost, and walks miss none and see none twice',
    async () => {
      const { key } = instance(0)
      const pick = () => ({ url: instance(randomInt(3)).url, key })
      const load = new Load(pick, 8)
      let isOver = false
      const walking = Promise.all([1, 2].map(() => keepWalking(pick, load, () => isOver)))
      // A walk that fails ends the test, rather than to be found out after it.
      const alongside = <T>(work: Promise<T>) =>
        Promise.race([work, walking.then(() => assert.fail('the walks ended early'))])

      for (let kill = 0; kill < kills; kill++) {
        const i = kill % 3
        await alongside(load.more(100))
        await instance(i).kill()
        await alongside(load.moreOf('lost', 3))
        instances[i] = await TestService.start(runtimes[i] as string, env)
      }
      await alongside(load.more(100))
      await load.stop()
      isOver = true
      const walks = await walking
      assert.ok(Math.max(...walks) > 0)
      load.check(await walk(pick))
    },
  )

  test('the same Idempotency-Key to all at once makes one animal: one 201, and its replay or 409 for the others', async () => {
    const { key } = instance(0)
    for (let round = 0; round < rounds; round++) {
      const name = randomUUID()
      const send = (to: TestService) =>
        to.call('POST', '/pets', { key, body: { name, categoryId: 2 }, headers: { 'Idempotency-Key': name } })
      const answers = await Promise.all([...instances, ...instances].map(send))
      const made = answers.filter(({ status }) => status === 201)
      for (const answer of answers) if (answer.status !== 201) expectError(answer, 409, 'idempotency_in_progress')
      assert.equal(made.filter(({ headers }) => !headers.has('idempotency-replayed')).length, 1)
      assert.equal(new Set(made.map(({ text }) => text)).size, 1)
    }
    const animals = (await walk(() => instance(1))).filter(({ categoryId }) => categoryId === 2)
    assert.equal(animals.length, rounds)
  })

  test('what one has acknowledged, the others show at once', async () => {
    for (let round = 0; round < rounds; round++) {
      const [writer, ...readers] = [0, 1, 2].map((i) => instance((round + i) % 3)) as [TestService, ...TestService[]]
      const { status, text, json } = await writer.call('POST', '/pets', { body: { name: 'Rex', categoryId: 3 } })
      assert.equal(status, 201)
      for (const reader of readers) assert.equal((await reader.call('GET', `/pets/${json.id}`)).text, text)
    }
  })

  test('a key made through one works on all at once; revoked through another, it is refused everywhere 5 seconds later [D61]', async () => {
    const now = Date.now()
    await Promise.all(instances.map((each) => each.setClock(now)))
    const key = await instance(0).makeKey()
    const statuses = () =>
      Promise.all(instances.map(async (each) => (await each.call('GET', '/pets?limit=1', { key })).status))
    assert.deepEqual(await statuses(), [200, 200, 200])
    await instance(1).revokeKey(key)
    await Promise.all(instances.map((each) => each.setClock(now + 5_000)))
    assert.deepEqual(await statuses(), [401, 401, 401])
    await Promise.all(instances.map((each) => each.setClock(null)))
  })
})
