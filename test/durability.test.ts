/** kill -9 under load, again and again: nothing acknowledged is lost, and no idempotency key is left stuck. */
import { test } from 'node:test'
import { killUnderLoad } from './support/kills.ts'
import { times } from './support/scope.ts'

const cycles = times(20, 2)

test(`${cycles} times killed under load, it keeps every acknowledged animal and replays every request correctly [D106 D179]`, async () => {
  await killUnderLoad(cycles)
})
