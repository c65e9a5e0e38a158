// Bodies of requests, and no more of them than is allowed: a bound for one, and a bound for all that strangers send.
import type { IncomingMessage } from 'node:http'

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

/** Text from outside as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Room in memory that one body takes. */
export interface Share {
  /** How many bytes it takes now. When that is too much for the budget, bodies end: the one that began first goes first. */
  take(bytes: number): void
  /** It takes nothing any more. Does no harm twice. */
  giveBack(): void
}

/** A bound on what all bodies of strangers together take of the memory, and on how long each of them may take. */
export interface BodyBudget {
  /** @param end - Called at most once, when this body has to go; its share is given back by then. */
  open(end: () => void): Share
  /** Bytes taken by all of them. */
  taken(): number
}

/** Thirty-two bodies of the longest that Slack may send. */
const mostUnverifiedBytes = 32 * 1024 * 1024

/** Slack sends at once what it has three seconds to get an answer to. */
const unverifiedMs = 5_000

/**
 * One for the whole process. Whoever fills it takes long for it, and Slack does not: so it is the body that has taken
 * longest that ends, and not the newcomer.
 */
export function createBodyBudget({
  mostBytes = mostUnverifiedBytes,
  mostMs = unverifiedMs,
} = {}): BodyBudget {
  /** The one that began first comes first. */
  const bodies = new Set<{ bytes: number; end(): void }>()
  let taken = 0

  return {
    open(end) {
      const body = {
        bytes: 0,
        end() {
          giveBack()
          end()
        },
      }
      bodies.add(body)
      const timer = setTimeout(body.end, mostMs)

      function giveBack(): void {
        clearTimeout(timer)
        if (bodies.delete(body)) taken -= body.bytes
      }
      return {
        take(bytes) {
          if (!bodies.has(body)) return
          taken += bytes - body.bytes
          body.bytes = bytes
          for (const oldest of bodies) {
            if (taken <= mostBytes) return
            oldest.end()
          }
        },
        giveBack,
      }
    },
    taken: () => taken,
  }
}
