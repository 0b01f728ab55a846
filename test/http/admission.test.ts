/** How many requests are taken on at a time, and how many bytes of bodies; what was refused is logged. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAdmission, overload } from '../../src/http/admission.ts'
import { limits } from '../../src/limits.ts'
import { logInto } from '../support/log.ts'

const refuses = (enter: () => void) => assert.throws(enter, (error) => error === overload)
const nothing = new Uint8Array()

describe('requests under way', () => {
  test('are as many as may be, and another begins once one has left [D198]', () => {
    const admission = createAdmission(2)
    const first = admission.enter()
    admission.enter()
    refuses(() => admission.enter())
    first.leave()
    admission.enter()
    refuses(() => admission.enter())
  })

  test('do not count while their body arrives, and go on however many have begun meanwhile', async () => {
    const admission = createAdmission(1)
    const slow = admission.enter()
    await slow.receive(async () => {
      admission.enter()
      return nothing
    })
    slow.leave()
    refuses(() => admission.enter())
  })

  test('count again when their body did not come whole', async () => {
    const admission = createAdmission(1)
    const request = admission.enter()
    await assert.rejects(request.receive(() => Promise.reject(new Error('gone'))))
    refuses(() => admission.enter())
  })
})

test('bodies take 16 MiB together, and another is read once one is done with; small ones are always read', async () => {
  const admission = createAdmission(1_000)
  const arrive = async (...lengths: number[]) => {
    const request = admission.enter()
    await request.receive(async (onReceived) => {
      for (const length of lengths) onReceived(length)
      return nothing
    })
    return request
  }
  const large = limits.bodySize.bytes
  const [first] = await Promise.all(Array.from({ length: 256 }, () => arrive(large / 2, large)))
  await assert.rejects(arrive(4_097), (error) => error === overload)
  await arrive(4_096)
  first?.leave()
  await arrive(large)
  await assert.rejects(arrive(4_097), (error) => error === overload)
})

test('what was refused is logged once, if anything was', () => {
  const lines: Record<string, unknown>[] = []
  const [admission, log] = [createAdmission(0), logInto(lines)]
  admission.logRefused(log)
  for (let i = 0; i < 2; i++) refuses(() => admission.enter())
  for (let i = 0; i < 2; i++) admission.logRefused(log)
  assert.deepEqual(lines, [{ level: 40, refused: 2, msg: 'too many requests: some were refused with 503' }])
})
