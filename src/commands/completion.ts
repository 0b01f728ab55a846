/** `petstore completion`: a script that completes commands and options in a shell, made from the usage of each command. */
import { UsageError } from '../failure.ts'
import { type Command, type Commands, globalFlags, readArgs } from './command.ts'

/** What may follow a beginning of the command line: the parts of `before`, with anything between them. No words: a file. */
interface Choice {
  readonly before: readonly string[]
  readonly words: readonly string[]
}

const shells = { bash, zsh, fish }
const names = Object.keys(shells)

export const completionOf = (commands: Commands): Command => ({
  help: `Usage: petstore completion ${names.join('|')}

Prints a script that completes the commands and options of petstore, and tells the shell to use it. To have it in every
new shell, add the line to ~/.bashrc or ~/.zshrc (there after compinit); for fish, write the script to a file:

  bash  source <(petstore completion bash)
  zsh   source <(petstore completion zsh)
  fish  petstore completion fish > ~/.config/fish/completions/petstore.fish

Example: source <(petstore completion bash)
`,
  async run(args, { stdout }) {
    const [shell] = readArgs(args, {}, [`one of ${names.join(', ')}`]).positionals as [string]
    if (!Object.hasOwn(shells, shell))
      throw new UsageError(`Unknown shell "${shell}"; give one of ${names.join(', ')}.`)
    const loaded = await Promise.all([...commands.values()].map(([, load]) => load()))
    stdout.write(shells[shell as keyof typeof shells](choicesOf([...commands.keys()], loaded.flatMap(usagesOf))))
    return 0
  },
})

/** The lines of a usage without the program's name, such as `keys create --name NAME [--scope SCOPE]...`. */
const usagesOf = ({ help }: Command): string[] =>
  (help.split('\n\n', 1)[0] ?? '').replace('Usage:', '').replaceAll(/\s+/g, ' ').split(' petstore ').slice(1)

/** The more specific choice comes first. */
function choicesOf(commands: readonly string[], usages: readonly string[]): Choice[] {
  const values: Choice[] = [{ before: ['', '--env-file '], words: [] }]
  const flags = new Map<string, string[]>()
  const actions = new Map<string, string[]>()
  for (const usage of usages) {
    const [, command = '', action] = /^(\w+)(?: ([a-z]+(?:\|[a-z]+)*)(?= |$))?/.exec(usage) ?? []
    if (action) actions.set(command, [...(actions.get(command) ?? []), ...action.split('|')])
    const own = [...usage.matchAll(/(--[a-z-]+)(?: ([^\s\]]+))?/g)]
    for (const path of action ? action.split('|').map((one) => `${command} ${one} `) : [`${command} `]) {
      for (const [, flag, value] of own)
        if (value) values.push({ before: [path, `${flag} `], words: /^[a-z|]+$/.test(value) ? value.split('|') : [] })
      flags.set(path, [...own.map(([, flag = '']) => flag), ...(flags.get(path) ?? globalFlags)])
    }
  }
  return [
    { before: [' '], words: [...commands, 'help', '--help', '--version'] },
    { before: ['help '], words: commands },
    ...values,
    ...[...actions].map(([command, words]) => ({ before: [`${command} `], words })),
    ...[...flags].map(([path, words]) => ({ before: [path, ''], words })),
  ]
}

/** Parts of a pattern; bash and zsh write them alike. */
const pattern = ({ before }: Choice): string => before.map((part) => part && `'${part}'`).join('*')

function bash(choices: readonly Choice[]): string {
  return `_petstore() {
  local words=
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${choices.map((choice) => `    ${pattern(choice)}) words='${choice.words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _petstore petstore
`
}

function zsh(choices: readonly Choice[]): string {
  return `#compdef petstore
_petstore() {
  case "\${(j: :)words[2,CURRENT-1]} " in
${choices.map((choice) => `    ${pattern(choice)}) compadd -- ${choice.words.join(' ')} && return ;;`).join('\n')}
  esac
  _files
}
compdef _petstore petstore
`
}

function fish(choices: readonly Choice[]): string {
  return `function __petstore_words
  set -l typed (commandline -opc)
  set -e typed[1]
  switch "$typed "
${choices.map(({ before, words }) => `    case '${before.join('*')}'\n      printf '%s\\n' ${words.join(' ') || '(__fish_complete_path (commandline -ct))'}`).join('\n')}
  end
end
complete -c petstore -f -a '(__petstore_words)'
`
}
