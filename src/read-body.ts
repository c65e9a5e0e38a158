// What a request brings, and no more of it than is allowed.
import type { IncomingMessage } from 'node:http'

/**
 * Undefined as soon as there is more; what is not read then has to be answered with an end of the connection.
 * Rejects when the connection breaks.
 */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > mostBytes) return resolve(undefined)
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= mostBytes) chunks.push(chunk)
      else resolve(void request.pause())
    })
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    // An error costs more than all the rest of this: it is made when it is needed.
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was cut off'))
    })
  })
}
