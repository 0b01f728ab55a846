/** `--env-file`: settings from a file, for every command; the environment has the last word. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bun, command, Folder, node, Program, petstore, runtimes, Served } from '../support/process.ts'
import { some } from '../support/scope.ts'
import { main } from '../support/service.ts'

/** A file of settings in the folder; gives its path. */
function written(folder: Folder, ...lines: string[]): string {
  const path = join(folder.path, 'settings.env')
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

describe('--env-file', () => {
  for (const [name, runtime] of some(runtimes))
    test(`has settings for the service, and the environment overrides them, on ${name}`, async () => {
      using folder = new Folder()
      const file = written(
        folder,
        '# where clients find it',
        'PUBLIC_URL="https://pets.example/v1"',
        'PORT=many',
        `DATABASE_URL=${folder.url}`,
        'SOMETHING_ELSE=ignored',
      )
      await using served = await Served.start({ PORT: '0' }, { runtime, args: ['--env-file', file] })
      assert.equal(served.url, 'https://pets.example/v1')
      assert.equal((await served.end('SIGTERM')).code, 0)
    })

  for (const place of [
    (file: string) => ['keys', 'create', '--name', 'x', '--env-file', file],
    (file: string) => ['keys', 'create', `--env-file=${file}`, '--name', 'x'],
    (file: string) => ['--env-file', file, 'keys', 'create', '--name', 'x'],
  ])
    test(`is taken by other commands: ${place('FILE').join(' ')}`, async () => {
      using folder = new Folder()
      const file = written(folder, `DATABASE_URL=${folder.url}`)
      assert.equal((await command(place(file))).code, 0)
      assert.equal((await command(['keys', 'list'], folder.env)).stdout.split('\n').length, 3)
    })

  test('may be one that an editor on Windows has saved', async () => {
    using folder = new Folder()
    const file = written(folder, `\ufeffDATABASE_URL="${folder.url}"\r`, 'PORT=many\r')
    assert.match((await command(['serve', '--env-file', file])).stderr, /PORT must be a whole number .* not "many"/)
    assert.equal((await command(['migrate', '--env-file', file], { PORT: '0' })).code, 0)
    assert.equal((await command(['check'], folder.env)).code, 0)
  })

  test('is refused if it is UTF-16, as no setting in it would be found', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'settings.env')
    writeFileSync(file, '\ufeffPORT=0\n', 'utf16le')
    assert.deepEqual(await command(['check', '--env-file', file]), {
      code: 2,
      stdout: '',
      stderr: `petstore: invalid settings:\n  - --env-file ${file} cannot be read: it is not UTF-8\n`,
    })
  })

  test('has its faults reported like those of the environment', async () => {
    using folder = new Folder()
    const file = written(folder, 'PORT=many')
    const { code, stderr } = await command(['serve', '--env-file', file])
    assert.equal(code, 2)
    assert.match(
      stderr,
      /^petstore: invalid settings:\n {2}- PORT must be a whole number from 0 to 65535, not "many"\.\n$/,
    )
  })

  test('is one clear line with exit code 2 where it is not there or not given', async () => {
    const { code, stderr } = await petstore(['serve', '--env-file', '/no/such/file'], { runtime: bun })
    assert.equal(code, 2)
    assert.match(
      stderr,
      /^petstore: invalid settings:\n {2}- --env-file \/no\/such\/file cannot be read: ENOENT[^\n]*\n$/,
    )
    for (const args of [
      ['serve', '--env-file'],
      ['serve', '--env-file='],
    ])
      assert.deepEqual(await command(args), {
        code: 2,
        stdout: '',
        stderr: 'petstore: Give a file: --env-file FILE\nSee: petstore serve --help\n',
      })
  })

  for (const [name, program] of [
    ['Node', [node]],
    ['Bun', [bun, '--no-env-file']],
  ] as const)
    test(`is the only file that is read: one named .env in the folder is not, as ${name} is started`, async () => {
      using folder = new Folder()
      writeFileSync(join(folder.path, '.env'), 'PORT=many\n')
      await using listing = new Program([...program, main, 'keys', 'list'], { env: folder.env, cwd: folder.path })
      const { code, stderr } = await listing.ended
      assert.equal(code, 1)
      assert.match(stderr, /^petstore: There is no database/)
    })
})
