/** Runs promtool, the checker of Prometheus, from Debian's package prometheus. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Returns what promtool reports, or an empty text. */
export async function promtool(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('promtool', args)
  child.stdin.end(input)
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  return code === 0 ? '' : (await said).join('')
}
