// Words for what became of a grant, and why: receipts, requests for approval, the audit channel and Home read them here. Words
// about alerts have their own place, where they are acted on. Pure; raw text.
import { type Cause, isRefusedFor, type NotDoneCode, passingCodes, type SendOutcome } from './outcome.ts'
import type { AddUser } from './writes.ts'

/** Before an outcome, by its kind alone. Where its reason is known: `signOf`. */
export const signs: Readonly<Record<SendOutcome['kind'], string>> = {
  done: '✅',
  'not-done': '⛔',
  uncertain: '❓',
  'not-sent': '➖',
}

/** What waits or passes by itself: busy, unreachable, not connected yet. */
const waitingSign = '⏳'

/** A request that a colleague declined. */
export const declinedSign = '🚫'

/** Before an outcome: what passes by itself has a sign of its own. */
export function signOf(outcome: SendOutcome): string {
  return isRefusedFor(outcome, passingCodes) ? waitingSign : signs[outcome.kind]
}

/** Behind a sign, where there is room for a word or two; with a capital, at the head of what is told. */
export const outcomeWords: Readonly<Record<SendOutcome['kind'], string>> = {
  done: 'granted',
  'not-done': 'not granted',
  uncertain: 'not certain',
  'not-sent': 'not sent',
}

interface RefusalWords {
  /** Behind an address: in receipts, on cards, in the audit channel. */
  readonly short: string
  /**
   * Why nobody was granted, behind “Not granted:”, without a stop.
   * @param whose - Token it was: “your”, or a name with ’s.
   * @param where - “container 12”, or “Customer 1 (12)” for readers who may know its name.
   */
  because(whose: string, where: string): string
  /** A sentence about what to do, below that; empty where the receipt has more to say. */
  readonly toDo: string
}

/** By the reason why somebody was certainly not added. */
export const refusals: Readonly<Record<NotDoneCode, RefusalWords>> = {
  'bad-request': {
    short: 'already on the container, or address not accepted',
    because: () => 'monitoring says no (400)',
    toDo: '',
  },
  refused: {
    short: 'token not accepted',
    because: (whose) => `monitoring no longer accepts ${whose} token`,
    toDo: '',
  },
  forbidden: {
    short: 'not allowed to add people here',
    because: (whose, where) => `${whose} token lacks API or CONTAINER_ACCESS on ${where}`,
    toDo: 'Somebody who has both can grant it.',
  },
  'not-found': {
    short: 'no such container',
    because: (_, where) => `there’s no ${where}`,
    toDo: 'Check the number in monitoring.',
  },
  busy: {
    short: 'monitoring is busy',
    because: () => 'monitoring is busy (429)',
    toDo: 'Nothing was changed. Try again in a minute.',
  },
  unreachable: {
    short: 'couldn’t reach monitoring',
    because: () => 'I couldn’t reach monitoring',
    toDo: 'Nothing was sent. Try again in a minute.',
  },
  malformed: {
    short: 'monitoring sent an unexpected answer',
    because: () => 'monitoring answered in a way I don’t understand',
    toDo: 'Nothing was sent. Try again in a minute.',
  },
  changed: {
    short: 'changed meanwhile',
    because: () => 'somebody has changed their access meanwhile',
    toDo: 'Nothing was changed.',
  },
  'no-operation': {
    short: 'not possible with this monitoring service',
    because: () => 'this monitoring service can’t do that',
    toDo: 'Add them in monitoring instead.',
  },
}

/** By the reason why it is not certain, behind “The request went out, but”. */
export const causeWords: Readonly<Record<Cause, string>> = {
  'server-error': 'monitoring returned an error',
  'odd-answer': 'monitoring answered in a way I don’t understand',
  'connection-lost': 'the connection broke before monitoring answered',
  'timed-out': 'monitoring didn’t answer in time',
  stopped: 'I was stopped before I could store the answer',
  'not-seen': 'monitoring doesn’t show it yet',
  'not-readable': 'the token lacks READ, so nobody can see what became of it',
}

/** A grant without any flag. */
export const dashboardsOnly = 'access to dashboards only'

/** “READ, API · member · via Google”. */
export function access({
  permissions = [],
  member,
  authProvider,
}: {
  readonly [What in 'permissions' | 'member' | 'authProvider']?: AddUser[What] | undefined
}): string {
  return [
    permissions.length === 0 ? dashboardsOnly : permissions.join(', '),
    ...(member === true ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ].join(' · ')
}
