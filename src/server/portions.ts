/**
 * Reads a connection in small portions. Node itself reads up to 64 KB at once and creates an object for every request
 * in them before anything else can happen.
 */
import type { Socket } from 'node:net'

/**
 * Takes the reading of a connection over from Node for as long as it is open. `bytesMax` returns how many bytes may be
 * parsed now, or 0; call the returned function when that may have changed. `later` runs a function, not necessarily
 * immediately.
 */
export function readInPortions(socket: Socket, bytesMax: () => number, later: (run: () => void) => void): () => void {
  let isScheduled = false
  let isHeldBack = false

  function readOn(): void {
    // Usually nothing is left. Then Node emits `readable` when more has arrived, and at the end.
    if (isScheduled || !(isHeldBack || socket.readableLength > 0)) return
    isScheduled = true
    later(() => {
      isScheduled = false
      readPortion()
    })
  }

  function readPortion(): void {
    const bytes = bytesMax()
    isHeldBack = bytes === 0
    if (isHeldBack) return
    // `read` emits `data`, and so passes the portion to Node's parser. Without an argument it reads all that is left,
    // and lets the stream end if the client has closed its side.
    socket.read(socket.readableLength > bytes ? bytes : undefined)
    readOn()
  }

  function begin(): void {
    // While Node has stopped reading, a new listener would not make it start again.
    if (socket.isPaused()) socket.once('resume', begin)
    // With a listener for `readable`, Node reads into the buffer of the socket and stops when that is full.
    else socket.on('readable', readPortion).on('resume', readOn)
  }

  begin()
  return readOn
}
