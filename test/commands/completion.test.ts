/** `petstore completion`: the scripts load without a complaint, and complete what the commands take. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { command, Folder, Program, testWith } from '../support/process.ts'

const scriptFor = async (shell: string): Promise<string> => {
  const { code, stdout, stderr } = await command(['completion', shell])
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

const typed: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['petstore ke', ['keys']],
  ['petstore keys ', ['create', 'list', 'revoke', 'rotate']],
  ['petstore keys create --na', ['--name']],
  ['petstore keys create --name x --s', ['--scope']],
  ['petstore keys list --', ['--deprecated', '--env-file', '--help']],
  ['petstore serve --d', ['--demo']],
  ['petstore serve --env', ['--env-file']],
  ['petstore completion ', ['bash', 'fish', 'zsh']],
  ['petstore completion bash --h', ['--help']],
  ['petstore help op', ['openapi']],
]

describe('petstore completion', () => {
  test('completes every command and its options in bash', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'completion.bash')
    writeFileSync(file, await scriptFor('bash'))
    assert.deepEqual(spawnSync('bash', ['-n', file], { encoding: 'utf8' }).stderr, '')
    // As bash calls it at a Tab.
    const complete = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _petstore; printf '%s\\n' "\${COMPREPLY[@]}"`
    for (const [line, offered] of typed) {
      const { stdout, stderr } = spawnSync('bash', ['-c', complete, file, ...line.split(' ')], { encoding: 'utf8' })
      assert.deepEqual([stdout.trim().split('\n').sort(), stderr], [offered, ''], line)
    }
  })

  testWith(['script', 'bash'], 'completes what is typed at a terminal, and files where one is asked for', async () => {
    using folder = new Folder()
    writeFileSync(join(folder.path, 'completion.bash'), await scriptFor('bash'))
    writeFileSync(join(folder.path, 'shop.env'), '')
    // Standing for the program, which would have to be on the path.
    writeFileSync(join(folder.path, 'rc'), 'PS1="> "; petstore() { echo "called: $*"; }; source completion.bash\n')
    await using shell = new Program(['script', '-qec', 'exec bash --noprofile --rcfile rc -i', '/dev/null'], {
      cwd: folder.path,
    })
    shell.type('petstore ke\tcr\t--na\tx --env\tsh\t\n')
    await shell.until(/^called: keys create --name x --env-file shop\.env ?\r?$/m)
    shell.type('exit\n')
    await shell.ended
  })

  testWith(['zsh', 'script'], 'completes what is typed at a terminal in zsh', async () => {
    using folder = new Folder()
    writeFileSync(join(folder.path, 'completion.zsh'), await scriptFor('zsh'))
    writeFileSync(join(folder.path, 'shop.env'), '')
    writeFileSync(
      join(folder.path, '.zshrc'),
      'PS1="> "; autoload -U compinit; compinit -D; source completion.zsh; petstore() { echo "called: $*" }; echo ready\n',
    )
    await using shell = new Program(['script', '-qec', 'exec zsh -i', '/dev/null'], {
      cwd: folder.path,
      env: { ZDOTDIR: folder.path, TERM: 'dumb' },
    })
    await shell.until(/ready\r?\n/)
    shell.type('petstore ke\tcr\t--na\tx --env\tsh\t\n')
    await shell.until(/^called: keys create --name x --env-file shop\.env ?\r?$/m)
    shell.type('exit\n')
    await shell.ended
  })

  testWith(['fish'], 'completes every command and its options in fish', async () => {
    using folder = new Folder()
    writeFileSync(join(folder.path, 'completion.fish'), await scriptFor('fish'))
    for (const [line, offered] of typed) {
      const { stdout, stderr } = spawnSync('fish', ['-c', 'source completion.fish; complete -C $argv[1]', line], {
        cwd: folder.path,
        encoding: 'utf8',
      })
      assert.deepEqual([stdout.trim().split('\n').sort(), stderr], [offered, ''], line)
    }
  })

  test('knows three shells and asks for one of them', async () => {
    for (const args of [[], ['tcsh'], ['constructor']]) {
      const { code, stderr } = await command(['completion', ...args])
      assert.equal(code, 2)
      assert.match(stderr, /one of bash, zsh, fish\.\n/)
    }
  })
})
