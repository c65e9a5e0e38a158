// Words for what became of a grant, and why: receipts, requests for approval, the audit channel and Home read them here. Words
// about alerts have their own place, where they are acted on. Pure; raw text.
import { type Cause, isRefusedFor, type NotDoneCode, passingCodes, type SendOutcome } from './outcome.ts'
import type { AddUser } from './writes.ts'

/** Before an outcome, and behind that sign, where there is room for a word or two. */
export const outcomeWords: Readonly<Record<SendOutcome['kind'], readonly [sign: string, words: string]>> = {
  done: ['✅', 'granted'],
  'not-done': ['⛔', 'not granted'],
  uncertain: ['❓', 'not certain'],
  'not-sent': ['➖', 'not sent'],
}

/** A request that a colleague declined. */
export const declinedSign = '🚫'

/** Before an outcome: what passes by itself has a sign of its own. */
export function signOf(outcome: SendOutcome): string {
  return isRefusedFor(outcome, passingCodes) ? '⏳' : outcomeWords[outcome.kind][0]
}

/**
 * By the reason why somebody was certainly not added: why, behind “Not granted:”, and a sentence about what to do or
 * to check.
 * @param whose - Token it was: “your”, or a name with ’s.
 * @param where - “container 12”, or “Customer 1 (12)” for readers who may know its name.
 */
export const refusals: Readonly<
  Record<NotDoneCode, (whose: string, where: string) => readonly [why: string, toDo: string]>
> = {
  'bad-request': (whose) => [
    'monitoring says no',
    `They may already be on it, the address may be unknown or be there twice, or ${whose} token lacks one of these flags.`,
  ],
  refused: (whose) => [
    `monitoring no longer accepts ${whose} token`,
    whose === 'your' ? 'Connect again with /alert connect, then try again.' : '',
  ],
  forbidden: (whose, where) => [
    `${whose} token lacks API or CONTAINER_ACCESS on ${where}`,
    'Somebody who has both can grant it.',
  ],
  'not-found': (_, where) => [`there’s no ${where}`, 'Check the number in monitoring.'],
  busy: () => ['monitoring is busy', 'Try again in a minute.'],
  unreachable: () => ['I couldn’t reach monitoring', 'Try again in a minute.'],
  malformed: () => ['monitoring answered in a way I don’t understand', 'Try again in a minute.'],
  changed: () => ['somebody has changed their access meanwhile', 'Nothing was changed.'],
  'no-operation': () => ['this monitoring service can’t do that', 'Add them in monitoring instead.'],
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
