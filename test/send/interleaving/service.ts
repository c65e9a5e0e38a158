// A service in any mood, as a model: what it is sent takes effect at once, late or never, is answered or not, and is
// shown when it likes. It goes by the clock, and remembers who sent what.
import { MonitorError, type MonitorErrorCode } from '../../../src/errors.ts'
import type { Action, Alert } from '../../../src/monitor/schema.ts'
import type { WriteResult } from '../../../src/monitor/writes.ts'
import type { AlertWrite, Write } from '../../../src/send/outcome.ts'

/** What it does about one request. A refusal has no effect: all that the contract promises. */
export interface Mood {
  readonly says: WriteResult
  /** Until the answer, or until nobody waits for it any more. */
  readonly answersInMs: number
  /** Until it takes effect; undefined: never. */
  readonly takesInMs: number | undefined
  /** From its effect until reads show it. */
  readonly showsInMs: number
}

/** How one read ends, and after how long. */
export interface ReadMood {
  readonly answersInMs: number
  readonly fails: MonitorErrorCode | undefined
}

/** ✘ in the documentation: whether it says who did something, and with which words. */
export interface Manners {
  readonly namesActors: boolean
  readonly showsWords: boolean
}

export interface Happening {
  readonly kind: 'Assign' | 'Comment' | 'Close' | 'AutoClose' | 'Reopen'
  readonly actorId: number
  readonly ownerId: number | null
  readonly message: string
  readonly at: number
  readonly visibleAt: number
}

/** A request that came to it. */
export interface Sent {
  /** Whose, as the test knows it. */
  readonly intent: string
  readonly write: Write
  readonly at: number
  readonly says: WriteResult
}

export type ModelService = ReturnType<typeof createModelService>

export function createModelService(
  { namesActors, showsWords }: Manners,
  clock: { readonly now: () => number; readonly later: (ms: number, work: () => void) => void },
) {
  const happened = new Map<string, Happening[]>()
  const requests: Sent[] = []
  /** Addresses on the container. */
  const members = new Set<string>()

  function happens(
    ks: string,
    { inMs, showsInMs, ...what }: Omit<Happening, 'at' | 'visibleAt'> & { inMs: number; showsInMs: number },
  ): void {
    clock.later(inMs, () => {
      const all = happened.get(ks) ?? []
      happened.set(ks, all)
      const isClosed = stateOf(all).isClosed
      // Nothing is done to what is closed, and nothing is opened that is open.
      if ((what.kind === 'Reopen') !== isClosed) return
      all.push({ ...what, at: clock.now(), visibleAt: clock.now() + showsInMs })
    })
  }

  return {
    showsWords,
    namesActors,
    requests,
    happens,
    isMember: (email: string) => members.has(email),
    /** All that was ever done to it, in order. */
    historyOf: (ks: string): readonly Happening[] => happened.get(ks) ?? [],
    /** @param actorId - Whose token it is. */
    receive(intent: string, actorId: number, write: Write, { says, takesInMs, showsInMs }: Mood): void {
      requests.push({ intent, write, at: clock.now(), says })
      // Of adding somebody the answer counts.
      const inMs = write.kind === 'add-user' && says.kind === 'done' ? 0 : takesInMs
      if (inMs === undefined) return
      if (write.kind === 'add-user') clock.later(inMs, () => void members.add(write.email))
      else {
        const ownerId = write.kind === 'assign' ? write.ownerId : null
        const { ks, message } = write
        happens(ks, { kind: kinds[write.kind], actorId, ownerId, message, inMs, showsInMs })
      }
    },
    /** As it shows it now. */
    show(ks: string, fails: MonitorErrorCode | undefined): Alert {
      if (fails !== undefined) throw new MonitorError(fails, 'in a mood')
      const visible = (happened.get(ks) ?? []).filter(({ visibleAt }) => visibleAt <= clock.now())
      const { ownerId, isClosed } = stateOf(visible)
      return {
        ...{ ks, message: 'Disk is full', severity: 2, timestamp: 1_700_000_000 },
        ...{ lastMessage: 'Disk is full', lastSeverity: 2, lastTimestamp: 1_700_000_000 },
        ownerId,
        closedTimestamp: isClosed ? 1_700_000_100 : null,
        actions: visible.filter(({ kind }) => kind !== 'Reopen').map(shown),
      }
    },
  }

  function shown({ kind, actorId, ownerId, message }: Happening): Action {
    const data = {
      ...(namesActors && kind !== 'AutoClose' ? { userId: actorId } : {}),
      ...(kind === 'Assign' ? { ownerId } : {}),
      ...(showsWords ? { message } : {}),
    }
    return { kind, timestamp: 1_700_000_050, data }
  }
}

export const kinds = { assign: 'Assign', comment: 'Comment', close: 'Close' } as const satisfies Record<
  AlertWrite['kind'],
  Happening['kind']
>

function stateOf(all: readonly Happening[]) {
  let ownerId: number | null = null
  let isClosed = false
  for (const one of all) {
    if (one.kind === 'Assign') ownerId = one.ownerId
    else if (one.kind === 'Reopen') isClosed = false
    else if (one.kind !== 'Comment') isClosed = true
  }
  return { ownerId, isClosed }
}
