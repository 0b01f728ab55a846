/** A client in another language: the program `client`, which reads calls as lines of JSON and writes the responses. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { byName, type Connect } from './operations.ts'

export const connect: Connect = (url, key) => {
  const child = spawn('./client', [url, key], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return byName(async (operation, { path, query, body }) => {
    child.stdin.write(`${JSON.stringify({ operation, ids: Object.values(path), query, body })}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error('the client has ended')
    return JSON.parse(value)
  })
}
