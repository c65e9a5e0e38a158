// A live card in the hands of this process, and how it is given back.
import { NotSent, type Pace } from '../slack/outbound/pace.ts'
import type { Timing } from './timing.ts'
import type { CardShown, LiveCard, Looked, Watches } from './watches.ts'

/** A card in the hands of this process. */
export interface Held {
  readonly live: LiveCard
  /** Names the holder to the store. */
  readonly owner: string
  /** How long ago it was taken, in milliseconds. */
  ageMs(): number
  /** False once the lease may have run out: somebody else may look at the card now. */
  isHeld(): boolean
}

/** The card is in other hands now, or somebody has changed who watches it. */
export class NotHeld extends NotSent {}

/** Not once the card has come into other hands: they tell it. */
export function check({ isHeld }: Held): void {
  if (!isHeld()) throw new NotHeld()
}

/** Sends in the channel's turn, unless the card has come into other hands by then. */
export function inTurn<T>(pace: Pace, held: Held, work: () => Promise<T>): Promise<T> {
  const { workspaceId, posted } = held.live
  return pace.inTurn({ workspaceId, channelId: posted.channelId }, async () => {
    check(held)
    return work()
  })
}

export interface GiveBack {
  /** Keeps what was found, and lets others have the card. */
  well(held: Held, looked: Partial<Looked>): Promise<void>
  /** The look failed: the next one comes later. */
  failed(held: Held, looked: Partial<Looked>): Promise<void>
  /** The service did not answer, or was not asked, as it has asked to be left alone. */
  unanswered(held: Held, askInMs: number, drawn: CardShown | undefined): Promise<void>
}

export function createGiveBack(watches: Pick<Watches, 'looked'>, timing: Timing): GiveBack {
  function well({ owner, live, ageMs }: Held, looked: Partial<Looked>): Promise<void> {
    const nothing = { drawn: undefined, seen: undefined, isTrue: false, failures: 0, askInMs: 0 }
    return watches.looked(owner, live, { ...nothing, inMs: timing.next(live, ageMs()), ...looked })
  }

  function failed(held: Held, looked: Partial<Looked>): Promise<void> {
    const { live } = held
    return well(held, { ...looked, failures: live.failures + 1, inMs: timing.afterFailure(live) })
  }

  return {
    well,
    failed,
    unanswered(held, askInMs, drawn) {
      const { live } = held
      if (live.askInMs === 0) return failed(held, { drawn, askInMs })
      const inMs = Math.min(timing.afterFailure(live), askInMs)
      return well(held, { drawn, askInMs, inMs, failures: live.failures })
    },
  }
}
