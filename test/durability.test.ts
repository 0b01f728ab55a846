/** kill -9 under load, again and again: nothing acknowledged is lost, and no idempotency key is left stuck. */
import { test } from 'node:test'
import { killUnderLoad } from './support/kills.ts'

const cycles = 20

test(`${cycles} times killed under load, it keeps every animal it acknowledged and repeats every request rightly`, async () => {
  await killUnderLoad(cycles)
})
