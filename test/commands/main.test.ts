/** The program's front door: help that reads well, and a clear line with exit code 2 for what it does not know. */
import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { settings } from '../../src/config/config.ts'
import { scopes } from '../../src/model/key.ts'
import { bun, command, Folder, makeKey, Program, petstore, runtimes } from '../support/process.ts'
import { projectFile } from '../support/project.ts'
import { some, testInFull } from '../support/scope.ts'
import { main } from '../support/service.ts'

/** Every command, as the help names them. */
const commands = [...(await command(['--help'])).stdout.matchAll(/^ {2}(\w+) +\S/gm)].map(([, name = '']) => name)

/** What was said on standard error when the command line could not be understood. */
async function misuse(...args: string[]): Promise<string> {
  // A folder that does not exist: were the database touched, the program would say so.
  const { code, stdout, stderr } = await command(args, { DATABASE_URL: 'sqlite:/no/such/folder/test.db' })
  assert.equal(code, 2, stderr)
  assert.equal(stdout, '')
  return stderr
}

describe('help', () => {
  for (const flag of ['--help', '-h', 'help'])
    test(`${flag} names every command on standard output`, async () => {
      const { code, stdout, stderr } = await petstore([flag])
      assert.equal(code, 0)
      assert.equal(stderr, '')
      assert.match(stdout, /^Usage: petstore COMMAND$/m)
      for (const name of ['serve', 'keys', 'openapi']) assert.match(stdout, new RegExp(`^  ${name} +\\S`, 'm'))
    })

  for (const name of commands)
    for (const flag of ['--help', '-h'])
      test(`${name} ${flag} says how the command is used`, async () => {
        const { code, stdout, stderr } = await command([name, flag])
        assert.equal(code, 0)
        assert.equal(stderr, '')
        assert.match(stdout, new RegExp(`^Usage: petstore ${name}`))
      })

  for (const name of commands)
    test(`of ${name} has an example, and explains the options of its usage and no others`, async () => {
      const { stdout } = await command(['help', name])
      assert.match(stdout, new RegExp(`^Example: .*\\bpetstore ${name}\\b`, 'm'))
      const [usage = '', ...rest] = stdout.split('\n\n')
      const used = usage.match(/--[a-z-]+/g) ?? []
      const explained = [...rest.join('\n').matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag)
      assert.deepEqual([...new Set(used)].sort(), explained.sort())
    })

  for (const name of commands)
    test(`of ${name} names only options that the command takes`, async () => {
      const [usage = ''] = (await command(['help', name])).stdout.split('\n\n')
      for (const [, line = ''] of usage.matchAll(/petstore ([^\n]+)/g)) {
        const [, path = ''] = /^((?:[a-z]+ ?)+)/.exec(line) ?? []
        // Without its value and what else it needs, a known option is a mistake of another kind.
        for (const [flag] of line.matchAll(/--[a-z-]+/g))
          assert.doesNotMatch(await misuse(...path.trim().split(' '), flag, '--loud'), new RegExp(`option ${flag}`))
      }
    })

  test('of an unknown command is refused', async () => {
    assert.match(await misuse('help', 'sing'), /^petstore: Unknown command "sing"/)
  })

  test('fits a terminal of 120 columns', async () => {
    const texts = await Promise.all([['--help'], ...commands.map((c) => [c, '--help'])].map((args) => command(args)))
    for (const line of texts.flatMap(({ stdout }) => stdout.split('\n'))) assert.ok(line.length <= 120, line)
  })

  test('of serve names every setting', async () => {
    const { stdout } = await command(['serve', '--help'])
    for (const name of Object.keys(settings)) assert.match(stdout, new RegExp(`^  ${name}\\s+[a-zP]`, 'm'))
  })

  test('of keys names every action and every scope', async () => {
    const { stdout } = await command(['keys', '--help'])
    for (const word of ['create', 'list', 'revoke', 'rotate', ...scopes]) assert.ok(stdout.includes(word), word)
  })

  test('is shown for an action, too, without doing it', async () => {
    const { code, stdout } = await command(['keys', 'create', '--help'])
    assert.equal(code, 0)
    assert.match(stdout, /^Usage: petstore keys create/)
  })

  test('needs no valid setting', async () => {
    const { code } = await command(['serve', '--help'], { PORT: 'x', DATABASE_URL: 'x:' })
    assert.equal(code, 0)
  })

  test('is what a call without a command shows, with exit code 2', async () => {
    const { code, stdout } = await petstore([])
    assert.equal(code, 2)
    assert.match(stdout, /^Usage: petstore COMMAND$/m)
  })
})

