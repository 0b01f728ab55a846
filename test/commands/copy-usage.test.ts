/** Mistakes on the command line of `petstore copy`: told in a line, and never with a password. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Folder, petstore } from '../support/process.ts'

describe('a mistake on the command line of petstore copy', { concurrency: true }, () => {
  for (const [mistake, ...args] of [
    ['Give both --from URL and --to URL.'],
    ['Give both --from URL and --to URL.', '--from', 'sqlite:a.db'],
    ['--from and --to name the same database.', '--from', 'sqlite:a.db', '--to', 'sqlite:a.db'],
    ['Unknown option --loud.', '--loud'],
    ['Unexpected argument "a.db"', 'a.db'],
    ['--from must be sqlite:PATH', '--from', 'mysql://me:s3cret@db/x', '--to', 'sqlite:a.db'],
    ['--to must be sqlite:PATH', '--from', 'sqlite:a.db', '--to', 'postgress://me:s3cret@db/x'],
    ['--to names a file in', '--from', 'sqlite:a.db', '--to', 'sqlite:/no/such/folder/a.db'],
  ] as [string, ...string[]][])
    test(`"${args.join(' ').replace('s3cret', '…')}" ends with exit code 2`, async () => {
      using folder = new Folder()
      const { code, stdout, stderr } = await petstore(['copy', ...args], { cwd: folder.path })
      assert.equal(code, 2, stderr)
      assert.equal(stdout, '')
      assert.ok(stderr.includes(mistake), stderr)
      assert.ok(!stderr.includes('s3cret'))
    })
})
