/** What a listener without a service answers, and where it listens. */
import { AppError } from '../src/errors.ts'
import { type Handler, type Incoming, jsonType, type StreamBody } from '../src/http/message.ts'
import { errorReply } from '../src/http/respond.ts'
import { systemTime } from '../src/time.ts'

/** What a stream of the listener has experienced. */
export type Told = 'behind' | 'drained' | 'gone'

/**
 * A stream that is written until its client falls behind. Then it does what its address says: `end`, `drop`, or wait
 * until the client has read everything. `/stream/quiet` has a single line.
 */
const streaming =
  (target: string, tell: (what: Told) => void): StreamBody =>
  (output) => {
    if (target === '/stream/quiet') output.write(Buffer.from('quiet\n'))
    else {
      while (output.write(large.subarray(0, 64 * 1024)));
      tell('behind')
      if (target === '/stream/drop') output.drop()
      if (target === '/stream/end') output.end(Buffer.from('end'))
    }
    return {
      drained() {
        tell('drained')
        output.end(Buffer.from('end'))
      },
      closed: () => tell('gone'),
    }
  }

/**
 * Answers once the whole body has arrived, and at `/early` before that. `/large` and `/large/text` answer with more
 * than the system buffers for a client that does not read.
 */
export const answeringTo =
  (tell: (what: Told) => void): Handler =>
  async (incoming) => {
    if (incoming.target.startsWith('/stream'))
      return { status: 200, headers: ['Connection', 'close'], body: streaming(incoming.target, tell) }
    if (incoming.fault) {
      const { body, status } = errorReply(incoming.fault)
      const headers = ['Content-Type', jsonType, 'Cache-Control', 'no-store', 'Content-Length', String(body.length)]
      return { status, headers, body }
    }
    if (incoming.target === '/large')
      return { status: 200, headers: ['Content-Length', String(large.length)], body: large }
    if (incoming.target === '/large/text')
      return { status: 200, headers: ['Content-Length', String(large.length)], body: 'x'.repeat(large.length) }
    const late = incoming.target !== '/early' && (await bodyOf(incoming))
    if (late instanceof AppError && late.code === 'request_timeout')
      return { status: 408, headers: ['Content-Length', '0'], body: '' }
    return { status: 200, headers: ['Content-Length', '0'], body: '' }
  }

async function bodyOf(incoming: Incoming): Promise<unknown> {
  try {
    return await incoming.body(8 * 1024, () => {})
  } catch (error) {
    return error
  }
}

export const answering = answeringTo(() => {})

export const large = new Uint8Array(32 * 1024 * 1024)

export const anyPort = { host: '127.0.0.1', port: 0, time: systemTime }
