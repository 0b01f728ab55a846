/** How hard a key is to guess: its secret is drawn from the whole alphabet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newToken } from '../../src/model/key.ts'

test('each of the 62 characters occurs at each of the 30 positions of a secret [D57]', () => {
  // A sound program misses one of the 1860 with a probability of 1860 · (61/62)^4000 < 1e-24.
  const secrets = Array.from({ length: 4000 }, () => newToken().slice('pst_'.length, -6))
  for (let place = 0; place < 30; place++)
    assert.equal(new Set(secrets.map((secret) => secret[place])).size, 62, `at place ${place}`)
})
