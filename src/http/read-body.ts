// What a request brings, and no more of it than is allowed.
import type { IncomingMessage } from 'node:http'
import type { BodyBudget } from './body-budget.ts'

/**
 * What a piece of a body costs besides its bytes. Measured: one of a single byte takes 670 bytes of memory, in Node 24.
 * Without this, six megabytes sent as pieces of a byte would take seven hundred.
 */
export const bytesOfPiece = 1024

/**
 * Undefined as soon as there is more; what is not read then has to be answered with an end of the connection.
 * Rejects when the connection breaks, and when the budget ends it.
 * @param budget - What is read takes of it until this settles: what then becomes of the body is to be said at once.
 */
export function readBody(
  request: IncomingMessage,
  mostBytes: number,
  budget: BodyBudget,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > mostBytes) return resolve(undefined)
    let chunks: Buffer[] = []
    let bytes = 0
    const share = budget.open(() => {
      letGo()
      request.destroy()
    })
    function letGo(): void {
      request.off('data', take)
      chunks = []
      share.giveBack()
    }
    function take(chunk: Buffer): void {
      bytes += chunk.length
      if (bytes > mostBytes) {
        letGo()
        request.pause()
        resolve(undefined)
        return
      }
      chunks.push(chunk)
      share.take(bytes + chunks.length * bytesOfPiece)
    }
    request.on('data', take)
    request.once('end', () => {
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
      letGo()
    })
    // An error costs more than all the rest of this: it is made when it is needed.
    request.once('close', () => {
      letGo()
      if (!request.complete) reject(new Error('the request was cut off'))
    })
  })
}

// Text from outside as JSON.

/** Undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
