/** Errors of the `petstore` commands: the operator sees one line, never a stack trace. */

/** Of "ENOENT: no such file or directory, open 'PATH'", what the name of the file does not say yet. */
export const fileFault = (error: unknown): string => (error as Error).message.replace(/^E[A-Z]+: ([^,]+).*$/s, '$1')

/** The command line is invalid. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something outside the program prevents the command, such as a port in use. Exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
