/** Binds the configured port on the current runtime, or fails with a one-line reason. */
import type { Config } from '../config.ts'
import { CommandFailed } from '../failure.ts'
import type { Listener, ListenOptions } from './listener.ts'

export async function bind({ host, port }: Config): Promise<Listener> {
  try {
    return await listen({ host, port })
  } catch (error) {
    throw new CommandFailed(faultOf(error as NodeJS.ErrnoException, host, port))
  }
}

async function listen(options: ListenOptions): Promise<Listener> {
  if (process.versions.bun) return (await import('./listen-bun.ts')).listenOnBun(options)
  return (await import('./listen-node.ts')).listenOnNode(options)
}

function faultOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the other program, or set PORT to another.`
  if (error.code === 'EACCES') return `This user may not listen on port ${port}. Set PORT to one above 1023.`
  return `Cannot listen on ${host}, port ${port}: ${error.message}`
}
