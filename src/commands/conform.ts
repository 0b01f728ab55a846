/** `petstore conform`: holds any service against the rules of the interface; the package in conform/ does it. */
import { conform as check, help, options } from '../../conform/src/command.ts'
import { type Command, readArgs } from './command.ts'

const program = 'petstore conform'

export const conform: Command = {
  help: help(program),
  run(args, { env, stdout, stderr }) {
    // For the advice on a mistyped option.
    readArgs(args, options, [], 1)
    return check(args, { program, env, stdout, stderr })
  },
}
