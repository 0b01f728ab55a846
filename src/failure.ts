/** How a command of the `petstore` program fails: with one line for the operator, never with a stack. */

/** The command line cannot be understood; the program ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something outside the program is in the way: a port in use, a file that is not ours. Exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
