/** The listener of `listen.ts` in a process of its own, on Bun. */
import { fileURLToPath } from 'node:url'
import { defaultTimeouts, type Timeouts } from '../../src/server/listener.ts'
import { bun, Program } from './process.ts'

export interface BunListener {
  readonly port: number
  /** Resolves once the listener, or a stream on it, has told it. */
  until(what: string): Promise<RegExpExecArray>
  /** Begins to close; `until('closed')` tells when it has. */
  close(): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function listenInBun(
  timeouts: Partial<Timeouts>,
  grace: number,
  { isServed = true } = {},
): Promise<BunListener> {
  const file = fileURLToPath(new URL('listen.ts', import.meta.url))
  const all = JSON.stringify({ ...defaultTimeouts, ...timeouts })
  const program = new Program([bun, file, all, String(grace), String(isServed)])
  const [, port] = await program.until(/^port (\d+)$/m)
  return {
    port: Number(port),
    until: (what) => program.until(new RegExp(`^${what}$`, 'm')),
    close: () => program.type('\n'),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
