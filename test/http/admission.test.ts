/** Which requests count as under way; what was refused is logged. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAdmission, overload } from '../../src/http/admission.ts'
import { logInto } from '../support/log.ts'

const refuses = (enter: () => void) => assert.throws(enter, (error) => error === overload)
const nothing = new Uint8Array()

describe('requests under way', () => {
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

test('what was refused is logged once, if anything was', () => {
  const lines: Record<string, unknown>[] = []
  const [admission, log] = [createAdmission(0), logInto(lines)]
  admission.logRefused(log)
  for (let i = 0; i < 2; i++) refuses(() => admission.enter())
  for (let i = 0; i < 2; i++) admission.logRefused(log)
  assert.deepEqual(lines, [{ level: 40, refused: 2, msg: 'too many requests: some were refused with 503' }])
})
