// Bodies of requests, and no more of them than is allowed. How long one may take to arrive is the server's to say.
import type { IncomingMessage } from 'node:http'

/** A piece costs some 670 bytes of memory besides its own: without this bound, a body sent byte by byte would take a lot. */
const mostPieces = 1_000

/**
 * Undefined as soon as there is more; what is not read then has to be answered with an end of the connection.
 * Rejects when the connection breaks.
 */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > mostBytes) return undefined
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    request.on('data', function take(piece: Buffer) {
      bytes += piece.length
      pieces.push(piece)
      if (bytes <= mostBytes && pieces.length <= mostPieces) return
      request.off('data', take).pause()
      resolve(undefined)
    })
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was cut off'))
    })
  })
}

/** Text from outside as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
