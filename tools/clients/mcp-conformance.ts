/**
 * Runs the conformance suite of the Model Context Protocol. The suite cannot send a key, so a proxy adds it. Exactly
 * the scenarios in mcp-expected-failures.yaml must fail.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const { PETSTORE_URL = '', PETSTORE_KEY = '' } = process.env
const service = new URL('/mcp', PETSTORE_URL)

const proxy = createServer((incoming, answer) => {
  const headers = { ...incoming.headers, host: service.host, authorization: `Bearer ${PETSTORE_KEY}` }
  // The service must treat a page of the proxy like a page of its own.
  if (headers.origin) headers.origin = headers.origin.replace(String(port), service.port)
  const sent = request(service, { method: incoming.method, headers }, (received) => {
    answer.writeHead(received.statusCode ?? 502, received.headers)
    received.pipe(answer)
  })
  incoming.pipe(sent)
}).listen(0, '127.0.0.1')
await once(proxy, 'listening')
const { port } = proxy.address() as AddressInfo
const args = ['server', '--url', `http://127.0.0.1:${port}/mcp`, '--expected-failures', 'mcp-expected-failures.yaml']
const [code] = await once(spawn('conformance', args, { stdio: 'inherit' }), 'exit')
process.exit(code)
