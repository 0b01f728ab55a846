/** Who calls deprecated operations: counted at each call, written to the store at most once a minute. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createDeprecatedCalls } from '../../src/http/deprecation.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { Folder } from '../support/process.ts'

describe('calls of deprecated operations', () => {
  const start = Date.UTC(2027, 0, 1)
  const name = 'petstore_deprecated_requests_total'
  let folder: Folder
  let store: Store
  before(() => {
    folder = new Folder()
    store = openSqlite(folder.database)
  })
  after(async () => {
    await store.close()
    folder[Symbol.dispose]()
  })

  test('are all counted, and written once a minute for each key and operation [D63]', async () => {
    let now = start
    const written: string[] = []
    const calls = createDeprecatedCalls(
      {
        ...store.keys,
        noteDeprecatedCall(call, before) {
          written.push(`${call.keyId} ${call.operation} ${call.at - start}`)
          return store.keys.noteDeprecatedCall(call, before)
        },
      },
      () => now,
    )
    for (const at of [0, 1, 59_999, 60_000, 60_001, 119_999]) {
      now = start + at
      calls.note('getPet', 1)
    }
    calls.note('getPet', 2)
    calls.note('other', 1)
    assert.deepEqual(written, ['1 getPet 0', '1 getPet 60000', '2 getPet 119999', '1 other 119999'])
    assert.deepEqual(calls.samples(), [
      [name, 6, 'getPet', '1'],
      [name, 1, 'getPet', '2'],
      [name, 1, 'other', '1'],
    ])
  })

  test('of another instance within the minute are not written again [D63]', async () => {
    const at = start + 1_000_000
    createDeprecatedCalls(store.keys, () => at).note('getPet', 7)
    createDeprecatedCalls(store.keys, () => at + 30_000).note('getPet', 7)
    createDeprecatedCalls(store.keys, () => at + 60_000).note('getPet', 8)
    // A later write has its turn after all of them.
    await store.keys.touch(1, at)
    const kept = (await store.keys.deprecatedCalls()).filter(({ keyId }) => keyId > 6)
    assert.deepEqual(kept, [
      { keyId: 7, operation: 'getPet', at },
      { keyId: 8, operation: 'getPet', at: at + 60_000 },
    ])
  })

  test('fail no request if they cannot be written', async () => {
    const keys = { ...store.keys, noteDeprecatedCall: () => Promise.reject(new StoreUnavailable('the disk is full')) }
    const calls = createDeprecatedCalls(keys, () => start)
    calls.note('getPet', 1)
    // A failure that nobody took up would show at the end of this turn, and fail the test.
    await nextTurn()
    assert.deepEqual(calls.samples(), [[name, 1, 'getPet', '1']])
  })
})
