// A bound on what all bodies of strangers together take of the memory, and on how long each of them may take.

/** Room in memory that one body takes. */
export interface Share {
  /** How many bytes it takes now. When that is too much for the budget, bodies end: the one that began first goes first. */
  take(bytes: number): void
  /** It takes nothing any more. Does no harm twice. */
  giveBack(): void
}

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
