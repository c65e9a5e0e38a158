// Follow-ups of requests, by kind: the features that ask for writes say what is done once they were sent.
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Settled } from './outcome.ts'
import type { Before } from './proof.ts'
import type { Request, Send } from './request.ts'
import type { Write } from './writes.ts'

/** What is known of a write about an alert besides its outcome. */
export interface Noted {
  /** As the sender’s token showed it before. */
  readonly before?: Before | undefined
  /** And once more after it was sent. */
  readonly after?: Pick<Alert, 'ownerId' | 'closedTimestamp'> | undefined
}

/** Follow-ups of requests of one kind, by the feature that asks for them. */
export interface FollowUpsOfKind {
  /** Writes down what became of a send, once, however often it is called. */
  record(house: House, request: Request, send: Send, outcome: Settled, noted: Noted): Promise<void>
  /**
   * Tells what is still to be told of a request, when that could not be done at once. Asks the service nothing.
   * @throws Where somebody could not be told: it is called again later.
   */
  tellLate(house: House, request: Request): Promise<void>
}

/** `approval`: of what a colleague has to approve, whatever is written then. */
export type FollowUps = Readonly<Record<Write['kind'] | 'approval', FollowUpsOfKind>>

export function followUpsOf({ followUps }: House, { id, approval, sends: [first] }: Request) {
  if (first === undefined) throw new Error(`request ${id} has nothing to write`)
  return followUps[approval === undefined ? first.write.kind : 'approval']
}

/** Writes down what became of everything, for a sender that may have died before it could. */
export async function recordAll(house: House, request: Request): Promise<void> {
  for (const send of request.sends) {
    const { outcome, before } = send
    if (outcome === undefined || outcome.kind === 'not-sent') continue
    const noted = { before: before === 'unreadable' ? undefined : before }
    await followUpsOf(house, request).record(house, request, send, outcome, noted)
  }
}
