/** Compiled code is read only from a folder that no other user can write to. */

import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { privateFolder } from '../../src/config/program.ts'
import { Folder } from '../support/process.ts'

describe('the folder for compiled code', () => {
  test('is made for its owner alone, and found again', () => {
    using shared = new Folder()
    const path = privateFolder(shared.path)
    assert.ok(path)
    assert.equal(statSync(path).mode & 0o777, 0o700)
    assert.equal(privateFolder(shared.path), path)
  })

  test('is not used where others may write to it, where it is a link, where it is a file, or where none can be made', () => {
    using shared = new Folder()
    const path = privateFolder(shared.path) as string
    chmodSync(path, 0o770)
    assert.equal(privateFolder(shared.path), undefined)
    rmSync(path, { recursive: true })
    mkdirSync(join(shared.path, 'elsewhere'), { mode: 0o700 })
    symlinkSync(join(shared.path, 'elsewhere'), path)
    assert.equal(privateFolder(shared.path), undefined)
    rmSync(path)
    writeFileSync(path, '', { mode: 0o600 })
    assert.equal(privateFolder(shared.path), undefined)
    assert.equal(privateFolder(join(path, 'below')), undefined)
  })

  // Only root can give a folder to another user.
  if (process.getuid?.() === 0)
    test('is not used where it belongs to another user', () => {
      using shared = new Folder()
      const path = privateFolder(shared.path) as string
      chownSync(path, 65534, 65534)
      assert.equal(privateFolder(shared.path), undefined)
    })
})
