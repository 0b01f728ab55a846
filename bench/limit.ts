/**
 * A bare HTTP server for comparison, which does no work and answers a fixed body. PORT and BODY come from the
 * environment.
 */
import { createServer } from 'node:http'

const body = process.env.BODY ?? ''
const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))]
createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
