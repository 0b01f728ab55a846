/** Binds a port on the runtime at hand. */
import type { Listener, ListenOptions } from './listener.ts'

export async function listen(options: ListenOptions): Promise<Listener> {
  if (process.versions.bun) return (await import('./listen-bun.ts')).listenOnBun(options)
  return (await import('./listen-node.ts')).listenOnNode(options)
}
