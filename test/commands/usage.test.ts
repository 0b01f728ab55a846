/** The command line: complete help, and a clear line with exit code 2 for a mistake, before anything is touched. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { command, Folder, fails, makeKey, petstore } from '../../harness/process.ts'
import { projectFile } from '../../harness/project.ts'
import { settings } from '../../src/config/config.ts'
import { scopes } from '../../src/model/key.ts'

/** Every command, as the help names them. */
const commands = [...(await command(['--help'])).stdout.matchAll(/^ {2}(\w+) +\S/gm)].map(([, name = '']) => name)

/** Returns standard error for a command line that cannot be understood. */
async function misuse(...args: string[]): Promise<string> {
  // The folder does not exist, so the program would report it if it touched the database.
  const { code, stdout, stderr } = await command(args, { DATABASE_URL: 'sqlite:/no/such/folder/test.db' })
  assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`)
  return stderr
}

describe('help', () => {
  for (const name of commands)
    test(`The help of ${name} contains an example, and explains the options of the command`, async () => {
      const { code, stdout, stderr } = await command([name, '--help'])
      assert.deepEqual([code, stderr], [0, ''])
      for (const args of [
        [name, '-h'],
        ['help', name],
      ])
        assert.equal((await command(args)).stdout, stdout)
      assert.match(stdout, new RegExp(`^Usage: petstore ${name}`))
      assert.match(stdout, new RegExp(`^Example: .*\\bpetstore ${name}\\b`, 'm'))
      const [usage = '', ...rest] = stdout.split('\n\n')
      const explained = [...rest.join('\n').matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag)
      assert.deepEqual([...new Set(usage.match(/--[a-z-]+/g) ?? [])].sort(), explained.sort())
      for (const [, line = ''] of usage.matchAll(/petstore ([^\n]+)/g)) {
        const [, path = ''] = /^((?:[a-z]+ ?)+)/.exec(line) ?? []
        // A known option is a mistake of another kind without its value or without other required options.
        for (const [flag] of line.matchAll(/--[a-z-]+/g))
          assert.doesNotMatch(await misuse(...path.trim().split(' '), flag, '--loud'), new RegExp(`option ${flag}`))
      }
      for (const line of stdout.split('\n')) assert.ok(line.length <= 120, line)
    })

  test('The help of the program names every command, and is shown with exit code 2 if no command is given', async () => {
    const texts = await Promise.all([['--help'], ['-h'], ['help'], []].map((args) => command(args)))
    const outcomes = texts.map(({ code, stderr }) => [code, stderr])
    assert.deepEqual(
      outcomes,
      [0, 0, 0, 2].map((code) => [code, '']),
    )
    assert.equal(new Set(texts.map(({ stdout }) => stdout)).size, 1)
    assert.match(texts[0]?.stdout ?? '', /^Usage: petstore COMMAND$/m)
    for (const name of ['serve', 'keys', 'openapi']) assert.ok(commands.includes(name), name)
    for (const line of (texts[0]?.stdout ?? '').split('\n')) assert.ok(line.length <= 120, line)
  })

  test('The help of serve names every setting and that of keys every action and scope, without valid settings', async () => {
    const serve = await command(['serve', '--help'], { PORT: 'x', DATABASE_URL: 'x:' })
    assert.equal(serve.code, 0)
    for (const name of Object.keys(settings))
      assert.match(serve.stdout, new RegExp(`^  ${name}(?: {2,}|\\n +)[a-zP]`, 'm'))
    const { code, stdout } = await command(['keys', 'create', '--help'])
    assert.equal(code, 0)
    for (const word of ['create', 'list', 'revoke', 'rotate', ...scopes]) assert.ok(stdout.includes(word), word)
  })
})

test('--version and -v print only the version of the package', async () => {
  for (const flag of ['--version', '-v'])
    assert.equal((await command([flag])).stdout, `${JSON.parse(projectFile('package.json')).version}\n`)
})

test('The output of every command ends with a newline [decision 20]', async () => {
  using folder = new Folder()
  await makeKey(folder.env)
  for (const args of [[], ['help', 'keys'], ['--version'], ['keys', 'list'], ['openapi', '--output', '-'], ['sing']]) {
    const { stdout, stderr } = await command(args, folder.env)
    assert.match(stdout + stderr, /[^\n]\n$/, args.join(' '))
  }
})

test('A command that reads a database does not create a missing one [decision 27]', async () => {
  using folder = new Folder()
  for (const line of [
    'keys list',
    'keys revoke 1',
    'keys rotate 1',
    'export',
    'check',
    `backup ${folder.path}/copy.db`,
  ])
    await fails(line.split(' '), folder.env, /^petstore: There is no database at [^\n]+\n$/)
  assert.deepEqual(readdirSync(folder.path), [])
})

/**
 * A command line, as words or as its arguments, and its message: the whole message, or its beginning before an
 * ellipsis.
 */
const mistakes: readonly (readonly [line: string | readonly string[], message: string])[] = [
  ['serve -p 3000', 'Unknown option -p. Settings are environment variables: set PORT.'],
  ['migrate --database-ur=x', 'Unknown option --database-ur. Settings are environment variables: set DATABASE_URL.'],
  ['--port=80', 'Unknown option --port=80. Settings are environment variables: set PORT.'],
  ['serve --env x', 'Unknown option --env. Did you mean --env-file?'],
  ['keys create --scop x', 'Unknown option --scop. Did you mean --scope?'],
  ['serv', 'Unknown command "serv"; did you mean serve?'],
  ['sing', `Unknown command "sing"; the commands are ${commands.join(', ')}.`],
  ['help sing', 'Unknown command "sing"; …'],
  ['constructor', 'Unknown command "constructor"; …'],
  ['keys', 'Give one of create, list, revoke, rotate.'],
  ['keys toString', 'Give one of create, list, revoke, rotate.'],
  ['keys create shop', 'Give the key a name: --name shop'],
  ['keys create --name shop more', 'Unexpected argument "more".'],
  ['keys revoke', 'Give the ID of a key, or the key itself.'],
  ['keys rotate', 'Give the ID of a key, or the key itself.'],
  ['keys create --name', "Option '--name <value>'…"],
  ['keys create --name --scope', "Option '--name…"],
  ['import a.csv --again=yes', "Option '--again'…"],
  ['--env-file a serve --env-file=b', 'Give --env-file only once.'],
  ['serve --env-file', 'Give a file: --env-file FILE'],
  ['serve --env-file=', 'Give a file: --env-file FILE'],
  ...['serve', 'keys create', 'keys list', 'keys revoke 1', 'openapi', 'copy', 'check'].map(
    (line) => [`${line} --loud`, 'Unknown option --loud.'] as const,
  ),
  ...['serve', 'keys list', 'keys revoke 1', 'keys rotate 1', 'openapi', 'migrate', 'check', 'copy', 'export a'].map(
    (line) => [`${line} more`, 'Unexpected argument "more".'] as const,
  ),
  ...[[], ['--name', ''], ['--name', '   ']].map((flags) => [['keys', 'create', ...flags], '…'] as const),
  ...['two\nlines', 'evil\u202eteg', 'zero\u200bwidth', 'x'.repeat(101), '\u001b[31mred'].map(
    (name) => [['keys', 'create', '--name', name], '…'] as const,
  ),
  ...['pets', '', 'pets:read,pets:write'].map(
    (scope) => [['keys', 'create', '--name', 'x', '--scope', scope], '…'] as const,
  ),
  [['keys', 'create', '--name', 'x', '--for', 'all'], '--for takes staff or reader, not "all".'],
  [
    ['keys', 'create', '--name', 'x', '--for', 'staff', '--scope', 'pets:read'],
    'Give either --for or --scope, not both.',
  ],
  ...['', '0d', '90', '-1d', '1.5h', '1w', '100000d', '90 d', '1y', 'never'].map(
    (time) => [['keys', 'create', '--name', 'x', `--expires=${time}`], '--expires …'] as const,
  ),
  ...['', '600', '0/60', '600/0', '600/60/1', '1e3/60', '-1/60', ' 1/60', '1000001/60', '600/3601'].map(
    (rate) => [['keys', 'create', '--name', 'x', `--rate=${rate}`], '--rate …'] as const,
  ),
  ['copy', 'Give both --from URL and --to URL.'],
  ['copy --from sqlite:a.db', 'Give both --from URL and --to URL.'],
  ['copy --from sqlite:a.db --to sqlite:a.db', '--from and --to name the same database.'],
  ['import', 'Give a FILE to import, or - for standard input.'],
  ['export --format xml', '--format must be ndjson or csv.'],
  [
    'export animals.xlsx',
    'There is no format for .xlsx. Name a file that ends in .csv, which spreadsheets open, or in .ndjson.',
  ],
  ['export --categories --orders', 'Give --orders or --categories, not both.'],
  ['export --format ndjson --for-spreadsheets', '--for-spreadsheets needs --format csv.'],
  [['export', ''], 'An argument is empty.'],
  ['backup', '…'],
  ['restore', '…'],
  ['backup a.db --keep 7', 'Unknown option --keep.'],
  ['backup -', 'A backup needs a file, not standard output.'],
  ['backup /dev/stdout', 'A backup needs a file, not standard output.'],
]

describe('a mistake on the command line', () => {
  test('A mistake on the command line is reported in one line that names the help, and changes nothing [decision 27]', async () => {
    for (const [line, message] of mistakes) {
      const args = typeof line === 'string' ? line.split(' ') : line
      const said = await misuse(...args)
      const [, start = '', ellipsis] = /^(.*?)(…)?$/s.exec(message) ?? []
      const name = commands.includes(args[0] ?? '') ? `${args[0]} ` : ''
      const more = `npx --no-install petstore ${name}--help`
      assert.ok(said.startsWith(`petstore: ${start}`), `${line}: ${said}`)
      assert.ok(said.endsWith(`\nSee: ${more}\n`), `${line}: ${said}`)
      if (!ellipsis) assert.equal(said, `petstore: ${message}\nSee: ${more}\n`)
      assert.equal(said.split('\n').length, 3, said)
    }
  })

  test('A mistake in a database URL on the command line is reported like that of a setting, without the password', async () => {
    for (const [from, to, fault] of [
      ['mysql://me:s3cret@db/x', 'sqlite:a.db', '--from must be sqlite:PATH'],
      ['sqlite:a.db', 'postgress://me:s3cret@db/x', '--to must be sqlite:PATH'],
    ] as const) {
      const said = await misuse('copy', '--from', from, '--to', to)
      assert.ok(said.startsWith(`petstore: invalid settings:\n  - ${fault}`), said)
      assert.ok(!said.includes('s3cret'), said)
    }
  })

  test('A command line with a mistake creates no file', async () => {
    using folder = new Folder()
    const args = ['keys', 'create', '--name']
    const { code, stdout } = await petstore(args, { env: folder.env, cwd: folder.path })
    assert.deepEqual([code, stdout], [2, ''])
    assert.deepEqual(readdirSync(folder.path), [])
  })
})
