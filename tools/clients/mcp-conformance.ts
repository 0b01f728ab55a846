/**
 * Runs the conformance suite of the Model Context Protocol, which cannot send a key: a proxy adds it. Exactly what
 * mcp-expected-failures.yaml lists must fail.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const { PETSTORE_URL = '', PETSTORE_KEY = '' } = process.env
const service = new URL('/mcp', PETSTORE_URL)

const proxy = createServer((incoming, answer) => {
  const headers = { ...incoming.headers, host: service.host, authorization: `Bearer ${PETSTORE_KEY}` }
  // A page of the proxy is to the service what a page of its own would be.
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
