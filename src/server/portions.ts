/**
 * Reads a connection in small portions. Node itself reads up to 64 KB at a time and makes every request in them an
 * object before anything else can happen.
 */
import type { Socket } from 'node:net'

/**
 * Takes the reading of a connection over from Node for as long as it is open. `bytesMax` returns how many bytes may be
 * parsed now, or 0; call the returned function when that may have changed. `later` runs a function with low priority.
 */
export function readInPortions(socket: Socket, bytesMax: () => number, later: (run: () => void) => void): () => void {
  let isScheduled = false

  function readSoon(): void {
    if (isScheduled) return
    isScheduled = true
    later(() => {
      isScheduled = false
      readPortion()
    })
  }

  function readPortion(): void {
    const bytes = bytesMax()
    if (bytes === 0) return
    // `read` emits `data`, and so passes the portion to Node's parser. Without an argument it also ends the stream, if
    // the client has closed its side and nothing is left.
    const portion = socket.read(Math.min(bytes, socket.readableLength) || undefined)
    if (portion !== null) readSoon()
  }

  function begin(): void {
    // While Node has stopped reading, a new listener would not make it start again.
    if (socket.isPaused()) socket.once('resume', begin)
    // With a listener for `readable`, Node reads into the buffer of the socket and stops when that is full.
    else socket.on('readable', readPortion).on('resume', readSoon)
  }

  begin()
  return readSoon
}
