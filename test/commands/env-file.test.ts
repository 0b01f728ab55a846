/** `--env-file` reads settings from a file, for every command. The environment takes precedence. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { command, done, Folder, makeKey, node, Program, Served } from '../../harness/process.ts'
import { test } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'

/** Writes a file of settings into the folder, and returns its path. */
function written(folder: Folder, ...lines: string[]): string {
  const path = join(folder.path, 'settings.env')
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

describe('--env-file', () => {
  test('An --env-file contains settings of the service, which the environment overrides [decision 27]', async () => {
    using folder = new Folder()
    await makeKey(folder.env)
    const url = 'PUBLIC_URL="https://pets.example/shop/v1"'
    const more = [`DATABASE_URL=${folder.url}`, 'export LOG_SAMPLE=0.5']
    const file = written(folder, '# where clients find it', url, 'PORT=many', ...more)
    await using served = await Served.start({ PORT: '0' }, { args: ['--env-file', file] })
    assert.equal(served.url, 'https://pets.example/shop/v1')
    assert.equal(served.log[0]?.reference, 'https://pets.example/shop/docs')
    const { code, stdout } = await served.end('SIGTERM')
    assert.equal(code, 0)
    assert.doesNotMatch(stdout, /key/i)
  })

  test('All commands accept an --env-file, wherever it stands in the command line [decision 27]', async () => {
    using folder = new Folder()
    const file = written(folder, `DATABASE_URL=${folder.url}`)
    await done(['migrate', '--env-file', file])
    for (const args of [
      ['keys', 'list', '--env-file', file],
      ['keys', `--env-file=${file}`, 'list'],
      ['--env-file', file, 'keys', 'list'],
    ])
      assert.match(await done(args), /^No keys yet\./)
  })

  test('An --env-file may be saved by an editor on Windows [decision 27]', async () => {
    using folder = new Folder()
    const file = written(folder, `\ufeffDATABASE_URL="${folder.url}"\r`, 'PORT=many\r')
    assert.match((await command(['serve', '--env-file', file])).stderr, /PORT must be a whole number .* not "many"/)
    await done(['migrate', '--env-file', file], { PORT: '0' })
    await done(['check'], folder.env)
  })

  test('An --env-file in UTF-16 is refused, because no setting in it would be found [decision 27]', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'settings.env')
    writeFileSync(file, '\ufeffPORT=0\n', 'utf16le')
    assert.deepEqual(await command(['check', '--env-file', file]), {
      code: 2,
      stdout: '',
      stderr: `petstore: invalid settings:\n  - --env-file ${file} cannot be read: it is not UTF-8.\n`,
    })
  })

  test('An --env-file that does not exist is reported in one line, with exit code 2 [decision 27]', async () => {
    await using checking = new Program([node, '--', main, 'serve', '--env-file', '/no/such/file'])
    const { code, stderr } = await checking.ended
    assert.equal(code, 2)
    const said =
      /^petstore: invalid settings:\n {2}- --env-file \/no\/such\/file cannot be read: no such file or directory\.\n$/
    assert.match(stderr, said)
  })

  test('Each line of an --env-file that is no setting is reported by its number, without its text [decision 27]', async () => {
    using folder = new Folder()
    const lines = ['PORT 8080', '', ' # a comment', 'DATABASE_URL', 'export HOST=::1', '=hunter2', 'a b=1', 'é=1']
    const file = written(folder, ...lines)
    const told = [1, 4, 6, 7].map((line) => `  - --env-file ${file}, line ${line}: must be NAME=value.\n`)
    const { code, stderr } = await command(['check', `--env-file=${file}`])
    assert.deepEqual([code, stderr], [2, `petstore: invalid settings:\n${told.join('')}`])
  })

  test('Names in an --env-file that are no settings are reported, and the command continues [decision 27]', async () => {
    using folder = new Folder()
    const unknown = ['RATE_LIMT=5/1', 'CORS_ORIGIN=*', 'POSTGRES_PASSWORD=hunter2']
    const file = written(folder, `DATABASE_URL=${folder.url}`, ...unknown)
    const warnings = [
      `petstore: warning: RATE_LIMT in ${file} is not a setting; did you mean RATE_LIMIT?\n`,
      `petstore: warning: CORS_ORIGIN in ${file} is not a setting; did you mean CORS_ORIGINS?\n`,
      `petstore: warning: POSTGRES_PASSWORD in ${file} is not a setting.\n`,
    ]
    const said = await done(['migrate', '--env-file', file])
    assert.equal(said, warnings.join('') + (await done(['migrate'], folder.env)))
  })

  test('A file named .env in the folder is not read without --env-file [decision 27]', async () => {
    using folder = new Folder()
    writeFileSync(join(folder.path, '.env'), 'PORT=many\n')
    await using listing = new Program([node, main, 'keys', 'list'], { env: folder.env, cwd: folder.path })
    const { code, stderr } = await listing.ended
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: There is no database/)
  })
})
