/** An Express in front of the service, whose express-openapi-validator checks every request and every answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { middleware } from 'express-openapi-validator'
import type { Connect } from './operations.ts'
import { plain } from './plain.ts'

export const connect: Connect = async (url, key) => {
  const app = express()
  app.use(express.json())
  app.use(middleware({ apiSpec: './openapi.json', validateRequests: true, validateResponses: true }))
  app.use(async (request: express.Request, response: express.Response) => {
    const { method, originalUrl, body, headers } = request
    const answer = await fetch(new URL(originalUrl, url), {
      method,
      body: body === undefined ? null : JSON.stringify(body),
      headers: { authorization: String(headers.authorization), 'content-type': 'application/json' },
    })
    response.status(answer.status)
    response.set({ link: answer.headers.get('link') ?? '' })
    if (answer.status === 204) response.end()
    else response.json(await answer.json())
  })
  app.use((error: Error & { status?: number }, _: unknown, response: express.Response, _next: unknown) => {
    // A refused request gets an error in the format of the service. A refused response is a 500, which the scenario
    // does not expect.
    const { status = 500, message } = error
    response.status(status).json({ code: status === 400 ? 'invalid_field' : message, message, status })
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return plain(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, key)
}