for (const flag of ['--version', '-v'])
  test(`${flag} prints the version of the package alone`, async () => {
    const { code, stdout } = await petstore([flag])
    assert.deepEqual([code, stdout], [0, `${JSON.parse(projectFile('package.json')).version}\n`])
  })

test('whatever is printed ends with a newline [D230]', async () => {
  using folder = new Folder()
  await makeKey(folder.env)
  for (const args of [[], ['help', 'keys'], ['--version'], ['keys', 'list'], ['openapi', '--output', '-'], ['sing']]) {
    const { stdout, stderr } = await command(args, folder.env)
    assert.match(stdout + stderr, /[^\n]\n$/, args.join(' '))
  }
})

describe('a mistake on the command line', () => {
  for (const [args, advice] of [
    [['serve', '--port', '3000'], 'Unknown option --port. Settings are environment variables: set PORT.'],
    [['serve', '--prot'], 'Unknown option --prot. Settings are environment variables: set PORT.'],
    [['serve', '-p', '3000'], 'Unknown option -p. Settings are environment variables: set PORT.'],
    [
      ['migrate', '--database-ur=x'],
      'Unknown option --database-ur. Settings are environment variables: set DATABASE_URL.',
    ],
    [['serve', '--dmo'], 'Unknown option --dmo. Did you mean --demo?'],
    [['serve', '--envfile', 'x'], 'Unknown option --envfile. Did you mean --env-file?'],
    [['keys', 'create', '--scop', 'x'], 'Unknown option --scop. Did you mean --scope?'],
    [['keys', 'creat'], 'Unknown command "keys creat". Did you mean keys create?'],
    [['keys', 'x'], 'Unknown command "keys x". Give one of create, list, revoke, rotate.'],
    [['serv'], 'Unknown command "serv"; did you mean serve?'],
    [['--port'], 'Unknown option --port. Settings are environment variables: set PORT.'],
    [['--port=80'], 'Unknown option --port=80. Settings are environment variables: set PORT.'],
    [['--versoin'], 'Unknown option --versoin. Did you mean --version?'],
    [['--env-file', 'a', 'serve', '--env-file=b'], 'Give --env-file only once.'],
  ] as const)
    test(`${args.join(' ')} is answered with what was probably meant [D227]`, async () => {
      const said = await misuse(...args)
      assert.equal(said.slice('petstore: '.length, 'petstore: '.length + advice.length), advice)
    })

  test('an unknown command is named, with the list of commands', async () => {
    assert.equal(
      await misuse('sing'),
      `petstore: Unknown command "sing"; the commands are ${commands.join(', ')}.\nSee: petstore --help\n`,
    )
  })

  test('a property that every object has is not a command', async () => {
    assert.match(await misuse('constructor'), /^petstore: Unknown command "constructor"/)
    assert.match(await misuse('keys', 'toString'), /^petstore: Unknown command "keys toString"/)
  })

  test('keys without an action asks for one', async () => {
    assert.equal(
      await misuse('keys'),
      'petstore: Give one of create, list, revoke, rotate.\nSee: petstore keys --help\n',
    )
  })

  for (const args of [['serve'], ['keys', 'create'], ['keys', 'list'], ['keys', 'revoke', '1'], ['openapi']])
    test(`${args.join(' ')} refuses an unknown flag in one line`, async () => {
      assert.match(
        await misuse(...args, '--loud'),
        new RegExp(`^petstore: Unknown option --loud\\.\nSee: petstore ${args[0]} --help\n$`),
      )
    })

  for (const args of [['serve'], ['keys', 'list'], ['keys', 'revoke', '1'], ['keys', 'rotate', '1'], ['openapi']])
    test(`${args.join(' ')} refuses one argument too many`, async () => {
      assert.equal(
        await misuse(...args, 'more'),
        `petstore: Unexpected argument "more".\nSee: petstore ${args[0]} --help\n`,
      )
    })

  for (const action of ['revoke', 'rotate'])
    test(`keys ${action} without a key asks for one`, async () => {
      assert.match(await misuse('keys', action), /^petstore: Give the ID of a key, or the key itself\.\n/)
    })

  test('a flag without its value is refused in one line', async () => {
    assert.match(await misuse('keys', 'create', '--name'), /^petstore: Option '--name <value>'.*\nSee: [^\n]+\n$/)
    assert.match(await misuse('keys', 'create', '--name', '--scope'), /^petstore: Option '--name.*\nSee: [^\n]+\n$/)
  })

  test('a value for a flag that takes none is refused in one line', async () => {
    assert.match(await misuse('openapi', '--check=yes'), /^petstore: Option '--check'.*\nSee: [^\n]+\n$/)
  })

  test('reads the same on Bun', async () => {
    for (const args of [['sing'], ['serve', 'more'], ['keys', 'create', '--loud'], ['keys', 'create', '--name']]) {
      const [onNode, onBun] = await Promise.all([petstore(args), petstore(args, { runtime: bun })])
      assert.deepEqual([onBun.code, onBun.stdout, onBun.stderr], [onNode.code, onNode.stdout, onNode.stderr])
    }
  })
})

describe('petstore openapi', () => {
  test('writes the document to a file, and --check agrees with it', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'written.json')
    assert.equal((await petstore(['openapi', '--output', file])).code, 0)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).openapi.slice(0, 3), '3.1')
    assert.equal((await command(['openapi', '--output', file, '--check'])).code, 0)
    const { stdout } = await petstore(['openapi', '--output', '-'])
    assert.equal(stdout, readFileSync(file, 'utf8'))
  })

  for (const [name, runtime] of some(runtimes)) {
    testInFull(`writes all of it to a reader that takes its time, on ${name}`, async () => {
      const { stdout } = await reading(runtime, 'sleep 3; cat')
      assert.equal(stdout, (await command(['openapi', '--output', '-'])).stdout)
    })

    test(`says nothing of a reader that has read enough, on ${name}`, async () => {
      const { code, stdout, stderr } = await reading(runtime, 'head -n 1')
      assert.deepEqual([code, stdout, stderr], [1, '{\n', ''])
    })
  }

  for (const [name, runtime] of some(runtimes))
    test(`a full disk under standard output is one clear line with exit code 1, on ${name}`, async () => {
      const full = openSync('/dev/full', 'w')
      await using program = new Program([runtime, main, 'openapi', '--output', '-'], { stdout: full })
      closeSync(full)
      const { code, stderr } = await program.ended
      assert.equal(code, 1)
      assert.match(stderr, /^petstore: Cannot write to standard output: ENOSPC.*\n$/)
    })

  /** What a reader makes of the document. */
  const reading = (runtime: string, reader: string) =>
    new Program(['bash', '-c', `set -o pipefail; "$0" "$1" openapi --output - | (${reader})`, runtime, main]).ended

  test('--check of a file that is not there fails, and does not make it', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'none.json')
    const { code, stderr } = await command(['openapi', '--output', file, '--check'])
    assert.equal(code, 1)
    assert.equal(stderr, `petstore: ${file} is not up to date; write it again: npx --no-install petstore openapi\n`)
    assert.equal(existsSync(file), false)
  })

  test('a file that cannot be written is one clear line with exit code 1', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'none', 'openapi.json')
    const { code, stderr } = await command(['openapi', '--output', file])
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: Cannot write .+\n$/)
  })
})
